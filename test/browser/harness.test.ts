import { describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { signedIn } from '../factories.ts'
import { expectAccessible, newPage } from './browser.ts'
import { launchChromium, NoBrowserError } from './chromium.ts'

const t = await testApp({}, { live: true })

describe('a run without a browser', () => {
  test.each([
    ['npm has none for the platform', { browser: '', platform: 'darwin', arch: 'arm64' }, 'this is darwin on arm64'],
    ['the named file is missing', { browser: '/nowhere/chrome' }, 'MEYDAN_BROWSER is /nowhere/chrome'],
    ['the named file is not a browser', { browser: process.execPath }, `${process.execPath} does not start`],
  ])('a missing browser fails the test and names the setting: %s', async (_, machine, reason) => {
    const error = await launchChromium(machine).catch((error) => error)
    expect(error).toBeInstanceOf(NoBrowserError)
    expect(error.message).toContain(reason)
    expect(error.message).toContain('MEYDAN_BROWSER=/usr/bin/chromium npm test')
  })
})

describe('pages in browser tests', () => {
  test('a page has the session of its user', async () => {
    const person = await signedIn(t)
    const page = await newPage(t, { as: person })
    const response = await page.goto('/api/v1/me')
    expect(await response?.json()).toMatchObject({ email: person.email })
  })

  test('a page reaches only this machine', async () => {
    const page = await newPage(t, { allow: ['net::ERR_NAME_NOT_RESOLVED'] })
    await page.goto('/healthz')
    for (const url of ['https://example.com/', 'http://192.0.2.1/'])
      await expect(page.goto(url)).rejects.toThrow('net::ERR_NAME_NOT_RESOLVED')
  })

  test('a browser that has ended is started again for the next page', async () => {
    const former = await newPage(t)
    await former.context().browser()?.close()
    const page = await newPage(t)
    expect((await page.goto('/healthz'))?.status()).toBe(200)
  })

  // The second time, the page is that of the first.
  test.each(['first', 'second'])('a page has nothing of the test before: the %s', async () => {
    const page = await newPage(t)
    await page.goto('/healthz')
    const stored = `[document.cookie, localStorage.left, sessionStorage.left, innerWidth, window.left, typeof window.leave,
      matchMedia('(prefers-color-scheme: dark)').matches].join()`
    expect(await page.evaluate(stored)).toBe(',,,1280,,undefined,false')
    expect(await page.evaluate<number>('Date.now()')).toBeGreaterThan(Date.parse('2020-01-01'))
    expect((await page.goto('/readyz'))?.status()).toBe(200)

    await page.evaluate("document.cookie = 'left=1'; localStorage.left = sessionStorage.left = '1'")
    await page.clock.install({ time: 0 })
    await page.addInitScript('window.left = 1')
    await page.exposeFunction('leave', () => undefined)
    await page.setViewportSize({ width: 500, height: 500 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.route('**/*', (route) => route.abort())
    await page.evaluate("addEventListener('beforeunload', (event) => event.preventDefault())")
    page.on('dialog', (dialog) => dialog.dismiss())
  })

  test('an accessibility finding fails the test with its rule and element', async () => {
    const page = await newPage(t)
    await page.setContent('<html lang="en"><title>Pale</title><main><p style="color: #bbb">Pale</p></main></html>')
    await expect(expectAccessible(page)).rejects.toThrow(/color-contrast \(serious\).*<p style="color: #bbb">/s)
  })
})
