import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, signedIn, withWorkspace } from '../factories.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, newPost, pagePath, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })
await signedIn(t, { instanceAdmin: true })
const owner = await withWorkspace(t)

const focused = (page: Page, at: Locator) => at.and(page.locator(':focus')).waitFor()

describe('the command palette', () => {
  test('the palette lists pages before it searches, and finds Turkish names without their diacritics', async () => {
    const person = await withWorkspace(t)
    expectStatus(await person.post('/api/v1/workspaces', { name: 'İkinci Çalışma' }), 201)
    const page = await newPage(t, { as: person })
    await page.goto(pagePath(person))
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    await page.keyboard.press('Control+K')
    const palette = page.getByRole('dialog')
    await focused(page, palette.getByLabel('Search or jump to'))
    await page.keyboard.type('ikinci cal')
    await palette.getByText('İkinci Çalışma').waitFor()
    await palette.getByLabel('Search or jump to').fill('cal')
    await palette.getByText('Calendar').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/calendar/)
  })

  test('the palette is a combobox that announces its results, knows synonyms, and finds posts while typing', async () => {
    const post = await newPost(owner, { content: 'Kestane şekeri geldi' })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/members'))
    await page.getByText('You', { exact: true }).waitFor()
    await page.keyboard.press('Control+K')
    const field = page.getByRole('combobox', { name: 'Search or jump to' })
    const option = (name: string) => page.getByRole('option', { name, exact: true })
    const active = async () => page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`).textContent()
    await field.fill('team')
    await option('Members').waitFor()
    expect(await active()).toBe('Members')
    await page.keyboard.press('ArrowDown')
    await expect.poll(active).toMatch(/^Search posts for/)
    await page.keyboard.press('ArrowDown')
    await expect.poll(active).toBe('Members')
    await field.fill('docs')
    await option('API reference').waitFor()
    await field.fill('no such thing')
    await page.getByRole('status').getByText('1 result', { exact: true }).waitFor({ state: 'attached' })
    await field.fill('şekeri')
    const found = page.getByRole('option', { name: /^Kestane şekeri geldi/ })
    await found.waitFor()
    await expectPageAccessible(page, 'palette with a post')
    await found.click()
    await page.waitForURL(new RegExp(post.id))
  })

  test('a question mark lists the shortcuts of the page', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/members'))
    await page.getByText('You', { exact: true }).waitFor()
    await page.keyboard.press('Shift+?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('New post').waitFor()
    await list.getByText('Ctrl K').waitFor()
    await expectPageAccessible(page, 'shortcuts')
    await list.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck({ force: true })
    await expect.poll(() => list.getByText('New post').count()).toBe(0)
  })
})

describe('the focus', () => {
  test('the focus moves to the first field of a dialog, and to the first invalid one', async () => {
    const page = await newPage(t, { as: owner, allow: ['POST /api/v1/accounts'] })
    await page.goto(pagePath(owner, '/accounts'))
    await page.getByRole('button', { name: 'Connect with “App password” instead: Bluesky' }).click()
    const dialog = page.getByRole('dialog')
    await focused(page, dialog.getByLabel(/^Handle/))
    await dialog.getByLabel(/^Server/).focus()
    await page.keyboard.press('Enter')
    await focused(page, dialog.getByLabel(/^Handle/))
  })

  test('every dialog of the profile has the focus in its first field, where letters are no shortcuts', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto('/profile')
    const dialog = page.getByRole('dialog')
    for (const [button, field] of [
      ['Turn on', /^Password/],
      ['Change password', /^Current password/],
      ['Change email', /^New address/],
      ['Delete account', /^Password/],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click()
      await focused(page, dialog.getByLabel(field))
      await page.keyboard.type('Cc')
      expect(await dialog.getByLabel(field).inputValue()).toBe('Cc')
      await page.keyboard.press('Escape')
      await waitUntilGone(dialog)
    }
    expect(page.url()).toContain('/profile')
  })

  test('shortcuts do nothing while a dialog is open', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/tokens'))
    await page.getByRole('button', { name: 'New API token' }).click()
    const dialog = page.getByRole('dialog')
    await focused(page, dialog.getByLabel(/^Name/))
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('c')
    await dialog.waitFor()
    expect(page.url()).toContain('/tokens')
  })

  test('the focus returns to the page after its element was removed, and the dialog names what uses the account', async () => {
    const account = await playgroundAccount(owner)
    const at = new Date(Date.now() + 86_400_000).toISOString()
    await newPost(owner, { content: 'Waits', account_ids: [account], scheduled_at: at })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/accounts'))
    await page.getByRole('button', { name: /^More actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 scheduled post uses this account.').waitFor()
    await focused(page, dialog.getByRole('button', { name: 'Cancel' }))
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await waitUntilGone(dialog)
    await focused(page, main(page).getByRole('heading', { name: 'Connected accounts' }))
  })

  test('the focus moves to the next row when a row is removed', async () => {
    const here = { 'x-workspace-id': owner.workspace_id }
    for (const email of ['one@example.com', 'two@example.com'])
      expectStatus(
        await owner.post('/api/v1/workspace/invitations', { email, role: 'viewer', locale: 'en' }, here),
        201,
      )
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/members'))
    const rows = page.getByRole('list', { name: 'Invitations' }).getByRole('listitem')
    const [first, second] = [rows.nth(0), rows.nth(1)]
    const other = (await second.getAttribute('aria-label')) ?? ''
    await first.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await focused(page, rows.filter({ hasText: other }).getByRole('button'))
  })

  test('the focus moves to what replaces the button that opened a dialog', async () => {
    const person = await withWorkspace(t)
    await newPage(t, { as: person })
    const page = await newPage(t, { as: person })
    await page.goto('/profile/sessions')
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click()
    await focused(page, page.getByRole('heading', { level: 1 }))
  })

  test("the focus moves to the secret of a new webhook and then to the webhook's page, which shows no events yet", async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/webhooks/new'))
    await page.getByLabel(/^Endpoint URL/).fill(`${t.url}/hook`)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await focused(page, dialog.getByRole('button', { name: 'Copy', exact: true }))
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('No events yet').waitFor()
    await focused(page, main(page))
  })
})

test('the error of a field changes with the language', async () => {
  const page = await newPage(t, { allow: ['POST /api/auth/sign-up/email'] })
  await page.goto('/sign-up')
  await page.getByRole('button', { name: 'Continue' }).click()
  await focused(page, page.getByLabel(/^Your name/))
  await page.getByRole('button', { name: 'Türkçe' }).click()
  await page.getByRole('heading', { name: 'Hesap oluştur' }).waitFor()
  await expect.poll(() => page.getByText(/^This /).count()).toBe(0)
})

test('the step for the code stays after a reload', async () => {
  const page = await newPage(t)
  await page.goto('/sign-up')
  await page.getByLabel(/^Your name/).fill('Grace')
  await page.getByLabel(/^Email/).fill('grace@example.com')
  await page.getByLabel(/^Password/).fill('correct horse battery')
  await page.getByRole('button', { name: 'Continue' }).click()
  await focused(page, page.getByLabel('Digit 1 of 6'))
  await page.reload()
  await page.getByText('Enter the six-digit code for grace@example.com.').waitFor()
  await page.getByLabel(/^Password/).waitFor()
})

test('a reset link without a token is reported', async () => {
  const page = await newPage(t)
  await page.goto('/reset-password')
  await page.getByText('The link is incomplete').waitFor()
  await expect.poll(() => page.getByLabel(/^New password/).count()).toBe(0)
})
