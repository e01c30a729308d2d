import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner } from '../factories.ts'
import { accountWithTimes, daily } from '../queue.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import { dayIn, expectPageAccessible, ownerIn, pagePath, textField, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await ownerIn(t, 'UTC')
})

type Post = { id: string; scheduled_at: string; labels: string[]; targets: { account_id: string }[] }
const scheduled = async (): Promise<Post[]> =>
  expectStatus(await owner.get('/api/v1/posts?status=scheduled&limit=100'), 200).body.data
const panel = (page: Page) => page.getByRole('dialog', { name: /^(New|Edit) post$/ })
const search = (page: Page) => new URL(page.url()).searchParams
const hasFocus = async (element: Locator) => (await element.and(element.page().locator(':focus')).count()) === 1

describe('the panel over the calendar', () => {
  test('ten posts for three accounts are planned with 15 clicks, each on the next day, and appear on the calendar', async () => {
    const accounts = [await playgroundAccount(owner), await playgroundAccount(owner), await playgroundAccount(owner)]
    const day = `${dayIn('UTC', 31).slice(0, 7)}-02`
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?date=${day}`))
    let clicks = 0
    const click = async (locator: Locator, options = {}) => {
      clicks++
      await locator.click(options)
    }
    await click(page.getByRole('button', { name: /^New post, / }).first(), { position: { x: 40, y: 50 } })
    await textField(page).waitFor()
    for (const index of [2, 1, 0]) await click(panel(page).locator('form label').nth(index))
    await click(panel(page).getByLabel(/^Labels/))
    await page.keyboard.type('spring')
    await page.keyboard.press('Enter')
    for (let number = 1; number <= 10; number++) {
      await textField(page).fill(`Post ${number}`)
      await click(panel(page).getByRole('button', { name: 'Schedule and write another' }))
      await until(async () => expect(await textField(page).inputValue()).toBe(''))
      await page.getByRole('link', { name: new RegExp(`Post ${number}\\b`) }).waitFor()
    }
    expect(clicks).toBe(15)
    const posts = (await scheduled()).toSorted((a, b) => a.scheduled_at.localeCompare(b.scheduled_at))
    const first = Date.parse(posts[0]?.scheduled_at ?? '')
    expect(posts.map(({ scheduled_at }) => (Date.parse(scheduled_at) - first) / 86_400_000)).toEqual(
      Array.from({ length: 10 }, (_, index) => index),
    )
    for (const { targets, labels } of posts) {
      expect(targets.map(({ account_id }) => account_id).toSorted()).toEqual(accounts.toSorted())
      expect(labels).toEqual(['spring'])
    }
  })

  test('a text stays in the panel when it becomes a draft', async () => {
    await playgroundAccount(owner)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/calendar'))
    await page
      .getByRole('button', { name: /^New post, / })
      .first()
      .click({ position: { x: 40, y: 50 } })
    await textField(page).fill('Fresh simit')
    await panel(page).getByText('Saved as a draft').waitFor()
    await until(() => expect(search(page).get('compose')).toMatch(/^[0-9a-f-]{36}$/))
    await textField(page).press('Control+End')
    await page.keyboard.type(' today')
    expect(await textField(page).inputValue()).toBe('Fresh simit today')
  })

  test('after a post at a posting time, the next one gets the next free posting time', async () => {
    const account = await accountWithTimes(owner, { timezone: 'UTC', times: daily('09:00', '18:30') })
    const day = dayIn('UTC', 3)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/calendar?compose=new&at=${day}%2009:00:00`))
    await textField(page).fill('In the morning')
    await panel(page)
      .getByRole('button', { name: /^When: .*9:00/ })
      .waitFor()
    await page.keyboard.press('Control+Alt+Enter')
    await until(async () => expect(await textField(page).inputValue()).toBe(''))
    await textField(page).fill('In the evening')
    await page.keyboard.press('Control+Enter')
    await waitUntilGone(panel(page))
    expect((await scheduled()).map(({ scheduled_at }) => scheduled_at).toSorted()).toEqual([
      `${day}T09:00:00.000Z`,
      `${day}T18:30:00.000Z`,
    ])
    expect((await scheduled()).flatMap(({ targets }) => targets.map(({ account_id }) => account_id))).toEqual([
      account,
      account,
    ])
  })

  test('C opens it over the calendar, a click on a day chooses the time, and Escape leads back with the draft saved', async () => {
    await playgroundAccount(owner)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/accounts'))
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    await page.keyboard.press('c')
    await textField(page).fill('Planned by hand')
    await until(() => expect(search(page).get('compose')).toMatch(/^[0-9a-f-]{36}$/))
    await page.getByRole('button', { name: 'Next month' }).click()
    await page
      .getByRole('button', { name: /^New post, / })
      .nth(9)
      .click({ position: { x: 30, y: 50 } })
    await until(() => expect(search(page).get('at')).toMatch(/ 09:00:00$/))
    const draft = search(page).get('compose')
    await page.reload()
    await panel(page).getByRole('heading', { name: 'Edit post' }).waitFor()
    await until(async () => expect(await textField(page).inputValue()).toBe('Planned by hand'))
    expect(await panel(page).getByRole('radio', { name: 'Later' }).isChecked()).toBe(true)

    await textField(page).fill('Planned by hand, and changed')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    expect(expectStatus(await owner.get(`/api/v1/posts/${draft}`), 200).body).toMatchObject({
      status: 'draft',
      content: 'Planned by hand, and changed',
    })
  })

  test('the focus returns to the button that opened it, and accounts and the way of publishing are remembered', async () => {
    await playgroundAccount(owner)
    const page = await newPage(t, { as: owner })
    const { slug } = expectStatus(await owner.get('/api/v1/workspace'), 200).body
    await page.goto(`/w/${slug}/calendar`)
    const open = page.getByRole('button', { name: 'New post', exact: true })
    await open.focus()
    await page.keyboard.press('Enter')
    await textField(page).fill('Idea')
    await panel(page).getByRole('radio', { name: 'Save as draft' }).locator('xpath=following-sibling::label').click()
    await page.keyboard.press('Control+Enter')
    await waitUntilGone(panel(page))
    await until(async () => expect(await hasFocus(open)).toBe(true))
    await page.keyboard.press('Enter')
    await textField(page).waitFor()
    expect(await panel(page).getByRole('radio', { name: 'Save as draft' }).isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await waitUntilGone(panel(page))
    expect(search(page).has('compose')).toBe(false)
  })

  test('it has no serious axe finding, covers a phone without sideways scrolling, and speaks Turkish', async () => {
    await playgroundAccount(owner)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/calendar?compose=new'))
    await textField(page).waitFor()
    await expectPageAccessible(page, 'calendar with panel')
    expectStatus(await owner.patch('/api/v1/me', { locale: 'tr' }), 200)
    const phone = await newPage(t, { as: owner, ...PHONE, viewport: { width: 360, height: 800 } })
    await phone.goto(pagePath(owner, '/calendar'))
    await phone.getByRole('button', { name: 'Yaz', exact: true }).click()
    await phone.getByRole('dialog', { name: 'Yeni gönderi' }).getByRole('textbox', { name: 'Metin' }).waitFor()
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await expectPageAccessible(phone, 'panel, narrow')
  })
})
