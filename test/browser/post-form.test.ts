import type { Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { testImage } from '../media.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { webSite } from '../web-site.ts'
import { newPage } from './browser.ts'
import {
  blueskyAccount,
  dayIn,
  main,
  newPost,
  ownerIn,
  pagePath,
  readPost,
  showMorePages,
  textField,
  waitUntilGone,
} from './pages.ts'

const t = await testApp({}, { live: true })
const bluesky = await blueskyServer()
afterAll(bluesky.close)

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await withWorkspace(t)
})

const counters = (page: Page) => page.getByRole('group', { name: 'Characters left' })

test('a post whose response was lost is sent again without a duplicate', async () => {
  await playgroundAccount(owner)
  const page = await newPage(t, { as: owner, allow: ['net::ERR_FAILED'] })
  await page.goto(pagePath(owner, '/posts/new'))
  await page.route('**/api/v1/posts', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await textField(page).fill('Once and no more')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByRole('alert').getByText('Meydan is not responding.').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByRole('link', { name: 'View on Playground' }).waitFor()
  const { body } = expectStatus(await owner.get('/api/v1/posts'), 200)
  expect(body.data.map(({ content }: { content: string }) => content)).toEqual(['Once and no more'])
})

describe('the post form', () => {
  test('the form counts characters per network, shows a preview, and takes another text for one account', async () => {
    await playgroundAccount(owner)
    await blueskyAccount(owner, bluesky)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts/new'))
    await page.getByText('Select an account to see a preview.').waitFor()
    await textField(page).fill('👨‍👩‍👧‍👦🇹🇷')
    await counters(page).getByText('2 characters').waitFor()

    await page.getByRole('checkbox', { name: /^Sky/ }).check()
    await counters(page).getByText('Bluesky: 298 characters left').waitFor()
    await textField(page).fill(`${'x'.repeat(299)}👨‍👩‍👧‍👦🇹🇷`)
    await counters(page).getByText('Bluesky: 1 character too long').waitFor()
    const sky = page.getByRole('article', { name: 'Sky' })
    expect(await sky.getByRole('deletion').textContent()).toBe('🇹🇷')

    await page.getByRole('checkbox', { name: /^Playground/ }).check()
    await counters(page)
      .getByText(/^Playground: .*left$/)
      .waitFor()
    await page.getByRole('tab', { name: 'Sky' }).click()
    await page.getByLabel('Text for Sky').fill('Short for the sky')
    await page.getByRole('tab', { name: 'All accounts' }).click()
    await textField(page).fill('Long for the square')
    await sky.getByText('Short for the sky').waitFor()
    await page.getByRole('article', { name: 'Playground' }).getByText('Long for the square').waitFor()

    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('link', { name: 'View on Bluesky' }).waitFor()
    await page.getByRole('link', { name: 'View on Playground' }).waitFor()
    expect([...bluesky.records.values()].at(-1)?.value.text).toBe('Short for the sky')
  })

  test('the preview shows the card of the first link, where the network does', async () => {
    const { url } = await webSite({
      '/': {
        type: 'text/html',
        body: '<title>Simit &amp; tea</title><meta name="description" content="Fresh from seven"><meta property="og:image" content="/image">',
      },
      '/image': { type: 'image/png', body: await testImage(600, 300) },
    })
    await playgroundAccount(owner)
    await blueskyAccount(owner, bluesky)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts/new'))
    await page.getByRole('checkbox', { name: /^Sky/ }).check()
    await page.getByRole('checkbox', { name: /^Playground/ }).check()
    await textField(page).fill(`Look: ${url}/.`)
    const sky = page.getByRole('article', { name: 'Sky' })
    await sky.getByText('Simit & tea').waitFor()
    await sky.getByText('Fresh from seven').waitFor()
    expect(await page.getByRole('article', { name: 'Playground' }).getByText('Simit & tea').count()).toBe(0)
    await textField(page).fill('No link')
    await sky.getByText('Simit & tea').waitFor({ state: 'detached' })
  })

  test('the form shows errors at the field, and keeps the input', async () => {
    await playgroundAccount(owner)
    const page = await newPage(t, { as: owner, allow: ['POST /api/v1/posts'] })
    await page.goto(pagePath(owner, '/posts/new'))
    // The only account is preselected.
    expect(await page.getByRole('checkbox', { name: /^Playground/ }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Playground requires a text.').waitFor()
    await page.getByRole('checkbox', { name: /^Playground/ }).uncheck()
    await textField(page).fill('To nobody')
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Choose at least one account.').waitFor()
    expect(await textField(page).inputValue()).toBe('To nobody')
  })

  test('a post is sent once, however often the shortcut is pressed', async () => {
    await playgroundAccount(owner)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts/new'))
    await textField(page).fill('Once')
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Control+Enter')
    await page.getByRole('link', { name: 'View on Playground' }).waitFor()
    expect(expectStatus(await owner.get('/api/v1/posts'), 200).body.data).toHaveLength(1)
    expect(expectStatus(await owner.get('/api/v1/playground'), 200).body.data).toHaveLength(1)
  })

  test('editing a post that is published meanwhile keeps the text as a new post', async () => {
    const id = await playgroundAccount(owner)
    const post = await newPost(owner, {
      content: 'Soon',
      account_ids: [id],
      scheduled_at: new Date(Date.now() + 3600_000),
    })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/posts/${post.id}/edit`))
    await textField(page).fill('Soon, with a second thought')
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/publish`), 200)
    await page.getByText('Publishing started while you were editing.').waitFor()
    expect(await textField(page).inputValue()).toBe('Soon, with a second thought')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.waitForURL(new RegExp(`/posts/(?!${post.id})[0-9a-f-]+$`))
    await main(page).getByRole('region', { name: 'Text' }).getByText('Soon, with a second thought').waitFor()
  })

  test('a draft is saved without an account, and the form lists what is missing', async () => {
    await playgroundAccount(owner)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts/new'))
    await page.getByRole('checkbox', { name: /^Playground/ }).uncheck()
    await page.getByText('Save as draft').click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Fix before scheduling').waitFor()
    await page.getByText('Choose at least one account.').waitFor()
    await page.getByText('No account selected.').waitFor()
  })

  test('a post is scheduled in the time zone of the workspace, whatever the zone of the browser', async () => {
    owner = await ownerIn(t, 'America/New_York')
    await playgroundAccount(owner)
    const day = dayIn('America/New_York', 3)
    const page = await newPage(t, { as: owner, timezoneId: 'Asia/Tokyo' })
    await page.goto(pagePath(owner, `/posts/new?at=${encodeURIComponent(`${day} 09:00:00`)}`))
    await textField(page).fill('Good morning')
    await page.getByLabel('Date and time in America/New_York').waitFor()
    await page.getByText(/^In your time zone:/).waitFor()
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.getByText(/\b0?9:00\b.*\(America\/New_York\)/).waitFor()
    const saved = await readPost(owner, { id: new URL(page.url()).pathname.split('/').pop() ?? '' })
    expect(saved.status).toBe('scheduled')
    const there = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'America/New_York',
      dateStyle: 'short',
      timeStyle: 'short',
    })
    expect(there.format(new Date(saved.scheduled_at ?? 0))).toBe(`${day.split('-').reverse().join('/')}, 09:00`)
  })

  test('the picker sets another time', async () => {
    owner = await ownerIn(t, 'UTC')
    await playgroundAccount(owner)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts/new'))
    await textField(page).fill('At ten past ten')
    await page.getByText('Later').click()
    await page.getByLabel('Date and time in UTC').click()
    const picker = page.getByRole('dialog', { name: 'Date and time in UTC' })
    await picker.getByRole('button', { name: 'Next' }).click()
    await picker.getByRole('button', { name: /^15 / }).click()
    await picker.getByRole('spinbutton', { name: 'Hours' }).fill('10')
    await picker.getByRole('spinbutton', { name: 'Minutes' }).fill('10')
    await picker.getByRole('button', { name: 'Set time' }).click()
    await waitUntilGone(picker)
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}$/)
    const saved = await readPost(owner, { id: new URL(page.url()).pathname.split('/').pop() ?? '' })
    expect(saved.scheduled_at).toMatch(/-15T\d\d:10:00/)
    const [hour] = /T(\d\d)/.exec(saved.scheduled_at ?? '')?.slice(1) ?? []
    expect(['10', '22']).toContain(hour)
  })

  test('the form asks before unsaved changes of a scheduled post are left, and continues to the chosen page', async () => {
    const account_ids = [await playgroundAccount(owner)]
    const post = await newPost(owner, { content: 'Whole', account_ids, scheduled_at: new Date(Date.now() + 3600_000) })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/posts/${post.id}/edit`))
    await textField(page).fill('Half a thought')
    await showMorePages(page)
    await page.getByRole('link', { name: 'Accounts' }).click()
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Stay on this page' })
      .click()
    expect(await textField(page).inputValue()).toBe('Half a thought')
    await page.getByRole('link', { name: 'Accounts' }).click()
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor()
    expect((await readPost(owner, post)).content).toBe('Whole')
  })
})
