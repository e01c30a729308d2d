import { onTestFinished, test } from 'vitest'
import { testApp } from '../app.ts'
import { withWorkspace } from '../factories.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, pagePath } from './pages.ts'

const t = await testApp({}, { live: true })

test('an editor signs in at Bluesky by a handle, again after it ended, and may use an app password instead', async () => {
  const bluesky = await blueskyServer()
  onTestFinished(bluesky.close)
  for (const key of ['bluesky.directory', 'bluesky.handles']) t.deps.config.NETWORK_ORIGINS[key] = bluesky.url
  const { handle } = bluesky.addAccount()
  bluesky.setProfile(handle, { displayName: 'Sky' })
  bluesky.signIn.named = bluesky.didOf(handle)
  const owner = await withWorkspace(t)
  const page = await newPage(t, { as: owner, allow: ['400 POST /api/v1/accounts/connections'] })
  await page.goto(pagePath(owner, '/accounts'))
  await page.getByRole('button', { name: 'Connect Bluesky' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Bluesky' })
  const field = dialog.getByRole('textbox', { name: 'Handle' })
  const go = dialog.getByRole('button', { name: 'Continue to the server' })
  await field.fill('two words')
  await go.click()
  await dialog.getByText('This is not a handle.').waitFor()
  await expectPageAccessible(page, 'handle of an account')
  await field.fill(`@${handle}`)
  await go.click()
  await page.getByText('1 account is connected.').waitFor()
  const card = main(page).getByRole('article', { name: 'Sky' })
  await card.getByText('Connected').waitFor()

  bluesky.endTokens()
  await card.getByRole('button', { name: 'More actions for Sky' }).click()
  await page.getByRole('menuitem', { name: 'Check connection' }).click()
  await card.getByText('Disconnected').waitFor()
  await card.getByRole('button', { name: 'Reconnect' }).click()
  await page.getByText('1 account is connected.').waitFor()
  await card.getByText('Connected').waitFor()

  await page.getByRole('button', { name: 'Connect with “App password” instead: Bluesky' }).click()
  await dialog.getByLabel(/^App password/).waitFor()
})
