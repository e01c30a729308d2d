import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner } from '../factories.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, newPost, ownerIn, pagePath, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })

let owner: WorkspaceOwner
let account: string
beforeEach(async () => {
  owner = await ownerIn(t, 'Europe/Berlin')
  account = await playgroundAccount(owner)
})

const inDays = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000)
const scheduled = (content: string, days: number) =>
  newPost(owner, { content, account_ids: [account], scheduled_at: inDays(days).toISOString() })
const draft = (content: string) => newPost(owner, { content })
const contents = async () =>
  expectStatus(await owner.get('/api/v1/posts'), 200).body.data.map(({ content }: { content: string }) => content)

const box = (page: Page, content: string) => page.getByRole('checkbox', { name: `Select: ${content}` })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected posts' })
const focusedBox = (page: Page) => bar(page).getByRole('checkbox').and(page.locator(':focus'))
const press = (page: Page, name: string) => bar(page).getByRole('button', { name }).click()
async function openList() {
  const page = await newPage(t, { as: owner, allow: ['PATCH /api/v1/posts', 'POST /api/v1/posts/reschedule'] })
  await page.goto(pagePath(owner, '/posts'))
  await bar(page).waitFor()
  return page
}

test('selected posts are deleted, and one undo restores all of them', async () => {
  for (const content of ['One', 'Two', 'Three', 'Four']) await draft(content)
  const page = await openList()
  expect(await focusedBox(page).count()).toBe(0)
  await box(page, 'One').check()
  await box(page, 'Three').click({ modifiers: ['Shift'] })
  await bar(page).getByText('3 posts selected').waitFor()
  await expectPageAccessible(page, 'posts selected')
  await press(page, 'Delete')
  await page.getByText('3 posts deleted.').waitFor()
  await waitUntilGone(box(page, 'Two'))
  expect(await contents()).toEqual(['Four'])
  // The button that had the focus is gone.
  await focusedBox(page).waitFor()

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('3 posts restored.').waitFor()
  await box(page, 'Two').waitFor()
  expect((await contents()).sort()).toEqual(['Four', 'One', 'Three', 'Two'])
})

test('a label is added to all shown posts with the keyboard', async () => {
  await draft('Plain')
  await newPost(owner, { content: 'With one', labels: ['spring'] })
  const page = await openList()
  await bar(page).getByRole('checkbox', { name: 'Select all shown posts' }).focus()
  await page.keyboard.press('Space')
  await bar(page).getByRole('button', { name: 'Add label' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add label' })
  await dialog.waitFor()
  await page.keyboard.type('summer')
  await page.keyboard.press('Enter')
  await page.getByText('Label added to 2 posts.').waitFor()
  await waitUntilGone(dialog)
  await expect.poll(() => main(page).getByRole('listitem').getByText('summer', { exact: true }).count()).toBe(2)
  const { body } = expectStatus(await owner.get('/api/v1/posts'), 200)
  expect(body.data.map(({ labels }: { labels: string[] }) => labels)).toEqual([['spring', 'summer'], ['summer']])
})

test('selected posts move together, or none: those that cannot are named, the others move on request', async () => {
  const soon = await scheduled('Soon', 2)
  const later = await scheduled('Later', 20)
  await draft('No time')
  const page = await openList()
  await bar(page).getByRole('checkbox', { name: 'Select all shown posts' }).check()
  await press(page, 'Reschedule')
  const dialog = page.getByRole('dialog', { name: 'Reschedule' })
  await dialog.getByText('1 selected post cannot be changed this way').waitFor()
  await dialog.getByLabel('Move by').fill('1')
  await dialog.getByText('Weeks').click()
  await dialog.getByText('Earlier').click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  const alert = bar(page).getByRole('alert')
  await alert.getByText('1 post could not be changed').waitFor()
  await alert.getByText('This time is in the past.').waitFor()
  const timeOf = async ({ id }: { id: string }) => (await owner.get(`/api/v1/posts/${id}`)).body.scheduled_at
  expect([await timeOf(soon), await timeOf(later)]).toEqual([soon.scheduled_at, later.scheduled_at])
  await alert.getByRole('button', { name: 'Move the other post' }).click()
  await page.getByText('1 post rescheduled.').waitFor()
  expect(await timeOf(soon)).toBe(soon.scheduled_at)
  const hour = (text: string | null) => new Date(text ?? '').toLocaleTimeString('en', { timeZone: 'Europe/Berlin' })
  expect(hour(await timeOf(later))).toBe(hour(later.scheduled_at))
  expect(Math.round((inDays(20).getTime() - Date.parse(await timeOf(later))) / 86_400_000)).toBe(7)

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('1 post restored.').waitFor()
  expect(await timeOf(later)).toBe(later.scheduled_at)
})

test('more than 50 posts move in steps, and one undo moves back those that nobody has changed', async () => {
  const times = Array.from({ length: 52 }, (_, n) => inDays(10 + n / 100).toISOString())
  const posts = []
  for (const [n, scheduled_at] of times.entries())
    posts.push(await newPost(owner, { content: `Post ${n}`, account_ids: [account], scheduled_at }))
  const page = await openList()
  const more = page.getByRole('button', { name: 'Show more' })
  const boxes = page.getByRole('checkbox', { name: /^Select: / })
  await boxes.first().waitFor()
  for (let shown = await boxes.count(); shown < posts.length; shown = await boxes.count()) {
    await more.click()
    await expect.poll(() => boxes.count()).toBeGreaterThan(shown)
  }
  await bar(page).getByRole('checkbox', { name: 'Select all shown posts' }).check()
  await bar(page).getByText('52 posts selected').waitFor()
  await press(page, 'Reschedule')
  const dialog = page.getByRole('dialog', { name: 'Reschedule' })
  await dialog.getByText('More than 50 posts move in steps of 50.').waitFor()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('52 posts rescheduled.').waitFor()
  const changed = posts.at(-1)
  if (!changed) throw new Error('No post was written')
  expectStatus(await owner.patch(`/api/v1/posts/${changed.id}`, { content: 'Changed since' }), 200)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('50 posts restored.').waitFor()
  await bar(page).getByRole('alert').getByText('1 post could not be changed').waitFor()
  await bar(page).getByRole('button', { name: 'Move the other post' }).click()
  await page.getByText('1 post restored.').waitFor()
  const { data } = expectStatus(await owner.get('/api/v1/posts?limit=100'), 200).body
  const timeOf = new Map(data.map((post: { id: string; scheduled_at: string }) => [post.id, post.scheduled_at]))
  expect(posts.filter(({ id, scheduled_at }) => timeOf.get(id) !== scheduled_at)).toEqual([changed])
})
