import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, PASSWORD, playgroundAccount } from '../factories.ts'
import { expectAccessible, newPage, PHONE } from './browser.ts'
import { dayIn, main, newPost, ownerIn, pagePath, readPost, visit, waitUntilGone } from './pages.ts'

const tomorrow = dayIn('UTC', 1)
const t = await testApp({}, { live: true })
// Long words break narrow pages.
const workspace = 'Donaudampfschifffahrtsgesellschaft am Bodensee'
const owner = await ownerIn(t, 'UTC', { instanceAdmin: true, workspace })
const account_ids = [await playgroundAccount(owner)]
await newPost(owner, { content: `See https://example.com/${'long'.repeat(40)} and on`, account_ids, publish_now: true })
const scheduled_at = `${tomorrow}T09:00:00.000Z`
const { id: scheduled } = await newPost(owner, { content: 'Tomorrow', account_ids, scheduled_at })
/** YYYY-MM. The calendar shows its 14th and 15th together. Today and tomorrow can be in different months. */
const nextMonth = dayIn('UTC', 31).slice(0, 7)
await newPost(owner, { content: 'Fourteenth', account_ids, scheduled_at: `${nextMonth}-14T09:00:00Z` })
const fifteenth = await newPost(owner, { content: 'Fifteenth', account_ids, scheduled_at: `${nextMonth}-15T09:00:00Z` })
expectStatus(
  await owner.post('/api/v1/webhooks', { url: `${t.url}/${'hook'.repeat(30)}`, events: ['post.published'] }),
  201,
)

const menuButton = (page: Page) => page.getByRole('button', { name: 'Open the menu' })

describe('the width of a phone', () => {
  test('the menu opens, closes after following a link, and closes without one', async () => {
    const page = await newPage(t, { as: owner, ...PHONE })
    await page.goto(pagePath(owner))
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Accounts', exact: true }).count()).toBe(0)
    await menuButton(page).click()
    await page.getByRole('link', { name: 'Accounts', exact: true }).click()
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    await waitUntilGone(page.getByRole('link', { name: 'Accounts', exact: true }))
    await menuButton(page).click()
    await page.getByRole('link', { name: 'Webhooks', exact: true }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await waitUntilGone(page.getByRole('link', { name: 'Webhooks', exact: true }))
    await expect.poll(() => menuButton(page).and(page.locator(':focus')).count()).toBe(1)
    await page.keyboard.press('Enter')
    const close = page.getByRole('button', { name: 'Close the menu' })
    await close.and(page.locator(':focus')).waitFor()
    await close.click()
    await waitUntilGone(page.getByRole('link', { name: 'Webhooks', exact: true }))
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  })

  test('the bar at the bottom leads to the calendar, to posts and to the menu, and gives way to the form of a post', async () => {
    const page = await newPage(t, { as: owner, ...PHONE })
    await page.goto(pagePath(owner))
    const bar = page.getByRole('navigation', { name: 'Main pages' })
    await bar.getByRole('link', { name: 'Posts' }).click()
    await page.getByRole('heading', { name: 'Posts', level: 1 }).waitFor()
    await expectAccessible(page)
    await bar.getByRole('link', { name: 'Calendar' }).click()
    await page.waitForURL(/\/calendar/)
    await main(page).getByRole('button', { name: 'Today' }).waitFor()
    await bar.getByRole('button', { name: 'More' }).click()
    await page.getByRole('link', { name: 'Webhooks', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: 'Write' }).click()
    await page.getByRole('heading', { name: 'New post' }).waitFor()
    await waitUntilGone(bar)
  })

  test('the console can be installed, with icons that exist', async () => {
    const page = await newPage(t, { as: owner, ...PHONE })
    await page.goto(pagePath(owner))
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    const devtools = await page.context().newCDPSession(page)
    const { data = '', errors, url } = await devtools.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const { icons, start_url } = JSON.parse(data) as { icons: { src: string; sizes: string }[]; start_url: string }
    expect(start_url).toBe('/')
    expect(icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512'])
    for (const { src } of icons) {
      const icon = await page.request.get(new URL(src, url).href)
      expect(icon.headers()['content-type']).toBe('image/png')
    }
  })

  test('a printed page has no sidebar and no buttons', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/members'))
    await main(page).getByText('You', { exact: true }).waitFor()
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0)
    await expect.poll(() => page.getByRole('button').count()).toBe(0)
    expect(await main(page).getByText('You', { exact: true }).isVisible()).toBe(true)
  })

  test('a page is printed in light colors, and the calendar with the numbers of its days', async () => {
    const page = await newPage(t, { as: owner })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(pagePath(owner, '/calendar?date=2030-01-15'))
    const scheme = (name: string) => page.locator(`html[data-mantine-color-scheme=${name}]`)
    await scheme('dark').waitFor()
    await main(page).getByText('15', { exact: true }).waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await scheme('light').waitFor()
    expect(await main(page).getByText('15', { exact: true }).isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
    await scheme('dark').waitFor()
  })

  test('a post is written and published on a phone', async () => {
    const page = await newPage(t, { as: owner, ...PHONE })
    await page.goto(pagePath(owner))
    await page.getByRole('navigation', { name: 'Main pages' }).getByRole('button', { name: 'Write' }).click()
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('From the tram')
    await page.getByRole('article', { name: 'Playground' }).getByText('From the tram').waitFor()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('link', { name: 'View on Playground' }).waitFor()
    await expectAccessible(page)
  })

  test('the calendar on a phone shows a month and the posts of a day, and links to a post', async () => {
    const page = await newPage(t, { as: owner, ...PHONE })
    await page.goto(pagePath(owner, `/calendar?date=${nextMonth}-14`))
    await main(page)
      .getByRole('link', { name: /Fourteenth/ })
      .waitFor()
    const name = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' })
    await page.getByRole('button', { name: new RegExp(`${name.format(new Date(`${nextMonth}-15`))}, 1 post`) }).click()
    await main(page)
      .getByRole('link', { name: /Fifteenth/ })
      .waitFor()
    expect(
      await main(page)
        .getByRole('link', { name: /Fourteenth/ })
        .count(),
    ).toBe(0)
    await expectAccessible(page)
    await main(page)
      .getByRole('link', { name: /Fifteenth/ })
      .click()
    await page.getByRole('link', { name: 'Edit' }).waitFor()
    expect(await readPost(owner, fifteenth)).toMatchObject({ status: 'scheduled' })
  })

  test.each(['en', 'tr'] as const)('no page scrolls sideways in %s', async (locale) => {
    const setLanguage = async (language: 'en' | 'tr') => {
      expectStatus(await owner.patch('/api/v1/me', { locale: language }), 200)
    }
    await setLanguage(locale)
    onTestFinished(() => setLanguage('en'))
    // The profile is widest with its code fields.
    const email = `another.${owner.email}`
    expectStatus(await owner.post('/api/v1/me/email', { email, password: PASSWORD }), 202)
    const size = { ...PHONE, viewport: { width: 360, height: 740 } }
    // The sign-in page checks once whether the former session is still valid.
    const page = await newPage(t, { as: owner, locale, ...size, allow: ['401 GET /api/v1/me'] })
    const daily = ['', '/calendar', '/calendar?view=day', '/posts', '/posts/new', `/posts/${scheduled}`]
    const more = [
      `/posts/${scheduled}/edit`,
      '/accounts?connect=bluesky',
      '/accounts',
      '/playground',
      '/webhooks',
      '/webhooks/new',
    ]
    const admin = ['/members', '/tokens', '/audit-log', '/settings']
    for (const path of [...daily, ...more, ...admin]
      .map((path) => pagePath(owner, path))
      .concat(
        '/admin/plans',
        '/admin/plans/pro',
        '/admin/outbox',
        '/admin/users',
        '/admin/audit-log',
        '/profile',
        '/profile/sessions',
        '/new-workspace',
      )) {
      await visit(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await waitUntilGone(page.getByRole('status', { name: /^(Loading|Yükleniyor)/ }).first())
      expect.soft(await overflow(page), path).toEqual([])
    }
    await page.context().clearCookies()
    await page.goto('/sign-in')
    for (const path of [
      '/sign-in',
      '/sign-up',
      '/sign-up?email=a%40example.com',
      '/forgot-password',
      '/sign-in?step=code',
      '/invitation',
      '/setup',
    ]) {
      await visit(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect.soft(await overflow(page), path).toEqual([])
    }
  })

  /** Returns nothing, or the page's width and the elements that overflow to the right. */
  const overflow = (page: Page) =>
    page.evaluate<string[]>(`(() => {
      const width = document.documentElement.clientWidth
      if (document.scrollingElement.scrollWidth <= width) return []
      return [\`\${document.scrollingElement.scrollWidth} > \${width}\`, ...[...document.querySelectorAll('main *')]
        .filter((element) => element.getBoundingClientRect().right > width + 1)
        .slice(0, 4)
        .map((element) => element.outerHTML.slice(0, 160))]
    })()`)
})
