import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, type Person, signedIn } from '../factories.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, main, waitUntilGone } from './pages.ts'

let t: TestApp
let admin: Person
beforeEach(async () => {
  t = await testApp({ MAIL_FROM: 'Meydan <post@meydan.example>' }, { live: true })
  onTestFinished(t.close)
  admin = await signedIn(t, { instanceAdmin: true, name: 'Ada' })
})

const option = (page: Page, name: string) => main(page).getByRole('listitem', { name, exact: true })
const read = async (key: string) => expectStatus(await admin.get(`/api/v1/options/${key}`), 200).body

test('an option is saved on its own after its hint was read, and reset', async () => {
  const page = await newPage(t, { as: admin, allow: ['400 PUT /api/v1/options/mail.from'] })
  await page.goto('/admin/options')
  const sender = option(page, 'Sender')
  await sender.getByText('From MAIL_FROM').waitFor()
  await expectPageAccessible(page, 'options')

  const signUp = option(page, 'Who can sign up')
  await signUp.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Invited people only' }).click()
  await signUp.getByText('Only invited people can create an account').waitFor()
  expect((await read('auth.sign_up')).value).toBe('open')
  const plans = option(page, 'Plans and limits')
  await plans.getByRole('switch').click()
  await plans.getByText('Every workspace is limited by its plan').waitFor()
  await expectPageAccessible(page, 'drafts')
  await plans.getByRole('button', { name: 'Discard' }).click()
  const provider = option(page, 'Default provider')
  await provider.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Mistral' }).click()
  await provider.getByText('Models of Mistral without a key of their own use the Mistral key').waitFor()
  await provider.getByRole('button', { name: 'Discard' }).click()
  await signUp.getByRole('button', { name: 'Save' }).click()
  await signUp.getByText('Set here').waitFor()
  expect((await read('auth.sign_up')).value).toBe('invitation')
  expect((await read('billing.enabled')).value).toBe(false)

  await sender.getByRole('textbox').fill('nobody')
  // A stray click does not discard unsaved changes.
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  await sender.getByRole('button', { name: 'Save' }).click()
  await sender.getByRole('textbox').and(page.locator('[aria-invalid=true]:focus')).fill('Agora <agora@example.com>')
  await sender.getByRole('button', { name: 'Save' }).click()
  await sender.getByText('Overrides MAIL_FROM').waitFor()
  await sender.getByRole('button', { name: 'Reset: Sender' }).click()
  const ask = page.getByRole('dialog', { name: 'Reset “Sender”?' })
  await ask.getByText('Meydan <post@meydan.example>').waitFor()
  await ask.getByRole('button', { name: 'Reset' }).click()
  await sender.getByText('From MAIL_FROM').waitFor()
  expect(await sender.getByRole('textbox').inputValue()).toBe('Meydan <post@meydan.example>')
})

test('a secret is set, replaced and removed without being shown, and a test mail uses it', async () => {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _, done) =>
      password === 'right-password' ? done(null, { user: 'post' }) : done(new Error('Wrong password')),
    onData: (stream, _, done) => {
      stream.on('data', (part) => mails.push(String(part))).on('end', () => done())
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const at = (password: string) => `smtp://post:${password}@127.0.0.1:${port}`
  try {
    const page = await newPage(t, { as: admin })
    await page.goto('/admin/options')
    const mail = option(page, 'Mail server')
    const send = async (said: string) => {
      await page.getByRole('button', { name: 'Send test email' }).click()
      const dialog = page.getByRole('dialog', { name: 'Send test email' })
      expect(await dialog.getByLabel(/^To/).inputValue()).toBe(admin.email)
      await dialog.getByRole('button', { name: 'Send' }).click()
      await dialog.getByText(said).waitFor()
      await page.keyboard.press('Escape')
      await waitUntilGone(dialog)
    }
    await send('No mail server is set')
    await mail.getByRole('button', { name: 'Set: Mail server' }).click()
    await mail.getByLabel('Mail server').and(page.locator(':focus')).fill(at('wrong-password'))
    await mail.getByRole('button', { name: 'Save' }).click()
    await mail.getByText('Set', { exact: true }).waitFor()
    await mail.getByRole('button', { name: 'Replace: Mail server' }).and(page.locator(':focus')).waitFor()
    await send('The email was not sent.')
    await mail.getByRole('button', { name: 'Replace: Mail server' }).click()
    await mail.getByLabel('Mail server').fill(at('right-password'))
    await page.keyboard.press('Enter')
    await mail.getByRole('button', { name: 'Replace: Mail server' }).waitFor()
    await send('The mail server accepted the email.')
    expect(mails.join('')).toContain(admin.email)
    expect(await page.content()).not.toContain('-password')
    await mail.getByRole('button', { name: 'Remove: Mail server' }).click()
    const ask = page.getByRole('dialog', { name: 'Remove “Mail server”?' })
    await ask.getByText('emails wait in the outbox').waitFor()
    await expectPageAccessible(page, 'remove')
    await ask.getByRole('button', { name: 'Remove' }).click()
    await mail.getByText('Not set').waitFor()
  } finally {
    server.close()
  }
})

test('every option fits a phone in Turkish', async () => {
  const page = await newPage(t, { as: admin, locale: 'tr', ...PHONE, viewport: { width: 375, height: 760 } })
  expectStatus(await admin.patch('/api/v1/me', { locale: 'tr' }), 200)
  await page.goto('/admin/options')
  await page.getByRole('button', { name: 'Ayarla: Mistral API anahtarı' }).click()
  await page.getByText('ancak yalnızca varsayılan sağlayıcı Mistral olduğunda kullanılır').waitFor()
  await expectPageAccessible(page, 'options, phone')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
})
