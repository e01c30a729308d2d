import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, PASSWORD, playgroundAccount, signedIn, withWorkspace } from '../factories.ts'
import { until } from '../until.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, newPost, pagePath, showMorePages, visit, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })
await signedIn(t, { instanceAdmin: true })
const owner = await withWorkspace(t)
await playgroundAccount(owner)

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
/** Fires the event of returning to the tab. */
const returnToTab = (page: Page) => page.evaluate("window.dispatchEvent(new Event('focus'))")
const signInElsewhere = (page: Page, { email }: { email: string }) =>
  page.context().request.post('/api/auth/sign-in/email', { data: { email, password: PASSWORD } })

describe('a session that ends while a page is open', () => {
  test('the input stays after the session ended, no further requests are sent, and signing in elsewhere continues', async () => {
    const page = await newPage(t, { as: owner, allow: ['401 '] })
    await page.clock.install()
    await page.goto(pagePath(owner, '/posts/new'))
    await text(page).fill('Do not lose me')
    await page.context().clearCookies()
    const over = page.getByRole('dialog', { name: 'Your session has ended' })
    await over.waitFor()
    await expectPageAccessible(page, 'signed out')
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.clock.runFor(60_000)
    expect(requests).toEqual([])
    await returnToTab(page)
    await until(() => expect(requests).toHaveLength(1))
    expect(await over.isVisible()).toBe(true)

    await signInElsewhere(page, owner)
    await returnToTab(page)
    await waitUntilGone(over)
    expect(await text(page).inputValue()).toBe('Do not lose me')
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('link', { name: 'View on Playground' }).waitFor()
  })

  test('another user who signs in sees nothing of the page', async () => {
    const other = await withWorkspace(t)
    const page = await newPage(t, { as: owner, allow: ['401 '] })
    await page.goto(pagePath(owner, '/accounts'))
    await heading(page, 'Accounts')
    await page.context().clearCookies()
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await signInElsewhere(page, other)
    await returnToTab(page)
    await heading(page, 'Page not found')
  })

  test('signing in again leads back to the page', async () => {
    const page = await newPage(t, { as: owner, allow: ['401 '] })
    await page.goto(pagePath(owner, '/posts?status=draft'))
    await heading(page, 'Posts')
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Go to the sign-in page' }).click()
    await page.getByLabel(/^Email/).fill(owner.email)
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'Posts')
    expect(new URL(page.url()).search).toBe('?status=draft')
  })
})

test('a banner is shown while Meydan does not respond, which is checked every few seconds', async () => {
  const page = await newPage(t, { as: owner, allow: ['net::ERR_FAILED', '502 '] })
  await page.goto(pagePath(owner, '/accounts'))
  await heading(page, 'Accounts')
  let probes = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/instance')) probes++
  })
  const banner = page.getByRole('status').getByText('Meydan is not responding.')
  await page.route('**/api/**', (route) => route.abort())
  await banner.waitFor()
  await expectPageAccessible(page, 'no response')
  await page.unrouteAll()
  await waitUntilGone(banner)
  await page.route('**/api/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
  await banner.waitFor()
  await page.unrouteAll()
  await waitUntilGone(banner)
  // A call that a newer one replaces is not an outage, which would be probed at once, without end.
  expect(probes).toBeLessThan(30)
})

describe('after an outage', () => {
  const alerts = (page: Page) => main(page).getByRole('alert')

  test('what could not be loaded is fetched again once Meydan responds, without a click', async () => {
    const page = await newPage(t, { as: owner, allow: ['net::ERR_FAILED'] })
    await page.goto(pagePath(owner, '/accounts'))
    await heading(page, 'Accounts')
    await page.route('**/api/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Members' }).click()
    await expect.poll(() => alerts(page).count()).toBe(2)
    await page.unrouteAll()
    await main(page).getByText('You', { exact: true }).waitFor()
    await expect.poll(() => alerts(page).count()).toBe(0)
  })

  test('a page whose code cannot be loaded says so in its place, and opens once Meydan responds', async () => {
    const page = await newPage(t, { as: owner, allow: ['net::ERR_FAILED', 'could not be loaded'] })
    await page.goto(pagePath(owner, '/accounts'))
    await heading(page, 'Accounts')
    await page.route(/\/(api|console)\//, (route) => route.abort())
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('heading', { name: 'Something went wrong' }).or(alerts(page)).first().waitFor()
    await page.getByRole('status').getByText('Meydan is not responding.').waitFor()
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Accounts' }).waitFor()
    await page.unrouteAll()
    await heading(page, 'Webhooks')
  })

  test('a page that could not be opened opens once Meydan is ready, also without a workspace', async () => {
    const person = await signedIn(t)
    const page = await newPage(t, { as: person, allow: ['503 ', 'Not ready.'] })
    const problem = { type: '', title: '', status: 503, detail: 'Not ready.', code: 'unavailable' }
    await page.route('**/api/**', (route) => route.fulfill({ status: 503, json: problem }))
    await page.goto('/profile/sessions')
    await page.getByRole('alert').getByText('Not ready.').waitFor()
    await page.unrouteAll()
    await page.getByText('This browser').waitFor()
  })
})

describe('keyboard and screen readers', () => {
  test('following a link moves the focus to the content and announces the title', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner))
    await heading(page, /^Hello/)
    await expect.poll(() => main(page).and(page.locator(':focus')).count()).toBe(0)
    await page.getByRole('link', { name: 'Posts', exact: true }).click()
    await page.locator('[aria-live]').getByText('Posts · Meydan').waitFor({ state: 'attached' })
    await expect.poll(() => main(page).and(page.locator(':focus')).count()).toBe(1)
    await page.getByLabel('Search text').fill('x')
    await page.waitForURL(/search=x/)
    await expect.poll(() => page.getByLabel('Search text').and(page.locator(':focus')).count()).toBe(1)
  })

  test('a page that is not found has one main landmark and a title', async () => {
    const page = await newPage(t, { as: owner, allow: ['404 ', '400 '] })
    await page.goto(pagePath(owner, '/posts/nothing'))
    await heading(page, 'Page not found')
    await expect.poll(() => main(page).count()).toBe(1)
    await until(async () => expect(await page.title()).toBe('Page not found · Meydan'))
  })

  test('the palette opens from a text field, and C types a letter in dialogs and does nothing when turned off', async () => {
    const page = await newPage(t, { as: owner })
    await page.clock.install()
    await page.goto(pagePath(owner, '/accounts'))
    await page.getByRole('button', { name: 'Connect with “App password” instead: Bluesky' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/^Handle/)
      .fill('ada')
    await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).focus()
    await page.keyboard.press('c')
    await page.clock.runFor(1000)
    expect(
      await page
        .getByRole('dialog')
        .getByLabel(/^Handle/)
        .inputValue(),
    ).toBe('ada')
    await page.keyboard.press('Escape')
    await waitUntilGone(page.getByRole('dialog'))

    await page.getByRole('button', { name: 'Account of Ada' }).click()
    const letterKeys = page.getByRole('menuitemcheckbox', { name: /Single-key shortcuts/ })
    await letterKeys.click()
    await page.keyboard.press('Escape')
    await waitUntilGone(letterKeys)
    await page.keyboard.press('c')
    await page.clock.runFor(1000)
    await heading(page, 'Accounts')
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await letterKeys.click()
    await page.keyboard.press('Escape')
    await waitUntilGone(letterKeys)
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New post' }).waitFor()
    await text(page).focus()
    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').getByLabel('Search or jump to').waitFor()
  })
})

describe('the sidebar', () => {
  const sidebar = (page: Page) => page.getByRole('navigation')
  const link = (page: Page, name: string) => sidebar(page).getByRole('link', { name, exact: true })

  test('the pages of the installation are in a section of their own, with a link back to the workspace', async () => {
    const admin = await signedIn(t, { instanceAdmin: true })
    const { body } = expectStatus(await admin.post('/api/v1/workspaces', { name: 'Harbour', timezone: 'UTC' }), 201)
    const page = await newPage(t, { as: admin })
    await page.goto(`/w/${body.slug}/posts`)
    await heading(page, 'Posts')
    expect(await link(page, 'Posts').getAttribute('aria-current')).toBe('page')
    await link(page, 'Instance').click()
    await heading(page, 'Options')
    expect(new URL(page.url()).pathname).toBe('/admin/options')
    expect(await link(page, 'Options').getAttribute('aria-current')).toBe('page')
    expect(await sidebar(page).getAttribute('aria-label')).toBe('Instance')
    expect(await link(page, 'Calendar').count()).toBe(0)
    const mail = sidebar(page).getByRole('list', { name: 'Email' })
    expect(await mail.getByRole('link').allTextContents()).toEqual(['Email templates', 'Outbox'])
    await expectPageAccessible(page, 'sidebar of the installation')
    await link(page, 'Back to Harbour').click()
    await heading(page, /^Hello/)
    await link(page, 'Calendar').waitFor()
  })

  test('other users have no link to the installation', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner))
    await showMorePages(page)
    await link(page, 'Audit log').waitFor()
    expect(await link(page, 'Instance').count()).toBe(0)
  })

  test('six pages are in view, and the others are behind "More", which stays as the user left it', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner))
    const shown = () => sidebar(page).getByRole('listitem').getByRole('link').allTextContents()
    await expect.poll(shown).toEqual(['Overview', 'Calendar', 'Posts', 'Review', 'Agents', 'Media'])
    const more = sidebar(page).getByRole('button', { name: 'More' })
    expect(await more.getAttribute('aria-expanded')).toBe('false')
    await more.focus()
    await page.keyboard.press('Enter')
    await link(page, 'Orders').waitFor()
    expect(await more.getAttribute('aria-expanded')).toBe('true')
    await expectPageAccessible(page, 'sidebar with all pages')
    await page.reload()
    await link(page, 'Orders').waitFor()
    await more.click()
    await waitUntilGone(link(page, 'Orders'))
    await page.reload()
    await link(page, 'Overview').waitFor()
    expect(await link(page, 'Orders').count()).toBe(0)
  })

  test('"More" opens for the page that is behind it, and folds again after it', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/accounts/health'))
    await link(page, 'Accounts').waitFor()
    await link(page, 'Media').click()
    await waitUntilGone(link(page, 'Accounts'))
  })

  test('"More" shows how much waits behind it, until its pages show it', async () => {
    const buyer = await withWorkspace(t)
    const page = await newPage(t, { as: buyer })
    const counts = { total: 3, waiting: 2 }
    await page.route('**/api/v1/marketplace/orders/counts', (route) =>
      route.fulfill({ json: { buyer: counts, seller: { ...counts, waiting: 1 } } }),
    )
    await page.goto(pagePath(buyer))
    const more = sidebar(page).getByRole('button', { name: 'More' })
    await more.getByRole('img', { name: '3 waiting inside' }).waitFor()
    await more.click()
    await waitUntilGone(more.getByRole('img'))
    await sidebar(page)
      .getByRole('link', { name: 'Orders' })
      .getByRole('img', { name: '3 orders wait for you' })
      .waitFor()
  })

  test('recipes and the Playground are reached from the pages that they belong to, and from the palette', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/agents'))
    await main(page).getByRole('link', { name: 'Browse recipes' }).click()
    await heading(page, 'Agent recipes')
    await main(page).getByRole('link', { name: 'Agents' }).click()
    await heading(page, 'Agents')
    await visit(page, pagePath(owner, '/accounts'))
    await main(page).getByRole('link', { name: 'Playground', exact: true }).click()
    await heading(page, 'Playground')
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('recipes')
    await page.keyboard.press('Enter')
    await heading(page, 'Agent recipes')
  })

  test('a group folds with the keyboard, keeps the link of the current page visible, and stays folded', async () => {
    const page = await newPage(t, { as: owner })
    const { body } = expectStatus(await owner.get('/api/v1/workspace'), 200)
    await page.goto(`/w/${body.slug}/tokens`)
    const group = sidebar(page).getByRole('button', { name: 'Workspace', exact: true })
    await group.focus()
    await page.keyboard.press('Enter')
    await waitUntilGone(link(page, 'Members'))
    await link(page, 'API tokens').waitFor()
    await page.reload()
    await link(page, 'API tokens').waitFor()
    expect(await group.getAttribute('aria-expanded')).toBe('false')
    expect(await link(page, 'Members').count()).toBe(0)
    await expectPageAccessible(page, 'folded group')
    await group.click()
    await link(page, 'Members').waitFor()
  })
})

test('correcting a field removes its error and adds none above the form', async () => {
  const page = await newPage(t, { allow: ['POST /api/auth/sign-up/email'] })
  await page.goto('/sign-up')
  await page.getByRole('button', { name: 'Continue' }).click()
  const email = page.getByLabel(/^Email/)
  await until(async () => expect(await email.getAttribute('aria-invalid')).toBe('true'))
  await page.getByLabel(/^Your name/).fill('Grace')
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await email.fill('grace')
  expect(await email.getAttribute('aria-invalid')).not.toBe('true')
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
})

test('an error outside a form is shown with its reason', async () => {
  const { id } = await newPost(owner, { content: 'For nobody' })
  const page = await newPage(t, { as: owner, allow: ['/publish'] })
  await page.goto(pagePath(owner, `/posts/${id}`))
  await page.getByRole('button', { name: 'Publish now' }).click()
  // The page itself also reports this for a draft.
  const toast = page.getByRole('alert').filter({ hasNotText: 'Fix before scheduling' })
  await toast.getByText('Choose at least one account.').waitFor()
})

test('a language that cannot be saved is reported, and the former one returns', async () => {
  const page = await newPage(t, { as: owner, allow: ['net::ERR_FAILED'] })
  await page.goto(pagePath(owner, '/accounts'))
  await heading(page, 'Accounts')
  await page.route('**/api/v1/me', (route) => route.abort())
  await page.getByRole('button', { name: 'Account of Ada' }).click()
  await page.getByRole('menuitemradio', { name: 'Türkçe' }).click()
  await page
    .getByRole('alert')
    .getByText(/^Meydan (yanıt vermiyor|is not responding)/)
    .waitFor()
  await heading(page, 'Accounts')
})
