import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../factories.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { newPage, PHONE } from './browser.ts'
import { blueskyAccount, dayIn, expectPageAccessible, main, newPost, pagePath, visit, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })
const bluesky = await blueskyServer()
afterAll(bluesky.close)
await signedIn(t, { instanceAdmin: true })

/** A workspace with a healthy account, and one whose password was changed at the network, for which a post waits. */
async function withLostAccount() {
  const owner = await withWorkspace(t)
  const healthy = await playgroundAccount(owner)
  const lost = await blueskyAccount(owner, bluesky)
  const scheduled_at = `${dayIn('UTC', 1)}T09:00:00Z`
  const post = await newPost(owner, { content: 'Tomorrow', account_ids: [healthy, lost.id], scheduled_at })
  bluesky.changePassword(lost.handle)
  return { owner, lost, post }
}

const checked = async ({ owner, lost }: { owner: WorkspaceOwner; lost: { id: string } }) =>
  expectStatus(await owner.post(`/api/v1/accounts/${lost.id}/check`), 200)

describe('the health of accounts', () => {
  test('a check of all accounts finds the one that the network refuses, which is connected again from there', async () => {
    const { owner, lost } = await withLostAccount()
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/accounts'))
    await page.getByRole('link', { name: 'Account health' }).click()
    const table = page.getByRole('table', { name: 'Account health' })
    await expect.poll(() => table.getByText('OK', { exact: true }).count()).toBe(2)
    await page.getByRole('button', { name: 'Check all' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(/^2 accounts were checked .* 1 is disconnected\./).waitFor()
    const row = table.getByRole('row', { name: /^.*Sky/ })
    await row.getByText('The network refuses the credentials').waitFor()
    await row.getByRole('link', { name: '1 post' }).waitFor()
    await expectPageAccessible(page, 'account health')
    await row.getByRole('link', { name: 'Reconnect: Sky' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect Bluesky' })
    await expect.poll(() => dialog.getByLabel(/^Handle/).inputValue()).toBe(lost.handle)
  })

  test('scheduled posts that wait for a disconnected account are marked in lists and on their page, with a banner', async () => {
    const { owner, lost, post } = await withLostAccount()
    await checked({ owner, lost })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    await main(page)
      .getByRole('link', { name: /Tomorrow.*Account problem/ })
      .waitFor()
    await visit(page, pagePath(owner, '/calendar?view=week'))
    await visit(page, pagePath(owner, `/posts/${post.id}`))
    await page.getByText('One account cannot publish this post').waitFor()
    await page.getByText('The account is disconnected. Connect it again.').waitFor()
    await expectPageAccessible(page, 'post that waits')
    const banner = page.getByRole('region', { name: 'An account is disconnected.' })
    await banner.getByText('1 scheduled post waits for it').waitFor()
    await banner.getByRole('link', { name: 'Account health' }).click()
    await page.getByRole('heading', { name: 'Account health', level: 1 }).waitFor()
    await waitUntilGone(banner)
  })

  test('one account is checked from its card on a phone, in Turkish', async () => {
    const { owner } = await withLostAccount()
    await owner.patch('/api/v1/me', { locale: 'tr' })
    const page = await newPage(t, { as: owner, locale: 'tr', ...PHONE })
    await page.goto(pagePath(owner, '/accounts/health'))
    const card = page.getByRole('list', { name: 'Hesap sağlığı' }).getByRole('listitem', { name: 'Sky' })
    await card.getByText('Sorunsuz').waitFor()
    await card.getByRole('button', { name: 'Şimdi denetle: Sky' }).click()
    await card.getByText('Bağlantı koptu').waitFor()
    await card.getByText('Bluesky yanıtı: Invalid identifier or password').waitFor()
    await expectPageAccessible(page, 'account health on a phone')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })

  test('a viewer sees the state without actions, and a workspace without accounts is told what is shown there', async () => {
    const { owner, lost } = await withLostAccount()
    await checked({ owner, lost })
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const page = await newPage(t, { as: viewer })
    await page.goto(pagePath(viewer, '/accounts/health'))
    await page.getByRole('table').getByText('Disconnected').waitFor()
    expect(await main(page).getByRole('button').count()).toBe(0)
    const fresh = await withWorkspace(t)
    const other = await newPage(t, { as: fresh })
    await other.goto(pagePath(fresh, '/accounts/health'))
    await other.getByRole('heading', { name: 'No accounts connected' }).waitFor()
  })

  test('an error of Meydan is shown with a way to try again', async () => {
    const { owner } = await withLostAccount()
    const page = await newPage(t, { as: owner, allow: ['500'] })
    let isBroken = true
    await page.route('**/api/v1/accounts/health?*', (route) =>
      isBroken ? route.fulfill({ status: 500, json: {} }) : route.continue(),
    )
    await page.goto(pagePath(owner, '/accounts/health'))
    const again = main(page).getByRole('button', { name: 'Try again' })
    await again.waitFor()
    isBroken = false
    await again.click()
    await page.getByRole('table').waitFor()
  })
})
