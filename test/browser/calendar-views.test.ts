import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { playgroundAccount, type WorkspaceOwner } from '../factories.ts'
import { uploaded } from '../media.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, newPost, ownerIn, pagePath, readPost, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })

let owner: WorkspaceOwner
let account: string
let name: string
beforeEach(async () => {
  name = `Square ${randomBytes(5).toString('hex')}`
  owner = await ownerIn(t, 'UTC', { workspace: name })
  account = await playgroundAccount(owner)
})

const now = new Date()
/** A day in the middle of next month, a Wednesday, so that its week is in that month. */
const middle = (() => {
  const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 11))
  date.setUTCDate(date.getUTCDate() + ((3 - date.getUTCDay() + 7) % 7))
  return date
})()
const day = (offset: number) => new Date(middle.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
const at = (offset: number, time: string) => `${day(offset)}T${time}:00.000Z`
const plan = (content: string, scheduled_at: string, more = {}) =>
  newPost(owner, { content, account_ids: [account], scheduled_at, ...more })
const link = (page: Page, content: string) => page.getByRole('link', { name: new RegExp(content) })
const cell = (page: Page, offset: number) =>
  page.getByRole('cell').filter({
    has: page.getByRole('button', {
      name: new RegExp(
        `${new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day(offset)))}`,
      ),
    }),
  })

test('cards show image, text, labels and state of a week, and are dragged to another day', async () => {
  const file = await uploaded(owner)
  const post = await plan('On a card', at(0, '09:30'), { media_ids: [file.id], labels: ['spring'] })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/calendar?view=cards&date=${day(0)}`))
  const card = link(page, 'On a card')
  await card.locator('img').waitFor()
  await card.getByText('spring').waitFor()
  await card.getByText('Scheduled').waitFor()
  await expectPageAccessible(page, 'cards of a week')

  await card.dragTo(cell(page, 1))
  await page.getByText(/^Rescheduled to /).waitFor()
  await link(page, 'On a card').and(cell(page, 1).getByRole('link')).waitFor()
  expect((await readPost(owner, post)).scheduled_at).toBe(at(1, '09:30'))
})

test('an idea is written beside the calendar and dragged onto a day, where the form opens with its time', async () => {
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/calendar?view=cards&date=${day(0)}`))
  await page.getByRole('button', { name: 'Ideas and drafts' }).click()
  const list = page.getByRole('region', { name: 'Ideas and drafts' })
  await list.getByRole('textbox', { name: 'Write an idea' }).fill('How we bake')
  await page.keyboard.press('Enter')
  await list.getByRole('button', { name: /^How we bake/ }).waitFor()
  await expectPageAccessible(page, 'ideas beside the calendar')
  await list.getByRole('button', { name: /^How we bake/ }).dragTo(cell(page, 0))
  await page.getByRole('checkbox', { name: /Playground/ }).check()
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await link(page, 'How we bake').waitFor()
  await waitUntilGone(list.getByRole('button', { name: /^How we bake/ }))
  const { body } = await owner.get('/api/v1/posts')
  expect(body.data).toMatchObject([{ is_idea: false, status: 'scheduled', scheduled_at: at(0, '09:00') }])
})

test('a draft is planned by keyboard: arrow keys choose the day, Enter opens the form', async () => {
  const draft = await newPost(owner, { content: 'A draft', account_ids: [account] })
  await newPost(owner, { content: 'Waits already', account_ids: [account], scheduled_at: at(1, '10:00') })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/calendar?view=cards&date=${day(0)}`))
  await page.getByRole('button', { name: 'Ideas and drafts' }).click()
  const list = page.getByRole('region', { name: 'Ideas and drafts' })
  await list.getByText('Drafts', { exact: true }).click()
  await list.getByRole('button', { name: /^A draft/ }).waitFor()
  expect(await list.getByRole('listitem').count()).toBe(1)
  const pick = list.getByRole('button', { name: 'Choose a day for “A draft”' })
  await pick.press('Enter')
  await page.getByText('Choose a time for “A draft”').waitFor()
  await page.keyboard.press('Escape')
  await pick.and(page.locator(':focus')).waitFor()
  await pick.press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await waitUntilGone(list.getByRole('button', { name: /^A draft/ }))
  const { scheduled_at } = await readPost(owner, draft)
  expect(scheduled_at?.slice(11)).toBe('09:00:00.000Z')
})

test('several posts are selected by mouse and keyboard, move together, and one undo moves them back', async () => {
  const one = await plan('First of two', at(0, '09:30'))
  const two = await plan('Second of two', at(1, '15:00'))
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/calendar?view=cards&date=${day(0)}`))
  await link(page, 'First of two').click({ modifiers: ['ControlOrMeta'] })
  await link(page, 'Second of two').press('Space')
  await page.getByText('2 posts selected').waitFor()
  await expectPageAccessible(page, 'posts selected on the calendar')
  await link(page, 'First of two').dragTo(cell(page, 2))
  await page.getByText('2 posts rescheduled.').waitFor()
  expect((await readPost(owner, one)).scheduled_at).toBe(at(2, '09:30'))
  expect((await readPost(owner, two)).scheduled_at).toBe(at(3, '15:00'))
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('2 posts restored.').waitFor()
  expect((await readPost(owner, one)).scheduled_at).toBe(at(0, '09:30'))
  expect((await readPost(owner, two)).scheduled_at).toBe(at(1, '15:00'))
})

test('two posts of the grid swap their times by mouse and by keyboard', async () => {
  const early = await plan('Early', at(0, '09:00'))
  const late = await plan('Late', at(1, '10:00'))
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/calendar?view=grid&account=${account}&date=${day(0)}`))
  await link(page, 'Early').dragTo(link(page, 'Late'))
  await page.getByText('The times of 2 posts are swapped.').waitFor()
  expect((await readPost(owner, early)).scheduled_at).toBe(late.scheduled_at)
  expect((await readPost(owner, late)).scheduled_at).toBe(early.scheduled_at)
  await link(page, 'Early').press('Shift+ArrowRight')
  await expect.poll(async () => (await readPost(owner, early)).scheduled_at).toBe(early.scheduled_at)
  await link(page, 'Early').and(page.locator(':focus')).waitFor()
})

test('the view, filters and colors that were chosen are there on the next visit', async () => {
  await plan('In spring', at(0, '09:00'), { labels: ['spring'] })
  await plan('In autumn', at(0, '10:00'), { labels: ['autumn'] })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/calendar?date=${day(0)}`))
  await link(page, 'In autumn').waitFor()
  await page.getByRole('button', { name: 'More tools' }).click()
  await page.getByRole('menuitemradio', { name: 'Label' }).click()
  await expect
    .poll(() => page.getByRole('list', { name: 'Meaning of the colors' }).getByRole('listitem').allTextContents())
    .toEqual(['autumn', 'spring'])
  await page.getByRole('combobox', { name: 'Label' }).click()
  await page.getByRole('option', { name: 'spring' }).click()
  await waitUntilGone(link(page, 'In autumn'))

  await page.getByRole('link', { name: 'Media', exact: true }).first().click()
  // Until then the calendar is still the page, to which its address leads as it is shown.
  await page.getByRole('heading', { name: 'Media', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Calendar', exact: true }).first().click()
  await page.waitForURL(/calendar\?.*label=spring/)
  expect(new URL(page.url()).searchParams.get('color')).toBe('label')
  expect(new URL(page.url()).searchParams.get('date')).toBeNull()
})

test('the grid shows the posts of an account, the latest first', async () => {
  const file = await uploaded(owner)
  await plan('First of all', at(-2, '09:00'), { media_ids: [file.id] })
  await plan('Last of all', at(2, '09:00'))
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/calendar?view=grid&date=${day(0)}`))
  const grid = page.getByRole('region', { name: /^Posts of / })
  await grid.getByRole('link').first().waitFor()
  const texts = await grid.getByRole('link').allTextContents()
  expect(texts.map((text) => /First|Last/.exec(text)?.[0])).toEqual(['Last', 'First'])
  expect(await grid.locator('img[src*="/thumbnail"]').count()).toBe(1)
  await expectPageAccessible(page, 'grid of an account')
})

test('on paper, a month shows every post and no buttons, on sheets in landscape only', async () => {
  for (let minute = 10; minute < 16; minute++) await plan(`Number ${minute}`, at(0, `09:${minute}`))
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/calendar?date=${day(0)}`))
  await expect.poll(() => link(page, 'Number').count()).toBe(3)
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => link(page, 'Number').count()).toBe(6)
  await expect.poll(() => page.getByRole('button', { name: 'Print' }).count()).toBe(0)
  await page.getByRole('main').getByText(`${name} · UTC`).waitFor()
  const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/MediaBox \[[^\]]*\]/g)
  expect(new Set(sheets)).toEqual(new Set(['/MediaBox [0 0 792 612]']))
})
