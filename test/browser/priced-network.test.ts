import { afterAll, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../factories.ts'
import { connectByOAuth, setUpApp } from '../network-accounts.ts'
import { xServer } from '../stand-ins/x.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, pagePath, textField } from './pages.ts'

const server = await xServer()
afterAll(server.close)
const t = await testApp({ NETWORK_ORIGINS: `x=${server.url}` }, { live: true })
server.oauth.client.redirect_uri = `${t.url}/api/v1/accounts/oauth/callback`
await setUpApp(t, 'x', server.oauth)

test('the composer shows what a post costs at its networks, and nothing where none charges', async () => {
  const owner = await withWorkspace(t)
  await playgroundAccount(owner)
  await connectByOAuth(owner, 'x')
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts/new'))
  const account = page.getByRole('checkbox', { name: /^The ada/ })
  await account.check()
  await textField(page).fill('Fresh bread')
  await main(page).getByText('About $0.015 at X').waitFor()
  await main(page)
    .getByText(/^By the prices of .*2026\.$/)
    .waitFor()
  await textField(page).fill('Fresh bread at bakery.com')
  await main(page).getByText('About $0.20 at X').waitFor()
  await expectPageAccessible(page, 'composer with a price')
  await account.uncheck()
  await main(page).getByText('at X').waitFor({ state: 'detached' })

  expectStatus(await owner.patch('/api/v1/me', { locale: 'tr' }), 200)
  const turkish = await newPage(t, { as: owner, locale: 'tr' })
  await turkish.goto(pagePath(owner, '/posts/new'))
  await turkish.getByRole('checkbox', { name: /^The ada/ }).check()
  await main(turkish).getByText('X: yaklaşık $0,015').waitFor()
  expect(await main(turkish).getByRole('link', { name: 'Fiyat listesi' }).getAttribute('href')).toContain('https://')
})

test('an account is connected by the keys of an app of its own, beside the sign-in', async () => {
  const owner = await withWorkspace(t)
  const page = await newPage(t, { as: owner, allow: ['400 POST /api/v1/accounts'] })
  await page.goto(pagePath(owner, '/accounts'))
  await page.getByRole('button', { name: 'Use keys of an app of your own: X' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect X' })
  await dialog.getByLabel(/^API key/).fill(server.ownKeys.api_key)
  await dialog.getByLabel(/^API secret/).fill(server.ownKeys.api_secret)
  await dialog.getByLabel(/^Access token(?! secret)/).fill(server.ownKeys.access_token)
  const secret = dialog.getByLabel(/^Access token secret/)
  await secret.fill('SecretOfSomebodyElse')
  await expectPageAccessible(page, 'keys of a network')
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await dialog.getByText('X refused these keys: Unauthorized').waitFor()
  await secret.fill(server.ownKeys.access_token_secret)
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await main(page).getByRole('article', { name: 'The bruno' }).getByText('Connected').waitFor()
})
