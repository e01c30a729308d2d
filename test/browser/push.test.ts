import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, PASSWORD, type Person, signedIn } from '../factories.ts'
import { signIn, withCookies } from '../people.ts'
import { newPushSubscription, pushSubscription, subscriptionsOf } from '../push.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, main } from './pages.ts'

const t = await testApp({}, { live: true })

const thisBrowser = (page: Page) => page.getByRole('switch', { name: 'Show notifications in this browser' })

/** A page in a browser that subscribes to the stand-in: Chromium has no push service without a window. */
async function pushPage(
  as: Person,
  { permission = 'granted', ...options }: { permission?: string; locale?: 'tr' } = {},
) {
  const page = await newPage(t, { as, ...options })
  await page.context().grantPermissions(['notifications'])
  await page.addInitScript(`
    let made = null
    Object.defineProperty(Notification, 'permission', { get: () => '${permission}' })
    Notification.requestPermission = async () => '${permission}'
    PushManager.prototype.getSubscription = async () => made
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      const text = atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/'))
      const key = Uint8Array.from(text, (character) => character.charCodeAt(0))
      made = {
        options: { applicationServerKey: key.buffer },
        toJSON: () => (${JSON.stringify(newPushSubscription())}),
        unsubscribe: async () => {
          made = null
          return true
        },
      }
      return made
    }`)
  await page.goto('/profile/notifications')
  await main(page).getByRole('table').waitFor()
  return page
}

test('notifications are turned on and off in this browser with the keyboard, which asks only then', async () => {
  const person = await signedIn(t)
  const page = await pushPage(person)
  await thisBrowser(page).press('Space')
  await page.getByText('Notifications are shown in this browser.').waitFor()
  const list = page.getByRole('list', { name: 'Browsers with notifications' })
  await list.getByText('This browser').waitFor()
  await list.getByText('Not used yet').waitFor()
  expect(await subscriptionsOf(person)).toHaveLength(1)
  await page.reload()
  await thisBrowser(page).and(page.locator(':checked')).waitFor()
  await thisBrowser(page).press('Space')
  await page.getByText('Notifications are no longer shown in this browser.').waitFor()
  await until(async () => expect(await subscriptionsOf(person)).toEqual([]))
  await list.waitFor({ state: 'detached' })
})

test('other browsers are listed and removed', async () => {
  const person = await signedIn(t)
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const other = withCookies(t, expectStatus(await signIn(t, person.email, PASSWORD, headers), 200))
  await pushSubscription(other)
  const page = await pushPage(person)
  expect(await thisBrowser(page).isChecked()).toBe(false)
  await page.getByRole('button', { name: 'Remove: Firefox, Linux' }).press('Enter')
  await until(async () => expect(await subscriptionsOf(person)).toEqual([]))
  await page.getByRole('list', { name: 'Browsers with notifications' }).waitFor({ state: 'detached' })
})

test('a kind is pushed or not, as its switch says', async () => {
  const person = await signedIn(t)
  const page = await pushPage(person)
  await page.getByLabel('Pushed: A post is late').press('Space')
  await until(async () => {
    const { kinds } = (await person.get('/api/v1/me/notification-preferences')).body
    expect(kinds.find(({ kind }: { kind: string }) => kind === 'post.held')).toMatchObject({ push: 'off', mail: 'now' })
  })
})

test('a permission that was denied is explained, and nothing is stored', async () => {
  const person = await signedIn(t)
  const page = await pushPage(person, { permission: 'denied' })
  await page.getByText('Notifications of this site are blocked in your browser.').waitFor()
  expect(await thisBrowser(page).isDisabled()).toBe(true)
  expect(await subscriptionsOf(person)).toEqual([])
})

test.each([
  ['a page without https', 'Browsers allow this on pages with https only.', false, 'Linux'],
  ['an iPhone outside of the home screen', 'On iPhone and iPad, add Meydan to the home screen first', true, 'iPhone'],
  ['a browser without push', 'This browser cannot show pushed notifications.', true, 'Linux'],
])('%s is explained', async (_, reason, isSecure, system) => {
  const page = await newPage(t, { as: await signedIn(t), userAgent: `Mozilla/5.0 (${system}) Browser/1.0` })
  await page.addInitScript(`
    Object.defineProperty(window, 'isSecureContext', { get: () => ${isSecure} })
    delete window.PushManager`)
  await page.goto('/profile/notifications')
  await page.getByText(reason).waitFor()
  expect(await thisBrowser(page).isDisabled()).toBe(true)
})

test('the service worker is checked for a newer one at each start, and may call this origin only', async () => {
  const { status, headers } = await t.anyone.get('/console/push-worker.js')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'; frame-ancestors 'none'")
  const page = await t.anyone.with({ accept: 'text/html' }).get('/profile/notifications')
  expect(page.headers.get('content-security-policy')).toContain("worker-src 'self'")
  const manifest = await t.anyone.get('/console/app.webmanifest')
  expect(manifest.body).toMatchObject({ display: 'standalone', scope: '/' })
})

/**
 * Runs in the service worker. Chromium without a window has no push service and shows no notifications, so the events are
 * made here, and what they cause is noted.
 */
const PUSHES = `(async () => {
  const noted = []
  self.registration.showNotification = async (title, { body, tag, lang, data }) => {
    noted.push({ title, body, tag, lang, path: data.path })
  }
  self.clients.openWindow = async (url) => noted.push({ opened: url })
  self.clients.matchAll = async () => [
    { url: self.location.origin + '/w/bakery/posts/1', focus: async () => noted.push('focused') },
  ]
  const fire = async (type, fields) => {
    let work
    self.dispatchEvent(Object.assign(new Event(type), fields, { waitUntil: (promise) => (work = promise) }))
    await work
  }
  const message = { title: 'One', line: 'Bakery', path: '/w/bakery/posts/1', tag: 'a', lang: 'en' }
  await fire('push', { data: { json: () => message } })
  await fire('push', { data: { json: () => JSON.parse('not readable') } })
  await fire('push', { data: null })
  const click = (path) => fire('notificationclick', { notification: { data: { path }, close: () => noted.push('closed') } })
  await click('/w/bakery/posts/1')
  await click('/w/bakery/posts/2')
  await click('https://example.com/')
  return noted
})()`

test('the service worker shows what is pushed, and something for what it cannot read, and opens pages of Meydan', async () => {
  const page = await pushPage(await signedIn(t))
  await thisBrowser(page).press('Space')
  await page.getByText('Notifications are shown in this browser.').waitFor()
  const [worker] = page.context().serviceWorkers()
  const nothing = { title: 'Meydan', body: '', tag: 'meydan', lang: '', path: '/notifications' }
  expect(await worker?.evaluate(PUSHES)).toEqual([
    { title: 'One', body: 'Bakery', tag: 'a', lang: 'en', path: '/w/bakery/posts/1' },
    ...[nothing, nothing],
    ...['closed', 'focused'],
    ...['closed', { opened: `${t.url}/w/bakery/posts/2` }],
    'closed',
  ])
})

test('a subscription that the browser replaced is stored by the service worker', async () => {
  const person = await signedIn(t)
  const page = await pushPage(person)
  await thisBrowser(page).press('Space')
  await page.getByText('Notifications are shown in this browser.').waitFor()
  const replaced = newPushSubscription()
  const [worker] = page.context().serviceWorkers()
  await worker?.evaluate(`(async () => {
    let work
    const newSubscription = { toJSON: () => (${JSON.stringify(replaced)}) }
    const waitUntil = (promise) => (work = promise)
    self.dispatchEvent(Object.assign(new Event('pushsubscriptionchange'), { newSubscription, waitUntil }))
    await work
  })()`)
  const rows = await t.deps.db
    .selectFrom('push_subscription')
    .select('endpoint')
    .where('user_id', '=', person.id)
    .execute()
  expect(rows).toEqual([{ endpoint: replaced.endpoint }])
})

test.each([
  ['on a screen', {}],
  ['on a phone', PHONE],
])('the browsers are accessible in both languages, %s', async (_, options) => {
  const person = await signedIn(t)
  await pushSubscription(person)
  for (const locale of ['en', 'tr']) {
    expectStatus(await person.patch('/api/v1/me', { locale }), 200)
    const page = await newPage(t, { as: person, ...options })
    await page.goto('/profile/notifications')
    await main(page).getByRole('list').first().waitFor()
    await expectPageAccessible(page, `browsers with notifications, ${locale}`)
  }
})
