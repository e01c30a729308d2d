import { afterAll, expect, test } from 'vitest'
import { findDueAccountMetrics } from '../../server/modules/accounts/metrics/read-metrics.ts'
import { findDuePostMetrics } from '../../server/modules/posts/metrics/read-metrics.ts'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner } from '../factories.ts'
import { mastodonServer } from '../stand-ins/mastodon.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, main, ownerIn, pagePath } from './pages.ts'

// Pages show times by the real clock.
const t = await testApp({}, { origin: new Date() })
const server = await mastodonServer()
afterAll(server.close)

async function connected(owner: WorkspaceOwner) {
  const fields = { network: 'mastodon', server: server.url, access_token: server.addAccount().token, name: 'Bakery' }
  return String(expectStatus(await owner.post('/api/v1/accounts', fields), 201).body.id)
}

/** Reads the numbers of all accounts and posts, as when each is due. */
async function readAll() {
  await t.deps.db
    .updateTable('post_metrics')
    .set({ due_at: new Date(0) })
    .execute()
  await t.deps.db
    .updateTable('account_metrics')
    .set({ due_at: new Date(0) })
    .execute()
  await findDuePostMetrics(t.deps)
  await findDueAccountMetrics(t.deps)
  await t.runJobs()
}

const followersBefore = (account_id: string, days: number) =>
  t.deps.db
    .insertInto('account_metrics_day')
    .values({
      account_id,
      day: new Date(Date.now() - days * 86_400_000),
      metrics: JSON.stringify({ followers: 1840 - days * 11 - (days % 3) * 7 }),
    })
    .execute()

test('a published post shows when its numbers are read, and then the numbers', async () => {
  const owner = await ownerIn(t, 'UTC')
  const account_ids = [await connected(owner), await playgroundAccount(owner)]
  const post = { content: 'Fresh simit from seven.', account_ids, publish_now: true }
  const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
  await t.runJobs()
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/posts/${body.id}`))
  const numbers = page.getByRole('region', { name: 'Metrics' })
  await numbers.getByText(/^The first reading follows in 1\d minutes\.$/).waitFor()
  await readAll()
  await page.reload()
  await numbers.getByText('Likes').waitFor()
  const terms = await numbers.getByRole('term').allTextContents()
  const values = await numbers.getByRole('definition').allTextContents()
  expect(terms.map((term, index) => `${term} ${values[index]}`)).toEqual([
    'Likes 212',
    'Comments 18',
    'Shares 31',
    'Quotes 4',
  ])
  await expectPageAccessible(page, 'post with numbers')
  expectStatus(await owner.patch('/api/v1/me', { locale: 'tr' }), 200)
  const phone = await newPage(t, { as: owner, ...PHONE, locale: 'tr' })
  await phone.goto(pagePath(owner, `/posts/${body.id}`))
  await phone.getByRole('region', { name: 'Metrikler' }).getByText('Beğeni').waitFor()
  expect(await phone.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

test('the page of an account shows its followers by day, as a line or a table, and the sums of its posts', async () => {
  const owner = await ownerIn(t, 'UTC')
  const account = await connected(owner)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/accounts'))
  await page.getByRole('link', { name: 'Metrics of Bakery' }).click()
  await main(page).getByText('The first reading follows soon.').waitFor()
  const post = { content: 'Tea and simit', account_ids: [account], publish_now: true }
  expectStatus(await owner.post('/api/v1/posts', post), 201)
  await t.runJobs()
  await page.reload()
  await main(page)
    .getByText(/^Not read yet\. The first metrics follow in 1\d minutes\.$/)
    .waitFor()
  await readAll()
  for (let days = 1; days < 30; days++) await followersBefore(account, days)
  await page.reload()
  await page.getByRole('img', { name: /^Followers from/ }).waitFor()
  await main(page).getByText('1 post, with its latest metrics').waitFor()
  await expectPageAccessible(page, 'numbers of an account')
  await page.getByRole('button', { name: 'Show as a table' }).click()
  expect(await page.getByRole('row').count()).toBe(31)
  await expectPageAccessible(page, 'numbers as a table')
  await page.getByText('7 days', { exact: true }).click()
  await expect.poll(() => page.getByRole('row').count()).toBe(8)
})

test('an account whose network reports nothing says so', async () => {
  const owner = await ownerIn(t, 'UTC')
  const account = await playgroundAccount(owner)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/accounts/${account}/metrics`))
  await main(page).getByText('This network reports no metrics.').waitFor()
  await expectPageAccessible(page, 'account without numbers')
})
