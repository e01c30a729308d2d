import { describe, expect, test } from 'vitest'
import { testApp } from './app.ts'
import { expectStatus } from './factories.ts'

const t = await testApp({}, { live: true })

const html = { accept: 'text/html' }
const filesIn = (page: string) => [...page.matchAll(/url\((\/fonts\/[^)]+)\)/g)].map(([, path = '']) => path)

describe('the typeface of the console', () => {
  test.each(['/docs/', '/docs/guides', '/docs/errors', '/marketplace', '/privacy'])(
    '%s has it, from this server alone',
    async (path) => {
      const { headers, body } = expectStatus(await t.anyone.get(path, html), 200)
      expect(body).toMatch(/font:?[^;]*'?Hanken Grotesk Variable/)
      expect(headers.get('content-security-policy')).toContain("font-src 'self'")
      expect(filesIn(body).length).toBeGreaterThan(0)
      expect(body).not.toMatch(/url\((?!\/fonts\/)/)
    },
  )

  test('its files are kept by browsers, and can be used by documents in a sandbox', async () => {
    const paths = filesIn((await t.anyone.get('/docs/guides')).body)
    for (const path of paths) {
      const response = await fetch(t.url + path)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'font/woff2'])
      expect(response.headers.get('cache-control')).toContain('immutable')
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(0, 4)
          .toString(),
      ).toBe('wOF2')
    }
  })

  test('404 for any other file', async () => {
    for (const name of ['other.woff2', 'hanken-grotesk-latin-wght-italic.woff2', '..%2fwght.css'])
      expect((await t.anyone.get(`/fonts/${name}`)).status).toBe(404)
  })

  test('the guides and the reference lead back to the console', async () => {
    for (const path of ['/docs/', '/docs/guides', '/docs/guides/webhooks'])
      expect((await t.anyone.get(path, html)).body).toContain('<a href="/"><img src="/console/mark.svg"')
  })
})
