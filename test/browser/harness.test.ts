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

  test('an accessibility finding fails the test with its rule and element', async () => {
    const page = await newPage(t)
    await page.setContent('<html lang="en"><title>Pale</title><main><p style="color: #bbb">Pale</p></main></html>')
    await expect(expectAccessible(page)).rejects.toThrow(/color-contrast \(serious\).*<p style="color: #bbb">/s)
  })
})
