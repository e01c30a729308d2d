import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf, playgroundAccount, type WorkspaceOwner } from '../factories.ts'
import { accountWithTimes, addToQueue, daily, queuedPosts } from '../queue.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import { countActions, dayIn, expectPageAccessible, ownerIn, pagePath, textField, visit } from './pages.ts'

const t = await testApp({}, { live: true })

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await ownerIn(t, 'Europe/Istanbul')
})

const times = { timezone: 'Europe/Istanbul', times: daily('09:00', '13:00', '18:30') }
const queuePath = (account: string) => pagePath(owner, `/accounts/${account}/queue`)
type Entry = { time: string; post: { id: string; excerpt: string } | null }
const orderOf = async (account: string): Promise<string[]> => {
  const { data } = expectStatus(await owner.get(`/api/v1/accounts/${account}/queue`), 200).body
  return data.flatMap(({ post }: Entry) => post?.excerpt ?? [])
}

describe('composer', () => {
  test('ten posts for three accounts are planned with 14 clicks, each at its own time', async () => {
    const accounts = [
      await accountWithTimes(owner, times),
      await playgroundAccount(owner),
      await playgroundAccount(owner),
    ]
    const page = await newPage(t, { as: owner })
    const counts = await countActions(page)
    await page.goto(pagePath(owner, '/posts/new'))
    // Accounts are listed with the newest first; the queue uses the times of the one that is chosen first.
    for (const index of [2, 1, 0]) await page.getByRole('main').locator('form label').nth(index).click()
    await page.getByRole('radio', { name: 'Queue' }).locator('xpath=following-sibling::label').click()
    for (let number = 1; number <= 10; number++) {
      await page.getByText('Next free posting time:').waitFor()
      await textField(page).fill(`Post ${number}`)
      await page.getByRole('button', { name: 'Add to queue and write another' }).click()
      await until(async () => expect(await textField(page).inputValue()).toBe(''))
    }
    console.log(`Ten posts for three accounts: ${counts.clicks} clicks`)
    expect(counts).toMatchObject({ clicks: 14, keys: 0 })
    const { data } = expectStatus(await owner.get('/api/v1/posts?status=scheduled&limit=100'), 200).body
    expect(data.length).toBe(10)
    expect(new Set(data.map(({ scheduled_at }: { scheduled_at: string }) => scheduled_at)).size).toBe(10)
    for (const { targets } of data)
      expect(targets.map(({ account_id }: { account_id: string }) => account_id)).toEqual(accounts)
  })

  test('Ctrl+Shift+Enter adds a post to the queue, and the message names its time', async () => {
    const account = await accountWithTimes(owner, times)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts/new'))
    await textField(page).fill('By key')
    await page.keyboard.press('Control+Shift+Enter')
    await page.getByText('Added to the queue for').waitFor()
    expect(await orderOf(account)).toEqual(['By key'])
  })

  test('an account without posting times leads to their page', async () => {
    const account = await playgroundAccount(owner)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts/new'))
    await page.getByRole('radio', { name: 'Queue' }).locator('xpath=following-sibling::label').click()
    await page.getByRole('link', { name: 'Set posting times' }).click()
    await page.waitForURL(`**/accounts/${account}/queue`)
    await page.getByText('No posting times yet').waitFor()
  })
})

describe('the page of a queue', () => {
  test('a time is added to several days at once, and removed from one', async () => {
    const account = await playgroundAccount(owner)
    const page = await newPage(t, { as: owner })
    await page.goto(queuePath(account))
    await page.getByLabel('Time', { exact: true }).fill('10:15')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Remove Friday 10:15' }).click()
    await page.getByRole('button', { name: 'Save posting times' }).click()
    await page.getByText('Posting times saved.').waitFor()
    const { body } = await owner.get(`/api/v1/accounts/${account}/posting-times`)
    expect(body).toEqual({
      timezone: 'Europe/Istanbul',
      times: ['monday', 'tuesday', 'wednesday', 'thursday'].map((weekday) => ({ weekday, time: '10:15' })),
    })
    await page
      .getByRole('link', { name: /^Write a post for/ })
      .first()
      .waitFor()
  })

  test('posts are moved by the arrows with the keyboard, and by dragging', async () => {
    const { account } = await queuedPosts(owner, 3)
    const page = await newPage(t, { as: owner })
    await page.goto(queuePath(account))
    await page.getByRole('button', { name: 'Move up: Post 2' }).focus()
    await page.keyboard.press('Enter')
    await until(async () => expect(await orderOf(account)).toEqual(['Post 0', 'Post 2', 'Post 1']))
    await until(async () =>
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Move up: Post 2'),
    )
    await page.keyboard.press('Enter')
    await until(async () => expect(await orderOf(account)).toEqual(['Post 2', 'Post 0', 'Post 1']))
    const row = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    await row('Post 1').dragTo(row('Post 2'))
    await until(async () => expect(await orderOf(account)).toEqual(['Post 1', 'Post 2', 'Post 0']))
  })

  test('a free slot opens the composer at its time, for its account', async () => {
    await playgroundAccount(owner)
    const account = await accountWithTimes(owner, times)
    const page = await newPage(t, { as: owner })
    await page.goto(queuePath(account))
    await page
      .getByRole('link', { name: /^Write a post for/ })
      .nth(2)
      .click()
    await textField(page).fill('In the gap')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.getByText('Post scheduled.').waitFor()
    const { data } = expectStatus(await owner.get(`/api/v1/accounts/${account}/queue`), 200).body
    expect(data[2].post.excerpt).toBe('In the gap')
  })

  test('the queues of a group of accounts are shown in one list, a post of several once', async () => {
    const account_ids = [await accountWithTimes(owner, times), await accountWithTimes(owner, times)]
    const group = { name: 'Shops', account_ids }
    expectStatus(await owner.post('/api/v1/account-groups', group), 201)
    expectStatus(await owner.post('/api/v1/posts', { content: 'For both', account_ids, queue: 'next' }), 201)
    const page = await newPage(t, { as: owner })
    await page.goto(queuePath(account_ids[0] ?? ''))
    await page.getByRole('combobox', { name: 'Filter by account or group' }).click()
    await page.getByRole('option', { name: 'Shops' }).click()
    await page.getByRole('heading', { name: 'Queue of Shops' }).waitFor()
    const row = page.getByRole('listitem').filter({ hasText: 'For both' })
    await until(async () => expect(await row.count()).toBe(1))
    expect(await row.getByText(/\(.*\) and .*\(.*\)/).count()).toBe(1)
    expect(await page.getByRole('button', { name: /^Move up/ }).count()).toBe(0)
    await expectPageAccessible(page, 'queue of a group')
  })

  test('it has no serious axe finding in light and dark, wide, narrow and in Turkish, and viewers read it', async () => {
    const { account } = await queuedPosts(owner, 3)
    await addToQueue(owner, [account], {
      content: 'A long text that does not fit into one line of a narrow screen, and goes on and on',
    })
    const page = await newPage(t, { as: owner })
    await page.goto(queuePath(account))
    await page.getByText('Post 2').waitFor()
    await expectPageAccessible(page, 'queue')
    expectStatus(await owner.patch('/api/v1/me', { locale: 'tr' }), 200)
    const phone = await newPage(t, { as: owner, ...PHONE, viewport: { width: 360, height: 800 } })
    await phone.goto(queuePath(account))
    await phone.getByRole('heading', { name: 'Sıradaki gönderiler' }).waitFor()
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await expectPageAccessible(phone, 'queue, narrow')
    await visit(phone, pagePath(owner, '/posts/new'))
    await phone.getByRole('radio', { name: 'Kuyruk' }).locator('xpath=following-sibling::label').click()
    await phone.getByText('Sıradaki boş yayın saati:').waitFor()
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360)
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const reading = await newPage(t, { as: viewer })
    await reading.goto(queuePath(account))
    await reading.getByText('Post 2').waitFor()
    expect(await reading.getByRole('button', { name: /Move|Save|Add/ }).count()).toBe(0)
    expect(await reading.getByRole('link', { name: /^Write a post/ }).count()).toBe(0)
  })
})

describe('calendar', () => {
  test('free slots of the account are shown, and open the composer at their time', async () => {
    const account = await accountWithTimes(owner, times)
    expectStatus(await addToQueue(owner, [account]), 201)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/calendar'))
    const freeSlots = page.getByRole('button', { name: /^Free posting time/ })
    await freeSlots.nth(1).waitFor()
    await expectPageAccessible(page, 'calendar with free slots')
    await visit(page, pagePath(owner, `/calendar?view=week&date=${dayIn('UTC', 7)}`))
    await freeSlots.nth(1).waitFor()
    await expectPageAccessible(page, 'week with free slots')
    await freeSlots.last().click()
    await page.waitForURL(/compose=new&at=/)
    await textField(page).waitFor()
    expect(await page.locator(`input[type=checkbox][value="${account}"]`).isChecked()).toBe(true)
  })
})
