import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf, playgroundAccount, type WorkspaceOwner } from '../factories.ts'
import { uploaded } from '../media.ts'
import { until } from '../until.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, newPost, ownerIn, pagePath, readPost, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })

/** Far from both the browser's zone and the server's. */
const ZONE = 'America/New_York'
let owner: WorkspaceOwner
let account: string
beforeEach(async () => {
  owner = await ownerIn(t, ZONE)
  account = await playgroundAccount(owner)
})

/** Days of next month: in the future, and all in one month. */
const month = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, year: 'numeric', month: '2-digit' }).format(
  Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 15),
)
const day = (number: number) => `${month}-${String(number).padStart(2, '0')}`
const dayName = (date: string) =>
  new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(date))

/** Converts a time to the workspace's wall-clock time: YYYY-MM-DD HH:mm. */
const wallOf = (time: string | null) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'short' }).format(
    new Date(time ?? 0),
  )
/** Converts a wall-clock time of the workspace to a time, except for hours that occur twice. */
const at = (wall: string) => {
  const guess = new Date(`${wall.replace(' ', 'T')}:00Z`)
  const off = guess.getTime() - new Date(`${wallOf(guess.toISOString()).replace(' ', 'T')}:00Z`).getTime()
  return new Date(guess.getTime() + off).toISOString()
}

const plan = (content: string, wall: string) =>
  newPost(owner, { content, account_ids: [account], scheduled_at: at(wall) })
const savedAt = async (post: { id: string }) => wallOf((await readPost(owner, post)).scheduled_at)

const chip = (place: Page | Locator, content: string) => place.getByRole('link', { name: new RegExp(content) })
async function openTool(page: Page, name: string) {
  await page.getByRole('button', { name: 'More tools' }).click()
  await page.getByRole('menuitem', { name }).click()
}
const dayCell = (page: Page, date: string) =>
  page.getByRole('cell').filter({ has: page.getByRole('button', { name: dayName(date), exact: true }) })
/** The cell of an hour in the current week or day. */
const hourCell = (page: Page, hour: string, column = 0) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: hour, exact: true }) })
    .getByRole('cell')
    .nth(column)

/** Presses Tab until `wanted` has the focus. */
async function tabTo(page: Page, wanted: Locator) {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    if (await hasFocus(wanted)) return
  }
  throw new Error('40 times Tab do not lead there')
}
const hasFocus = async (element: Locator) => (await element.and(element.page().locator(':focus')).count()) === 1

describe('scheduled posts on the calendar', () => {
  test('a post is dragged to another day at the same hour, and undo moves it back', async () => {
    const post = await plan('Drag me', `${day(10)} 09:30`)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?date=${day(10)}`))
    await chip(dayCell(page, day(10)), 'Drag me').dragTo(dayCell(page, day(13)))
    await chip(dayCell(page, day(13)), 'Drag me').waitFor()
    await page.getByText(/^Rescheduled to /).waitFor()
    expect(await savedAt(post)).toBe(`${day(13)} 09:30`)

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(/^Moved back to /).waitFor()
    await chip(dayCell(page, day(10)), 'Drag me').waitFor()
    expect(await savedAt(post)).toBe(`${day(10)} 09:30`)
  })

  test('a post is dragged to another day and hour in the week view', async () => {
    const post = await plan('Earlier please', `${day(10)} 10:15`)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?view=week&date=${day(10)}`))
    const moved = chip(page, 'Earlier please')
    await moved.waitFor()
    // Weeks start on Sunday here.
    const column = new Date(day(10)).getUTCDay()
    const other = column < 6 ? column + 1 : column - 1
    await moved.dragTo(hourCell(page, '08:00 AM', other))
    await page.getByText(/^Rescheduled to /).waitFor()
    await chip(hourCell(page, '08:00 AM', other), 'Earlier please').waitFor()
    expect(await savedAt(post)).toBe(`${day(10 + other - column)} 08:15`)
  })

  test('a post is moved with the keyboard, keeps the focus, and is saved once at its final time', async () => {
    const post = await plan('Push me', `${day(10)} 09:30`)
    const page = await newPage(t, { as: owner })
    const changes: string[] = []
    page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()))
    await page.goto(pagePath(owner, `/calendar?date=${day(10)}`))
    const pushed = chip(page, 'Push me')
    await pushed.waitFor()
    await tabTo(page, pushed)
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowDown')
    await chip(dayCell(page, day(19)), 'Push me').waitFor()
    await page.getByText(/^Rescheduled to /).waitFor()
    expect(await savedAt(post)).toBe(`${day(19)} 09:30`)
    expect(changes).toHaveLength(1)
    expect(await hasFocus(pushed)).toBe(true)

    await page.keyboard.press('Shift+ArrowLeft')
    await vi.waitFor(async () => expect(await savedAt(post)).toBe(`${day(18)} 09:30`), 5000)
    expect(await hasFocus(pushed)).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/posts/${post.id}$`))
  })

  test('a post stays visible and focused when it is moved to a day that shows only some of its posts', async () => {
    for (const hour of ['05', '06', '07', '08']) await plan(`Earlier ${hour}`, `${day(11)} ${hour}:00`)
    const post = await plan('Push me', `${day(10)} 09:30`)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?date=${day(10)}`))
    const pushed = chip(page, 'Push me')
    await pushed.waitFor()
    await pushed.focus()
    await page.keyboard.press('Shift+ArrowRight')
    await chip(dayCell(page, day(11)), 'Push me').waitFor()
    expect(await hasFocus(pushed)).toBe(true)
    await page.keyboard.press('Shift+ArrowRight')
    await vi.waitFor(async () => expect(await savedAt(post)).toBe(`${day(12)} 09:30`), 5000)
  })

  test('the last move of a post wins when an earlier response arrives late', async () => {
    const post = await plan('Drag me', `${day(10)} 09:30`)
    const page = await newPage(t, { as: owner })
    const held: (() => void)[] = []
    await page.route('**/api/v1/posts/*', async (route) => {
      if (route.request().method() === 'PATCH' && held.length === 0)
        await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await page.goto(pagePath(owner, `/calendar?date=${day(10)}`))
    const dragged = chip(page, 'Drag me')
    await dragged.dragTo(dayCell(page, day(11)), { targetPosition: { x: 60, y: 60 } })
    await chip(dayCell(page, day(11)), 'Drag me').dragTo(dayCell(page, day(13)), { targetPosition: { x: 60, y: 60 } })
    await chip(dayCell(page, day(13)), 'Drag me').waitFor()
    await until(() => expect(held).toHaveLength(1))
    held[0]?.()
    await page.getByText(/^Rescheduled to /).waitFor()
    expect(await savedAt(post)).toBe(`${day(13)} 09:30`)
    await chip(dayCell(page, day(13)), 'Drag me').waitFor()
  })

  test('a post is moved by hours with the keyboard in the day view, which follows it to another day', async () => {
    const post = await plan('Push me', `${day(10)} 09:30`)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?view=day&date=${day(10)}`))
    await chip(hourCell(page, '09:00 AM'), 'Push me').waitFor()
    await tabTo(page, chip(page, 'Push me'))
    await page.keyboard.press('Shift+ArrowDown')
    await chip(hourCell(page, '10:00 AM'), 'Push me').waitFor()
    await page.keyboard.press('Shift+ArrowRight')
    await page.waitForURL(new RegExp(`date=${day(11)}`))
    await chip(hourCell(page, '10:00 AM'), 'Push me').waitFor()
    await vi.waitFor(async () => expect(await savedAt(post)).toBe(`${day(11)} 10:30`), 5000)
    await until(async () => expect(await hasFocus(chip(page, 'Push me'))).toBe(true))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL(new RegExp(`date=${day(10)}`))
    await chip(hourCell(page, '09:00 AM'), 'Push me').waitFor()
  })

  test('a post that is moved into the past goes back visibly, with a message', async () => {
    const soon = wallOf(new Date(t.clock.now().getTime() + 600_000).toISOString())
    const post = await plan('Not yesterday', soon)
    const page = await newPage(t, { as: owner, allow: ['PATCH /api/v1/posts/'] })
    await page.goto(pagePath(owner, `/calendar?view=day&date=${soon.slice(0, 10)}`))
    const chipThere = chip(page.getByRole('table', { name: 'Day' }), 'Not yesterday')
    await chipThere.focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await page.getByText('The post was not moved').waitFor()
    await page.waitForURL(new RegExp(`date=${soon.slice(0, 10)}`))
    await chipThere.waitFor()
    expect(await savedAt(post)).toBe(soon)
  })

  test('posts that change elsewhere appear, move and disappear without a reload', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?date=${day(10)}`))
    await dayCell(page, day(10)).waitFor()
    const post = await plan('From elsewhere', `${day(10)} 23:30`)
    await chip(dayCell(page, day(10)), 'From elsewhere').waitFor()
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { scheduled_at: at(`${day(20)} 00:30`) }), 200)
    await chip(dayCell(page, day(20)), 'From elsewhere').waitFor()
    await expect.poll(() => chip(page, 'From elsewhere').count()).toBe(1)
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { scheduled_at: null }), 200)
    await waitUntilGone(chip(page, 'From elsewhere'))
  })
})

describe('the calendar', () => {
  test('view, day and account are in the URL, and survive a reload and going back', async () => {
    const { body: other } = expectStatus(
      await owner.post('/api/v1/accounts', { network: 'playground', name: 'Second' }),
      201,
    )
    await plan('On the first', `${day(10)} 09:00`)
    await newPost(owner, { content: 'On the second', account_ids: [other.id], scheduled_at: at(`${day(10)} 10:00`) })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?date=${day(10)}`))
    await chip(page, 'On the first').waitFor()
    await chip(page, 'On the second').waitFor()
    await page.getByText(`Times are in ${ZONE}.`).waitFor()

    await page.getByRole('combobox', { name: 'Account' }).click()
    await page.getByRole('option', { name: /^Second/ }).click()
    await waitUntilGone(chip(page, 'On the first'))
    await page.getByText('Week', { exact: true }).click()
    await page.waitForURL(/view=week/)
    await page.getByRole('button', { name: 'Next week' }).click()
    await waitUntilGone(chip(page, 'On the second'))
    await page.waitForURL(new RegExp(`date=${day(17)}`))
    await page.reload()
    await page.getByRole('table', { name: 'Week' }).waitFor()
    expect(new URL(page.url()).searchParams.get('account')).toBe(other.id)

    await page.goBack()
    await page.waitForURL(new RegExp(`date=${day(10)}`))
    await chip(page, 'On the second').waitFor()
    await expect.poll(() => chip(page, 'On the first').count()).toBe(0)
    await page.goBack()
    await page.getByRole('table', { name: 'Month' }).waitFor()
    await page.getByText('Day', { exact: true }).click()
    await page.getByRole('table', { name: 'Day' }).waitFor()
    await page.getByRole('button', { name: 'Today' }).click()
    await waitUntilGone(chip(page, 'On the second'))
  })

  test('posts that do not fit into the month are shown on the day', async () => {
    for (let minute = 10; minute < 16; minute++) await plan(`Number ${minute}`, `${day(10)} 09:${minute}`)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?date=${day(10)}`))
    await chip(page, 'Number 12').waitFor()
    await expect.poll(() => chip(page, 'Number').count()).toBe(3)
    await page.getByRole('button', { name: /^3 more/ }).click()
    await page.getByRole('table', { name: 'Day' }).waitFor()
    await chip(hourCell(page, '09:00 AM'), 'Number 15').waitFor()
    await expect.poll(() => chip(page, 'Number').count()).toBe(6)
  })

  test('a post shows its image, also after a change that the page learns of by itself', async () => {
    const [first, second] = [await uploaded(owner), await uploaded(owner)]
    const scheduled_at = at(`${day(12)} 09:00`)
    const { id } = await newPost(owner, {
      content: 'Pictured',
      account_ids: [account],
      media_ids: [first.id],
      scheduled_at,
    })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?date=${day(12)}`))
    const shown = (media: { id: string }) =>
      chip(dayCell(page, day(12)), 'Pictured').locator(`img[src="/api/v1/media/${media.id}/thumbnail"]`)
    await shown(first).waitFor()
    await expectPageAccessible(page, 'month with a picture')
    expectStatus(await owner.patch(`/api/v1/posts/${id}`, { media_ids: [second.id] }), 200)
    await shown(second).waitFor()
  })

  test('a click on free space starts a post at that time', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?view=day&date=${day(10)}`))
    await hourCell(page, '02:00 PM').click()
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('At two')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await chip(hourCell(page, '02:00 PM'), 'At two').click()
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}$/)
    expect(await savedAt({ id: new URL(page.url()).pathname.split('/').at(-1) ?? '' })).toBe(`${day(10)} 14:00`)
  })

  test('an invalid day in the URL shows today', async () => {
    await plan('Soon', wallOf(new Date(t.clock.now().getTime() + 120_000).toISOString()))
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/calendar?date=never&view=century'))
    await page.getByRole('table', { name: 'Month' }).waitFor()
    await chip(page, 'Soon').waitFor()
  })
})

describe('calendar feeds', () => {
  test('a member creates an address for another calendar, sees it once and deletes it', async () => {
    await plan('In my calendar', `${day(10)} 09:30`)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?date=${day(10)}`))
    await openTool(page, 'Show in another calendar')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Name/).fill('Mine')
    await expectPageAccessible(page, 'calendar feeds')
    await dialog.getByRole('button', { name: 'Create address' }).click()
    const url = new URL((await dialog.getByText(/posts\.ics\?key=/).textContent()) ?? '')
    const { body } = await t.anyone.get(url.pathname + url.search)
    expect(String(body)).toContain('SUMMARY:In my calendar')
    const open = dialog.getByRole('link', { name: 'Open in a calendar app' })
    expect(await open.getAttribute('href')).toBe(url.href.replace('http:', 'webcal:'))
    await page.keyboard.press('Escape')
    await waitUntilGone(dialog)
    await page.reload()
    await openTool(page, 'Show in another calendar')
    await dialog.getByRole('listitem').filter({ hasText: 'Mine' }).waitFor()
    expect(await dialog.getByText('key=').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Delete: Mine' }).click()
    await waitUntilGone(dialog.getByRole('listitem'))
    expect((await t.anyone.get(url.pathname + url.search)).status).toBe(404)
  })
})

describe('calendar notes', () => {
  test('an author adds a note to a day, changes and deletes it; a viewer reads it', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?date=${day(10)}`))
    await page.getByRole('button', { name: 'Add a note' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Text/).fill('Campaign begins')
    await expectPageAccessible(page, 'calendar note')
    await dialog.getByRole('button', { name: 'Save note' }).click()
    await waitUntilGone(dialog)
    const note = (date: string) => dayCell(page, date).getByRole('button', { name: /Campaign/ })
    await note(day(10)).click()
    await dialog.getByLabel(/^Day/).fill(day(12))
    await dialog.getByRole('button', { name: 'Save note' }).click()
    await note(day(12)).waitFor()
    expect(await note(day(10)).count()).toBe(0)
    await expectPageAccessible(page, 'month with a note')

    const viewer = await newPage(t, { as: await memberOf(t, owner.workspace_id, 'viewer') })
    await viewer.goto(pagePath(owner, `/calendar?view=week&date=${day(12)}`))
    const read = viewer.getByRole('columnheader').getByRole('button', { name: 'Campaign begins' })
    await read.waitFor()
    await read.click()
    const shown = viewer.getByRole('dialog')
    expect(await shown.getByLabel(/^Text/).isEditable()).toBe(false)
    expect(await shown.getByRole('button', { name: 'Save note' }).count()).toBe(0)
    expect(await viewer.getByRole('button', { name: 'Add a note' }).count()).toBe(0)

    await note(day(12)).click()
    await dialog.getByRole('button', { name: 'Delete note' }).click()
    await waitUntilGone(note(day(12)))
  })
})

describe('holidays', () => {
  test('are those of the country of the time zone, or of one that an admin chooses for everyone', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/calendar?date=2027-10-29'))
    await dayCell(page, '2027-10-11').getByText('Columbus Day').waitFor()
    const field = (of: Page) => of.getByRole('dialog').getByRole('combobox', { name: 'Public holidays' })
    const choose = async (name: string) => {
      await openTool(page, 'Choose holidays')
      await field(page).click()
      await page.getByRole('option', { name, exact: true }).click()
      await page.getByRole('button', { name: 'Save for everyone' }).click()
      await waitUntilGone(page.getByRole('dialog'))
    }
    await choose('Türkiye')
    await dayCell(page, '2027-10-29').getByText('Republic Day').waitFor()
    await expectPageAccessible(page, 'month with a holiday')

    const author = await newPage(t, { as: await memberOf(t, owner.workspace_id, 'author') })
    await author.goto(pagePath(owner, '/calendar?date=2027-10-29'))
    await dayCell(author, '2027-10-29').getByText('Republic Day').waitFor()
    await openTool(author, 'Holidays')
    await author.getByText('Only admins and owners can change this.').waitFor()
    expect(await field(author).inputValue()).toBe('Türkiye')

    await choose('No holidays')
    await waitUntilGone(page.getByText('Republic Day'))
    await choose('Country of the time zone (United States)')
    await dayCell(page, '2027-10-11').getByText('Columbus Day').waitFor()
  })
})
