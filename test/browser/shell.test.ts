import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { PASSWORD, playgroundAccount, signedIn, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { until } from '../until.ts'
import { newPage, openBrowser } from './browser.ts'
import { gone, main, newPost, passes, roomOf } from './rooms.ts'

let t: TestApp
let browser: Browser
let owner: WorkspaceOwner
beforeAll(async () => {
  t = await testApp({}, { live: true })
  browser = await openBrowser()
  await signedIn(t, { instanceAdmin: true })
  owner = await withWorkspace(t)
  await playgroundAccount(owner)
})
afterAll(async () => {
  await browser?.close()
  await t?.close()
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
/** What the browser does when somebody comes back to the tab. */
const lookAt = (page: Page) => page.evaluate("window.dispatchEvent(new Event('focus'))")
const enterElsewhere = (page: Page, { email }: { email: string }) =>
  page.context().request.post('/api/auth/sign-in/email', { data: { email, password: PASSWORD } })

describe('a session that ends while somebody writes', () => {
  test('leaves the text as it is, asks nothing more, and goes on after signing in in another tab', async () => {
    const page = await newPage(browser, t, { as: owner, allow: ['401 '] })
    await page.goto(roomOf(owner, '/posts/new'))
    await text(page).fill('Do not lose me')
    await page.context().clearCookies()
    const over = page.getByRole('dialog', { name: 'You are signed out' })
    await over.waitFor()
    await passes(page, 'signed out')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.waitForTimeout(4000)
    expect(asked).toEqual([])
    await lookAt(page)
    await until(() => expect(asked).toHaveLength(1))
    expect(await over.isVisible()).toBe(true)

    await enterElsewhere(page, owner)
    await lookAt(page)
    await gone(over)
    expect(await text(page).inputValue()).toBe('Do not lose me')
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('link', { name: 'See it on Playground' }).waitFor()
  })

  test('shows nothing of it to somebody else', async () => {
    const other = await withWorkspace(t)
    const page = await newPage(browser, t, { as: owner, allow: ['401 '] })
    await page.goto(roomOf(owner, '/accounts'))
    await heading(page, 'Accounts')
    await page.context().clearCookies()
    await page.getByRole('dialog', { name: 'You are signed out' }).waitFor()
    await enterElsewhere(page, other)
    await lookAt(page)
    await heading(page, 'Nothing is here')
  })

  test('leads to the sign-in and back to the page', async () => {
    const page = await newPage(browser, t, { as: owner, allow: ['401 '] })
    await page.goto(roomOf(owner, '/posts?status=draft'))
    await heading(page, 'Posts')
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Go to the sign-in page' }).click()
    await page.getByLabel(/^E-mail/).fill(owner.email)
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'Posts')
    expect(new URL(page.url()).search).toBe('?status=draft')
  })
})

test('a Meydan that does not answer is told, until it does', async () => {
  const page = await newPage(browser, t, { as: owner, allow: ['net::ERR_FAILED', '502 '] })
  await page.goto(roomOf(owner, '/accounts'))
  await heading(page, 'Accounts')
  const banner = page.getByRole('status').getByText('Meydan does not answer.')
  await page.route('**/api/**', (route) => route.abort())
  await banner.waitFor()
  await passes(page, 'no answer')
  await page.unrouteAll()
  await gone(banner)
  await page.route('**/api/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
  await banner.waitFor()
  await page.unrouteAll()
  await gone(banner)
})

describe('keys and screen readers', () => {
  test('begin in another room at its content, and hear its title', async () => {
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner))
    await heading(page, /^Hello/)
    await expect.poll(() => main(page).and(page.locator(':focus')).count()).toBe(0)
    await page.getByRole('link', { name: 'Posts', exact: true }).click()
    await page.locator('[aria-live]').getByText('Posts · Meydan').waitFor({ state: 'attached' })
    await expect.poll(() => main(page).and(page.locator(':focus')).count()).toBe(1)
    await page.getByLabel('Search in the text').fill('x')
    await page.waitForURL(/search=x/)
    await expect.poll(() => page.getByLabel('Search in the text').and(page.locator(':focus')).count()).toBe(1)
  })

  test('find one main part, and a title, where nothing is', async () => {
    const page = await newPage(browser, t, { as: owner, allow: ['404 ', '400 '] })
    await page.goto(roomOf(owner, '/posts/nothing'))
    await heading(page, 'Nothing is here')
    await expect.poll(() => main(page).count()).toBe(1)
    await until(async () => expect(await page.title()).toBe('Nothing is here · Meydan'))
  })

  test('the palette opens from a text; C is a letter in dialogs, and nothing at all for who turns it off', async () => {
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/accounts'))
    await page.getByRole('button', { name: 'Connect Bluesky' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/^Handle/)
      .fill('ada')
    await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).focus()
    await page.keyboard.press('c')
    await page.waitForTimeout(300)
    expect(
      await page
        .getByRole('dialog')
        .getByLabel(/^Handle/)
        .inputValue(),
    ).toBe('ada')
    await page.keyboard.press('Escape')
    await gone(page.getByRole('dialog'))

    await page.getByRole('button', { name: 'Account of Ada' }).click()
    const letterKeys = page.getByRole('menuitemcheckbox', { name: /One-letter shortcut/ })
    await letterKeys.click()
    await page.keyboard.press('Escape')
    await gone(letterKeys)
    await page.keyboard.press('c')
    await page.waitForTimeout(300)
    await heading(page, 'Accounts')
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await letterKeys.click()
    await page.keyboard.press('Escape')
    await gone(letterKeys)
    await page.keyboard.press('c')
    await heading(page, 'New post')
    await text(page).focus()
    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').getByLabel('Search or go to').waitFor()
  })
})

test('mending a field takes its error away, and puts none above the form', async () => {
  const page = await newPage(browser, t, { allow: ['POST /api/auth/sign-up/email'] })
  await page.goto('/sign-up')
  await page.getByRole('button', { name: 'Continue' }).click()
  const email = page.getByLabel(/^E-mail/)
  await until(async () => expect(await email.getAttribute('aria-invalid')).toBe('true'))
  await page.getByLabel(/^Your name/).fill('Grace')
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await email.fill('grace')
  expect(await email.getAttribute('aria-invalid')).not.toBe('true')
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
})

test('what is refused outside of a form is said by its reason', async () => {
  const { id } = await newPost(owner, { content: 'For nobody' })
  const page = await newPage(browser, t, { as: owner, allow: ['/publish'] })
  await page.goto(roomOf(owner, `/posts/${id}`))
  await page.getByRole('button', { name: 'Publish now' }).click()
  // The page itself says so of a draft, too.
  const toast = page.getByRole('alert').filter({ hasNotText: 'Before it can be scheduled' })
  await toast.getByText('Choose at least one account.').waitFor()
})

test('a language that could not be kept is told, and the former one comes back', async () => {
  const page = await newPage(browser, t, { as: owner, allow: ['net::ERR_FAILED'] })
  await page.goto(roomOf(owner, '/accounts'))
  await heading(page, 'Accounts')
  await page.route('**/api/v1/me', (route) => route.abort())
  await page.getByRole('button', { name: 'Account of Ada' }).click()
  await page.getByRole('menuitemradio', { name: 'Türkçe' }).click()
  await page
    .getByRole('alert')
    .getByText(/^Meydan (yanıt vermiyor|does not answer)/)
    .waitFor()
  await heading(page, 'Accounts')
})
