import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { failingNetwork, LIST, PREFERENCES } from '../../server/modules/notifications/notifications.fixture.ts'
import { approvalTeam } from '../../server/modules/posts/approval/approval.fixture.ts'
import { testApp } from '../app.ts'
import { expectStatus, type Person } from '../factories.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, main, visit } from './pages.ts'

const t = await testApp({}, { live: true })
const network = await failingNetwork(t)
afterAll(() => network.close())

const bell = (page: Page) =>
  page.getByRole('link', { name: /^(Notifications|Bildirimler)(:|$)/ }).filter({ visible: true })
const unreadOf = async (person: Person) =>
  (await person.get(`${LIST}?state=unread`)).body.data.map(({ kind }: { kind: string }) => kind)

test('the bell counts what is new without a reload, and the list leads to the post and marks it as read', async () => {
  const { editor, write } = await approvalTeam(t)
  const page = await newPage(t, { as: editor })
  await page.goto('/notifications')
  await main(page).getByText('No notifications').waitFor()
  await write({ content: 'Closed on Monday', scheduled_at: new Date(Date.now() + 86_400_000).toISOString() })
  await bell(page).and(page.getByLabel('Notifications: 1 unread')).waitFor()
  await main(page).getByRole('link', { name: '“Closed on Monday” waits for your approval.' }).click()
  await page.waitForURL(/\/posts\/[0-9a-f-]+$/)
  await until(async () => expect(await unreadOf(editor)).toEqual([]))
  await bell(page)
    .and(page.getByLabel('Notifications', { exact: true }))
    .waitFor()
})

test('a notification and all that are shown are marked as read with the keyboard', async () => {
  const { author, editor, write } = await approvalTeam(t)
  for (const content of ['One', 'Two', 'Three']) {
    const { id } = await write({ content })
    expectStatus(await editor.post(`/api/v1/posts/${id}/comments`, { body: 'Shorter' }), 201)
  }
  await until(async () => expect(await unreadOf(author)).toHaveLength(3))
  const page = await newPage(t, { as: author })
  await page.goto('/notifications?state=unread')
  await page.getByRole('button', { name: 'Mark as read: There is a new comment on “Two”.' }).press('Enter')
  await until(async () => expect(await unreadOf(author)).toHaveLength(2))
  await page.getByRole('button', { name: 'Mark all as read' }).press('Enter')
  await main(page).getByText('Everything is read').waitFor()
  expect(await unreadOf(author)).toEqual([])
})

test('posts that wait for approval are one entry, which leads to the review page, in both languages', async () => {
  const { editor, write } = await approvalTeam(t)
  for (const content of ['One', 'Two', 'Three'])
    await write({ content, scheduled_at: new Date(Date.now() + 86_400_000).toISOString() })
  const unread = async () => expectStatus(await editor.get('/api/v1/me/notifications?state=unread'), 200).body.data
  await until(async () => expect(await unread()).toMatchObject([{ subjects: 3 }]))
  const page = await newPage(t, { as: editor })
  await page.goto('/notifications')
  const entry = main(page).getByRole('link', { name: '“Three” and 2 other posts wait for your approval.' })
  await entry.click()
  await page.waitForURL(/\/review$/)
  await until(async () => expect(await unreadOf(editor)).toEqual([]))
  expectStatus(await editor.patch('/api/v1/me', { locale: 'tr' }), 200)
  await page.goto('/notifications')
  await main(page).getByRole('link', { name: '“Three” ve 2 gönderi daha onayınızı bekliyor.' }).waitFor()
})

test('a list that cannot be loaded says so, and is loaded again', async () => {
  const { owner } = await network.team()
  const page = await newPage(t, { as: owner, allow: ['500 GET /api/v1/me/notifications'] })
  const refuse = (fails: boolean) =>
    page.route('**/api/v1/me/notifications?*', (route) => (fails ? route.fulfill({ status: 500 }) : route.continue()))
  await refuse(true)
  await page.goto('/notifications')
  await page.getByRole('alert').waitFor()
  await refuse(false)
  await page.getByRole('alert').getByRole('button').click()
  await main(page).getByText('No notifications').waitFor()
})

test('choices are stored at once, and times with a button', async () => {
  const { owner } = await network.team()
  const page = await newPage(t, { as: owner })
  await page.goto('/profile/notifications')
  const stored = async (kind: string) => {
    const { kinds, ...times } = (await owner.get(PREFERENCES)).body
    return { ...kinds.find((one: { kind: string }) => one.kind === kind), ...times }
  }
  await page.getByLabel('By email: A post waits for my approval').selectOption('Daily')
  await until(async () => expect(await stored('review.requested')).toMatchObject({ mail: 'digest', console: 'now' }))
  await page.getByLabel('In the console: A post is late').press('Space')
  await until(async () => expect(await stored('post.held')).toMatchObject({ mail: 'now', console: 'off' }))
  await page.getByLabel('Quiet hours').press('Space')
  await page.getByLabel('From').fill('21:30')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your notification settings are saved.').waitFor()
  expect(await stored('post.held')).toMatchObject({ quiet_from: '21:30', quiet_until: '07:00', digest_time: '08:30' })
})

test.each([
  ['on a screen', {}],
  ['on a phone', PHONE],
])('the pages are accessible in both languages, %s', async (_, options) => {
  const { owner, fail } = await network.team()
  for (const content of ['Fresh simit from seven in the morning.', 'Two']) await fail(content)
  for (const locale of ['en', 'tr']) {
    expectStatus(await owner.patch('/api/v1/me', { locale }), 200)
    const page = await newPage(t, { as: owner, ...options })
    await page.goto('/notifications')
    await main(page).getByRole('listitem').first().waitFor()
    await expectPageAccessible(page, `notifications, ${locale}`)
    await visit(page, '/profile/notifications')
    await main(page).getByRole('table').waitFor()
    await expectPageAccessible(page, `notification settings, ${locale}`)
  }
})
