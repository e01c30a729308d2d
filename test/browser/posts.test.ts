import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, memberOf, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { picture } from '../media.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { webSite } from '../web-site.ts'
import { newPage, openBrowser } from './browser.ts'
import { dayIn, expectPageAccessible, main, newPost, ownerIn, pagePath, readPost, waitUntilGone } from './pages.ts'

let t: TestApp
let browser: Browser
let bluesky: Awaited<ReturnType<typeof blueskyServer>>
beforeAll(async () => {
  t = await testApp({}, { live: true })
  browser = await openBrowser()
  bluesky = await blueskyServer()
})
afterAll(async () => {
  await browser?.close()
  bluesky?.close()
  await t?.close()
})

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await withWorkspace(t)
})

async function blueskyAccount(name = 'Sky') {
  const fields = { ...bluesky.addAccount(), service: bluesky.url }
  const { body } = expectStatus(await owner.post('/api/v1/accounts', { network: 'bluesky', name, ...fields }), 201)
  return { id: body.id as string, ...fields }
}

const textField = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const counters = (page: Page) => page.getByRole('group', { name: 'Characters left' })

test('a post whose response was lost is sent again without a duplicate', async () => {
  await playgroundAccount(owner)
  const page = await newPage(browser, t, { as: owner, allow: ['net::ERR_FAILED'] })
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

describe('posts that fail', () => {
  test('a failed post shows the account and the reason, is retried on demand, and appears as published without a reload', async () => {
    await playgroundAccount(owner)
    await blueskyAccount()
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/posts/new'))
    await page.getByRole('checkbox', { name: /^Playground/ }).check()
    await page.getByRole('checkbox', { name: /^Sky/ }).check()
    await textField(page).fill('Here and there')
    bluesky.failNext({ kind: 'answer', status: 400, error: 'InvalidRecord' })
    await page.getByRole('button', { name: 'Publish now' }).click()

    await main(page).getByText('Partially published').waitFor()
    await page.getByText('Could not be published to one account').waitFor()
    await page.getByText('InvalidRecord').waitFor()
    await page.getByText('Bluesky rejected this post.').waitFor()
    await page.getByRole('link', { name: 'View on Playground' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'View on Bluesky' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'View on Bluesky' }).waitFor()
    await waitUntilGone(main(page).getByText('Partially published'))
    await waitUntilGone(page.getByText('Could not be published'))
    await waitUntilGone(page.getByRole('button', { name: 'Try again' }))
    expect([...bluesky.records.values()].map(({ value }) => value.text)).toEqual(['Here and there'])
  })

  test('a post that failed because of its account links to reconnecting it, and is then published', async () => {
    const { id, handle, app_password } = await blueskyAccount()
    bluesky.changePassword(handle)
    const post = await newPost(owner, { content: 'Once more', account_ids: [id], publish_now: true })
    const page = await newPage(browser, t, { as: owner, allow: ['POST /api/v1/accounts'] })
    await page.goto(pagePath(owner, `/posts/${post.id}`))
    await main(page).getByText('Failed').first().waitFor()
    await page.getByText('Reconnect the account, then try again.').waitFor()

    await page.getByRole('link', { name: 'Overview' }).click()
    const attention = page.getByRole('region', { name: 'Needs your attention' })
    await attention.getByRole('link', { name: /Once more/ }).waitFor()
    await attention.getByRole('link', { name: 'Sky is disconnected and needs to be reconnected.' }).click()

    const card = page.getByRole('article', { name: 'Sky' })
    await card.getByText('Disconnected').waitFor()
    await card.getByRole('button', { name: 'Reconnect' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect Bluesky' })
    const guide = await dialog.getByRole('link', { name: 'How to connect Bluesky' }).getAttribute('href')
    expect((await page.request.get(guide ?? '')).status()).toBe(200)
    await dialog.getByLabel(/^Server/).fill(bluesky.url)
    await dialog.getByLabel(/^Handle/).fill(handle)
    await dialog.getByLabel(/^App password/).fill(app_password)
    await dialog.getByRole('button', { name: 'Connect' }).click()
    // The account has another password on the stand-in.
    await dialog.getByText(/(service|network) rejected|not accept|Invalid identifier/i).waitFor()
    await dialog.getByLabel(/^App password/).fill('another')
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await waitUntilGone(dialog)
    await card.getByText('Connected').waitFor()

    await page.goto(pagePath(owner, `/posts/${post.id}`))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'View on Bluesky' }).waitFor()
  })

  test('a post waits visibly while its network is unreachable, without asking for action', async () => {
    const { id } = await blueskyAccount()
    bluesky.failNext({ kind: 'answer', status: 429 })
    const post = await newPost(owner, { content: 'Later then', account_ids: [id], publish_now: true })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, `/posts/${post.id}`))
    await main(page).getByText('Pending').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    t.advance(20_000)
    await page.getByRole('link', { name: 'View on Bluesky' }).waitFor()
  })
})

describe('the post form', () => {
  test('the form counts characters per network, shows a preview, and takes another text for one account', async () => {
    await playgroundAccount(owner)
    await blueskyAccount()
    const page = await newPage(browser, t, { as: owner })
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
      '/image': { type: 'image/png', body: await picture(600, 300) },
    })
    await playgroundAccount(owner)
    await blueskyAccount()
    const page = await newPage(browser, t, { as: owner })
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
    const page = await newPage(browser, t, { as: owner, allow: ['POST /api/v1/posts'] })
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
    const page = await newPage(browser, t, { as: owner })
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
    const page = await newPage(browser, t, { as: owner })
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
    const page = await newPage(browser, t, { as: owner })
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
    const page = await newPage(browser, t, { as: owner, timezoneId: 'Asia/Tokyo' })
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
    const page = await newPage(browser, t, { as: owner })
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
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, `/posts/${post.id}/edit`))
    await textField(page).fill('Half a thought')
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

describe('existing posts', () => {
  test('a post is changed, duplicated and published at once', async () => {
    const account = await playgroundAccount(owner)
    const at = `${dayIn('UTC', 2)}T09:30:00.000Z`
    const post = await newPost(owner, { content: 'Tomorrow', account_ids: [account], scheduled_at: at })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, `/posts/${post.id}`))
    await page.getByRole('link', { name: 'Edit' }).click()
    await textField(page).fill('Tomorrow, more or less')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('region', { name: 'Text' }).getByText('Tomorrow, more or less').waitFor()
    expect(await readPost(owner, post)).toMatchObject({ status: 'scheduled', scheduled_at: at })

    await page.getByRole('button', { name: 'More actions for this post' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'New post' }).waitFor()
    expect(await textField(page).inputValue()).toBe('Tomorrow, more or less')
    expect(await page.getByRole('checkbox', { name: /^Playground/ }).isChecked()).toBe(true)

    await page.goto(pagePath(owner, `/posts/${post.id}`))
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('link', { name: 'View on Playground' }).waitFor()
    await waitUntilGone(page.getByRole('link', { name: 'Edit' }))
  })

  test('undoing the deletion of a post restores it with its time', async () => {
    const account = await playgroundAccount(owner)
    const at = new Date(t.clock.now().getTime() + 86_400_000).toISOString()
    const post = await newPost(owner, { content: 'Not forgotten', account_ids: [account], scheduled_at: at })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    await page.getByRole('link', { name: /Not forgotten/ }).waitFor()
    await page.getByRole('button', { name: 'More actions for this post' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await waitUntilGone(page.getByRole('link', { name: /Not forgotten/ }))
    await page.getByText('No posts yet').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Post restored.').waitFor()
    await page.getByRole('link', { name: /Not forgotten/ }).waitFor()
    expect(await readPost(owner, post)).toMatchObject({ status: 'scheduled', scheduled_at: at })
  })

  test('deleting a post on its own page leads to the list', async () => {
    const post = await newPost(owner, { content: 'Gone soon' })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, `/posts/${post.id}`))
    await page.getByRole('button', { name: 'More actions for this post' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Posts', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: /Gone soon/ }).waitFor()
  })
})

describe('the list of posts', () => {
  test('the list has its filters in the URL, searches texts, and reports that nothing matches', async () => {
    const account = await playgroundAccount(owner)
    await newPost(owner, { content: 'An apple', account_ids: [account], publish_now: true })
    await newPost(owner, { content: 'A pear' })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    const apple = page.getByRole('link', { name: /An apple/ })
    const pear = page.getByRole('link', { name: /A pear/ })
    await apple.getByText('Published').waitFor()
    await pear.waitFor()

    await page.getByRole('searchbox', { name: 'Search text' }).fill('PEAR')
    await waitUntilGone(apple)
    await page.waitForURL(/search=PEAR/)
    await page.reload()
    await pear.waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('PEAR')
    await expect.poll(() => apple.count()).toBe(0)

    await choose(page, 'Status', 'Published')
    await page.getByText('No matching posts').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await apple.waitFor()
    await pear.waitFor()
    expect(new URL(page.url()).search).toBe('')

    await choose(page, 'Account', /^Playground/)
    await waitUntilGone(pear)
    await page.waitForURL(/account=/)
    await apple.waitFor()
  })

  test('the list is filtered by author and by a label, typed or suggested', async () => {
    const colleague = await memberOf(t, owner.workspace_id, 'author')
    await newPost(owner, { content: 'An apple', labels: ['autumn'] })
    await newPost(owner, { content: 'A cherry', labels: ['spring'] })
    await newPost(colleague, { content: 'A pear', labels: ['autumn'] })
    expectStatus(await colleague.patch('/api/v1/me', { name: 'Grace' }), 200)
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    const post = (name: string) => page.getByRole('link', { name })
    const [apple, cherry, pear] = [post('An apple'), post('A cherry'), post('A pear')]
    await choose(page, 'Author', 'Grace')
    await waitUntilGone(apple)
    await pear.waitFor()
    await page.waitForURL(new RegExp(`author=${colleague.id}`))
    // Choosing it again clears the filter.
    await choose(page, 'Author', 'Grace')
    await cherry.waitFor()

    await choose(page, 'Label', 'autumn')
    await waitUntilGone(cherry)
    await apple.waitFor()
    await page.waitForURL(/label=autumn/)
    await page.reload()
    await pear.waitFor()
    const label = page.getByRole('combobox', { name: 'Label' })
    expect(await label.inputValue()).toBe('autumn')
    await label.fill('spring')
    await label.press('Enter')
    await cherry.waitFor()
    await expectPageAccessible(page, 'filters')
    await label.fill('winter')
    await label.press('Enter')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await pear.waitFor()
    expect(await label.inputValue()).toBe('')
  })

  test('the list shows the newest posts, and more on demand', async () => {
    for (let number = 1; number <= 27; number++) await newPost(owner, { content: `Post number ${number}` })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    await page.getByRole('link', { name: /Post number 27/ }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: /Post number/ }).count()).toBe(25)
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('link', { name: /Post number 1 / }).waitFor()
    await waitUntilGone(page.getByRole('button', { name: 'Show more' }))
    await expect.poll(() => page.getByRole('link', { name: /Post number/ }).count()).toBe(27)
  })

  test('the list shows posts that were written elsewhere without a reload', async () => {
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    await page.getByText('No posts yet').waitFor()
    await newPost(owner, { content: 'From the other side' })
    await page.getByRole('link', { name: /From the other side/ }).waitFor()
  })

  async function choose(page: Page, filter: string, option: string | RegExp) {
    await page.getByRole('search').getByLabel(filter, { exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
})
