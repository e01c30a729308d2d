import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, signedIn, withWorkspace } from '../factories.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, pagePath, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })
const bluesky = await blueskyServer()
afterAll(bluesky.close)
await signedIn(t, { instanceAdmin: true })

describe('the secret of a webhook', () => {
  test('the dialog with the secret closes only by its button, and the secret is selected when copying is not allowed', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(t, { as: owner })
    await page.clock.install()
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await page.goto(pagePath(owner, '/webhooks/new'))
    await page.getByLabel(/^Endpoint URL/).fill(`${bluesky.url}/hook`)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('dialog')
    const secret = dialog.getByText(/^whsec_/)
    await secret.waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await page.clock.runFor(1000)
    expect(await secret.isVisible()).toBe(true)
    await expect.poll(() => dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    await dialog.getByText('Text selected.').waitFor()
    expect(await page.evaluate('String(getSelection())')).toBe(await secret.textContent())
    await expectPageAccessible(page, 'secret')
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await waitUntilGone(dialog)
    await page.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/)
  })
})

describe('accounts that the network disconnected', () => {
  test('a disconnected account shows when it was checked, and is reconnected under its handle', async () => {
    const owner = await withWorkspace(t)
    const { handle, app_password } = bluesky.addAccount()
    const input = { network: 'bluesky', service: bluesky.url, handle, app_password }
    const { body } = expectStatus(await owner.post('/api/v1/accounts', input), 201)
    bluesky.changePassword(handle)
    await owner.post(`/api/v1/accounts/${body.id}/check`)
    const page = await newPage(t, { as: owner, locale: 'tr' })
    await owner.patch('/api/v1/me', { locale: 'tr' })
    await page.goto(pagePath(owner, '/accounts'))
    const card = page.getByRole('article', { name: handle })
    await card.getByText(/denetlendi/).waitFor()
    await expect.poll(() => card.locator('[lang=en]').count()).toBe(1)
    await card.getByRole('button', { name: 'Yeniden bağla' }).click()
    const field = page.getByRole('dialog').getByLabel(/^Kullanıcı adı/)
    expect(await field.inputValue()).toBe(handle)
    await page.reload()
    await field.waitFor()
    expect(await field.inputValue()).toBe(handle)
  })
})
