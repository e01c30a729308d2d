import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { withWorkspace } from '../factories.ts'
import { newPage } from './browser.ts'
import { fillSignIn } from './pages.ts'

const t = await testApp({}, { live: true })

test.each(['127.0.0.1', 'localhost', 'meydan.lan', 'nas'])(
  'signing in and saving a change work over plain http as %s',
  async (host) => {
    const owner = await withWorkspace(t)
    const page = await newPage(t, { baseURL: t.url.replace('127.0.0.1', host) })
    await page.goto('/sign-in')
    await fillSignIn(page, owner)
    await page.waitForURL(/\/w\//)
    // Like the console's own requests: the browser sends their origin.
    const changed = await page.evaluate(async () => {
      const response = await fetch('/api/v1/me', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Changed here' }),
      })
      return [response.status, await response.text()]
    })
    expect(changed).toEqual([200, expect.stringContaining('"name":"Changed here"')])
  },
)
