import { once } from 'node:events'
import type { Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, signedIn } from '../factories.ts'
import { expectAccessible, newPage, PHONE } from './browser.ts'
import { descriptionOf, expectPageAccessible, main, visit, waitUntilGone } from './pages.ts'

const templates = '/api/v1/email-templates'
const smtp = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData: (stream, _, done) => {
    stream.resume()
    stream.on('end', () => done())
  },
})
smtp.listen(0, '127.0.0.1')
await once(smtp.server, 'listening')
afterAll(() => new Promise<void>((resolve) => smtp.close(resolve)))
const t = await testApp({}, { live: true })
const admin = await signedIn(t, { instanceAdmin: true, name: 'Ada' })

const store = async (template: object) => expectStatus(await admin.post(templates, template), 201).body
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const html = (page: Page) => page.getByLabel('HTML of the email', { exact: true })
const subject = (page: Page) => page.getByLabel('Subject', { exact: true })
const mail = (page: Page, name: string) => main(page).getByRole('listitem', { name, exact: true })

test('a template starts from the built-in text, inserts variables, reports errors and updates the preview', async () => {
  const page = await newPage(t, { as: admin, allow: [`400 POST ${templates}/preview`] })
  await page.goto('/admin/email-templates')
  await mail(page, 'Sign-up code').getByText('Built-in text').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Customize: Sign-up code' }).click()

  const frame = preview(page).locator('iframe')
  expect(await frame.getAttribute('sandbox')).toBe('allow-scripts')
  await frame.contentFrame().getByText('Hello Ada Lovelace,').waitFor()
  await preview(page).getByText('482913 is your Meydan code').waitFor()
  // The mail has its own styles and follows the selected scheme; its width is the selected device's.
  const inFrame = (script: string) => page.frames().at(-1)?.evaluate<unknown>(script)
  const background = () => inFrame('getComputedStyle(document.body).backgroundColor')
  expect(await background()).toBe('rgb(239, 241, 240)')
  await preview(page).getByText('Dark', { exact: true }).click()
  await expect.poll(background).toBe('rgb(12, 17, 19)')
  await preview(page).getByText('Phone', { exact: true }).click()
  await expect.poll(() => inFrame('innerWidth')).toBe(375)

  // Another language loads its own text as long as the user has typed nothing.
  await page.getByRole('combobox', { name: 'Language' }).fill('tr-CY')
  await page.getByText('Turkish (Cyprus)').waitFor()
  await frame.contentFrame().getByText('Merhaba Ada Lovelace,').waitFor()
  await subject(page).fill('')
  await page.getByRole('button', { name: 'Subject: insert a variable' }).click()
  await page.getByRole('menuitem', { name: /\{\{user_name\}\}.*Name of the recipient/ }).click()
  await expect.poll(() => subject(page).inputValue()).toBe('{{user_name}}')
  await page.keyboard.type(', {{cod}}')
  await page.getByText('This email has no variable {{cod}}.').waitFor()
  expect(await descriptionOf(subject(page))).toContain('{{cod}}')
  await preview(page).getByText('This is the last version without errors.').waitFor()
  await html(page).fill('<p title={{user_name}}>Merhaba</p>')
  await page.getByText('Put the value of title').waitFor()
  expect(await descriptionOf(html(page))).toContain('{{user_name}}')
  await subject(page).fill('{{user_name}}, hoş geldin')
  await html(page).fill('<p>Merhaba <b>{{user_name}}</b></p>')
  await preview(page).getByText('Ada Lovelace, hoş geldin').waitFor()
  await page.getByRole('button', { name: 'Create it from the HTML' }).click()
  await page.getByText('does not use all variables').waitFor()
  await page.getByRole('status').filter({ hasText: '{{code}}' }).waitFor()
  await preview(page).getByText('Text', { exact: true }).click()
  await preview(page).getByText('Merhaba Ada Lovelace', { exact: true }).waitFor()

  // Unsaved text is not lost by mistake.
  await page.getByRole('link', { name: 'Email templates' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByRole('heading', { name: 'Sign-up code', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Send test email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send test email' })
  expect(await dialog.getByLabel('To').inputValue()).toBe(admin.email)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByText('the email waits in the outbox').waitFor()
  await dialog.getByRole('link', { name: 'View it in the outbox' }).click()
  await page.getByRole('dialog', { name: 'Email' }).locator('iframe').contentFrame().getByText('Merhaba Ada').waitFor()
})

test('a template that was changed elsewhere is loaded on demand before saving, and no change is lost', async () => {
  const stored = await store({ key: 'invitation', locale: 'tr', subject: 'Davet', body_html: '<p>{{accept_url}}</p>' })
  const { body: before } = await admin.get(`${templates}/${stored.id}`)
  const page = await newPage(t, { as: admin, allow: ['412 PUT', `404 GET ${templates}`] })
  await page.goto(`/admin/email-templates/${stored.id}`)
  await subject(page).fill('Davetlisiniz')
  expectStatus(await admin.put(`${templates}/${before.id}`, { body_html: '<p>Gel: {{accept_url}}</p>' }), 200)
  await subject(page).press('Control+s')
  await page.getByRole('button', { name: 'Load latest version' }).click()
  await expect.poll(() => html(page).inputValue()).toBe('<p>Gel: {{accept_url}}</p>')
  expect(await subject(page).inputValue()).toBe('Davetlisiniz')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Template saved.').waitFor()
  const { body: after } = await admin.get(`${templates}/${stored.id}`)
  expect(after).toMatchObject({ subject: 'Davetlisiniz', body_html: '<p>Gel: {{accept_url}}</p>' })

  // Meydan's text replaces the user's only after confirmation.
  await page.getByRole('combobox', { name: 'Start from' }).click()
  await page.getByRole('option', { name: 'English' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await expect.poll(() => subject(page).inputValue()).toBe('{{inviter_name}} invited you to {{workspace_name}}')
  await page.getByRole('button', { name: 'Discard' }).click()

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const ask = page.getByRole('dialog', { name: 'Delete the template for “Turkish”?' })
  await ask.getByText('Its recipients then get the built-in text in Turkish.').waitFor()
  await ask.getByRole('button', { name: 'Delete' }).click()
  await mail(page, 'Invitation').getByText('Built-in text').waitFor()
})

test('templates are searched and filtered by language, and fit a phone in Turkish together with their errors', async () => {
  const news = await store({ key: 'weekly-news', subject: 'News {{week}}', body_html: '<p>{{headline}}</p>' })
  await store({ key: 'weekly-news', locale: 'de', subject: 'Nachrichten', body_html: '<p>Hallo</p>' })
  const allow = [`400 POST ${templates}/preview`]
  const page = await newPage(t, {
    as: admin,
    locale: 'tr',
    ...PHONE,
    viewport: { width: 375, height: 760 },
    allow,
  })
  expectStatus(await admin.patch('/api/v1/me', { locale: 'tr' }), 200)
  const fits = async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
  await page.goto('/admin/email-templates?locale=de')
  await mail(page, 'weekly-news').getByRole('link', { name: 'Almanca' }).waitFor()
  await waitUntilGone(mail(page, 'Kayıt kodu'))
  await visit(page, '/admin/email-templates?search=davet')
  await mail(page, 'Davet').waitFor()
  await waitUntilGone(mail(page, 'weekly-news'))
  await fits()

  await visit(page, `/admin/email-templates/${news.id}`)
  await page.getByText('Önizlemede {{week}}, {{headline}} için değer yok.').waitFor()
  await page.getByRole('button', { name: 'Örnek değerler' }).click()
  await page.getByLabel('headline').fill('Simit <b>')
  await page.locator('iframe').contentFrame().getByText('Simit <b>').waitFor()
  await expectPageAccessible(page, 'template on a phone')
  await page.getByLabel('Konu', { exact: true }).fill('{{ Bad }} {{{x')
  await page.getByText('Bu bir değişken değil: {{ Bad }}').waitFor()
  expect(await descriptionOf(page.getByLabel('Konu', { exact: true }))).toMatch(
    /Bu bir değişken değil: \{\{ Bad \}\}.*\n.*Bu bir değişken değil: \{\{\{x/,
  )
  await fits()
  expectStatus(await admin.patch('/api/v1/me', { locale: 'en' }), 200)
})

test('the outbox is filtered in the URL, and a failed mail shows the reason, is sent again and is blanked', async () => {
  const row = { to_name: '', locale: 'en', attempts: 8, state: 'failed' as const }
  const written = { body_html: '<p>Your link</p>', body_text: 'https://meydan.example/x' }
  await t.deps.db
    .insertInto('mail')
    .values([
      { ...row, ...written, key: 'password-reset', to_address: 'one@example.com', subject: 'A new password' },
      { ...row, ...written, key: 'password-changed', to_address: 'two@example.com', subject: 'Changed', state: 'sent' },
    ])
    .execute()
  await t.deps.db
    .updateTable('mail')
    .set({ error: 'connect ECONNREFUSED 127.0.0.1:25' })
    .where('state', '=', 'failed')
    .execute()
  const page = await newPage(t, { as: admin })
  await page.goto('/admin/outbox?state=failed')
  await page.getByRole('button', { name: 'one@example.com' }).waitFor()
  await waitUntilGone(page.getByRole('button', { name: 'two@example.com' }))
  await page.getByRole('searchbox', { name: 'Search by address, name or subject' }).fill('nobody')
  await page.getByText('No matching emails').waitFor()
  expect(new URL(page.url()).search).toBe('?state=failed&search=nobody')
  await page.getByRole('button', { name: 'Clear' }).last().click()
  await page.getByRole('button', { name: 'one@example.com' }).click()
  const dialog = page.getByRole('dialog', { name: 'Email' })
  await dialog.getByText('The mail server could not be reached.').waitFor()
  await dialog.getByText('To send it, set a mail server first').waitFor()
  await dialog.getByText('Plain text').click()
  expect(await dialog.getByRole('link', { name: 'https://meydan.example/x' }).getAttribute('rel')).toBe('noreferrer')
  await expectAccessible(page)

  const address = smtp.server.address()
  const value = `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  expectStatus(await admin.put('/api/v1/options/mail.smtp_url', { value }), 200)
  onTestFinished(async () => {
    expectStatus(await admin.delete('/api/v1/options/mail.smtp_url'), 204)
  })
  await page.reload()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByText('Sent', { exact: true }).first().waitFor()
  await dialog.getByText('The content is not stored').waitFor()
})
