import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { withWorkspace } from '../factories.ts'
import { newPage } from './browser.ts'
import { launchChromium } from './chromium.ts'
import { fillSignIn } from './pages.ts'

let t: TestApp
let browser: Browser
beforeAll(async () => {
  t = await testApp({}, { live: true })
  browser = await launchChromium({}, ['--host-resolver-rules=MAP meydan.lan 127.0.0.1, MAP nas 127.0.0.1'])
})
afterAll(async () => {
  await browser.close()
  await t.close()
})

test.each(['127.0.0.1', 'localhost', 'meydan.lan', 'nas'])(
  'signing in and saving a change work over plain http as %s',
  async (host) => {
    const owner = await withWorkspace(t)
    const page = await newPage(browser, t, { baseURL: t.url.replace('127.0.0.1', host) })
    await page.goto('/sign-in')
    await fillSignIn(page, owner)
    await page.waitForURL(/\/w\//)
    // Like the console's own requests: the browser sends their origin.
    const changed = await page.evaluate(async () => {
      const answer = await fetch('/api/v1/me', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Changed here' }),
      })
      return [answer.status, await answer.text()]
    })
    expect(changed).toEqual([200, expect.stringContaining('"name":"Changed here"')])
  },
)
