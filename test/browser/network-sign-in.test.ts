import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { memberOf, type Person, signedIn, withWorkspace } from '../factories.ts'
import { setUpApp } from '../network-accounts.ts'
import { linkedinServer } from '../stand-ins/linkedin.ts'
import { mastodonServer } from '../stand-ins/mastodon.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, pagePath, visit } from './pages.ts'

const roles = ['Bakery', 'Mill'].map((name, index) => ({ id: `50${index}`, name, role: 'ADMINISTRATOR' }))

let server: Awaited<ReturnType<typeof linkedinServer>>
let t: TestApp
let admin: Person
beforeEach(async () => {
  server = await linkedinServer({ pages: { ada: roles } })
  onTestFinished(server.close)
  t = await testApp({ NETWORK_ORIGINS: `linkedin=${server.url}` }, { live: true })
  onTestFinished(t.close)
  server.oauth.client.redirect_uri = `${t.url}/api/v1/accounts/oauth/callback`
  admin = await signedIn(t, { instanceAdmin: true })
})

test('an instance admin sets up a network, and an editor chooses pages after signing in there', async () => {
  const { client_id, client_secret } = server.oauth.client
  const desk = await newPage(t, { as: admin, allow: ['400 PUT /api/v1/admin/network-apps/'] })
  await desk.goto(`${t.url}/admin/networks`)
  const card = desk.getByRole('region', { name: 'LinkedIn page' })
  await card.getByText('Requires an approval of the network').waitFor()
  await expectPageAccessible(desk, 'networks, none set up')
  await card.getByRole('button', { name: 'Set up' }).click()
  const dialog = desk.getByRole('dialog', { name: 'Set up LinkedIn page' })
  await dialog.getByText(server.oauth.client.redirect_uri).waitFor()
  await expectPageAccessible(desk, 'set-up of a network')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Client ID' }).getAttribute('aria-invalid')).toBe('true')
  await dialog.getByRole('textbox', { name: 'Client ID' }).fill(client_id)
  await dialog.getByLabel('Client secret').fill(client_secret)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Set up', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Test' }).click()
  await desk.getByText('LinkedIn page accepts this app.').waitFor()

  const owner = await withWorkspace(t)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/accounts'))
  await page.getByText('You sign in at LinkedIn page with the app of this instance').waitFor()
  await page.getByRole('button', { name: 'Connect LinkedIn page' }).click()
  const choice = page.getByRole('dialog', { name: 'Connect LinkedIn page' })
  await choice.getByText('Choose the accounts to connect').waitFor()
  await expectPageAccessible(page, 'choice of accounts')
  await choice.getByRole('checkbox', { name: /Mill/ }).click()
  await choice.getByRole('button', { name: 'Connect 1 account' }).click()
  await page.getByText('1 account is connected.').waitFor()
  await main(page).getByRole('article', { name: 'Mill' }).getByText('Connected').waitFor()
  expect(new URL(page.url()).search).toBe('')

  server.oauth.signInAs('ada', { denied: true })
  await page.getByRole('button', { name: 'Connect LinkedIn page' }).click()
  await choice.getByText('You canceled the sign-in at the network.').waitFor()
  await expectPageAccessible(page, 'sign-in that failed')

  await page.goto(`${t.url}/api/v1/accounts/oauth/callback?state=unknown`)
  await page.getByRole('heading', { name: 'This sign-in has ended' }).waitFor()
  await expectPageAccessible(page, 'sign-in that has ended')
})

test('an admin of a workspace sets up its own app, tests it, and deletes it', async () => {
  const owner = await withWorkspace(t)
  await setUpApp(t, 'linkedin_page', server.oauth)
  const { client_id, client_secret } = server.oauth.addClient()
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/network-apps'))
  const card = page.getByRole('region', { name: 'LinkedIn page' })
  await card.getByText('App of the instance').waitFor()
  await expectPageAccessible(page, 'network apps of a workspace')
  await card.getByRole('button', { name: 'Set up own app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up LinkedIn page' })
  await dialog.getByRole('textbox', { name: 'Client ID' }).fill(client_id)
  await dialog.getByLabel('Client secret').fill(client_secret)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Own app', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Test' }).click()
  await page.getByText('LinkedIn page accepts this app.').waitFor()

  server.oauth.signInAs('ada')
  await page.getByRole('link', { name: 'Accounts', exact: true }).click()
  await page.getByText('You sign in at LinkedIn page with the app of this workspace').waitFor()
  await page.getByRole('button', { name: 'Connect LinkedIn page' }).click()
  const choice = page.getByRole('dialog', { name: 'Connect LinkedIn page' })
  await choice.getByText('Sign-in with the app of this workspace').waitFor()
  await choice.getByRole('checkbox', { name: /Mill/ }).click()
  await choice.getByRole('button', { name: 'Connect 1 account' }).click()
  const account = main(page).getByRole('article', { name: 'Mill' })
  await account.getByText('Sign-in with the app of this workspace').waitFor()

  await visit(page, pagePath(owner, '/network-apps'))
  await card.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await card.getByText('App of the instance').waitFor()

  const editor = await newPage(t, { as: await memberOf(t, owner.workspace_id, 'editor') })
  await editor.goto(pagePath(owner, '/network-apps'))
  await main(editor).getByText('Only admins and owners can see this page.').waitFor()
  expect(await main(editor).getByRole('button', { name: 'Set up own app' }).count()).toBe(0)
})

test('an editor names the server of an account, signs in there, and reconnects it', async () => {
  const mastodon = await mastodonServer()
  onTestFinished(mastodon.close)
  const owner = await withWorkspace(t)
  const page = await newPage(t, { as: owner, allow: ['400 POST /api/v1/accounts/connections'] })
  await page.goto(pagePath(owner, '/accounts'))
  const connect = page.getByRole('button', { name: 'Connect Mastodon' })
  const dialog = page.getByRole('dialog', { name: 'Connect Mastodon' })
  await connect.click()
  const server = dialog.getByRole('textbox', { name: 'Server' })
  const go = dialog.getByRole('button', { name: 'Continue to the server' })
  await go.click()
  await expect.poll(() => server.getAttribute('aria-invalid')).toBe('true')
  await server.fill('10.0.0.1')
  await go.click()
  await dialog.getByText('This address is not on the public internet. Enter the name of a public server').waitFor()
  await expectPageAccessible(page, 'name of a server')
  await server.fill(`${mastodon.url}/@ada`)
  await go.click()
  await page.getByText('1 account is connected.').waitFor()
  const card = main(page).getByRole('article', { name: 'ada of mastodon' })
  await card.getByText('Connected').waitFor()

  mastodon.endTokens()
  await card.getByRole('button', { name: 'More actions for ada of mastodon' }).click()
  await page.getByRole('menuitem', { name: 'Check connection' }).click()
  await card.getByText('Disconnected').waitFor()
  await card.getByRole('button', { name: 'Reconnect' }).click()
  await page.getByText('1 account is connected.').waitFor()
  await card.getByText('Connected').waitFor()

  await page.getByRole('button', { name: 'Connect with “Access token” instead: Mastodon' }).click()
  await dialog.getByLabel(/^Access token/).waitFor()
})
