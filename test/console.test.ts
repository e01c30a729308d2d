import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Manifest } from '../server/console/console-page.ts'
import { testApp } from './app.ts'
import { expectProblem } from './problem.ts'

const t = await testApp()

const html = { accept: 'text/html,*/*;q=0.8' }

/** The first script of the page. */
const scriptOf = (page: string) => /src="(\/console\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''

test('the console has the styles of every component of Mantine that it uses', async () => {
  const root = new URL('../', import.meta.url).pathname
  const textsOf = async (pattern: string) => {
    const paths = await Array.fromAsync(glob(pattern, { cwd: root, exclude: ['console/dist/**'] }))
    return Promise.all(paths.map((path) => readFile(root + path, 'utf8')))
  }
  const code = (await textsOf('console/**/*.tsx')).join('\n')
  const styles = (await textsOf('console/theme/*.css')).join('\n')
  const used = [...code.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => `@mantine/core/styles/${name.trim()}.layer.css`)
  const files = await Array.fromAsync(glob('@mantine/core/styles/*.layer.css', { cwd: `${root}node_modules` }))
  const missing = files.filter((file) => used.includes(file) && !styles.includes(file))
  expect(files.length).toBeGreaterThan(50)
  expect(missing).toEqual([])
})

describe('the page of the console', () => {
  test.each(['/', '/sign-in', '/setup?code=x', '/w/acme/posts', '/playground/x', '/no/such/page'])(
    'a browser gets the page of the console at %s',
    async (path) => {
      const { status, headers, body } = await t.anyone.get(path, html)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(body).toContain('<div id="root">')
    },
  )

  test.each([
    '/api',
    '/api/v1/nowhere',
    '/API/v1/nowhere',
    '/%61pi/v1/nowhere',
    '//api/v1/nowhere',
    '/./api/v1/nowhere',
    '/x/../api/v1/nowhere',
    '/api%2Fv1/nowhere',
    '/docs/nowhere',
    '/feeds/nowhere',
    '/openapi.json/x',
    '/healthz/x',
    '/readyz/x',
    '/console/',
    '/console/nowhere.js',
    '/console/index.html',
    '/console/manifest.json',
    '/console/..%2f..%2fpackage.json',
  ])('%s gets 404 as a problem document and never the page', async (path) => {
    expectProblem(await t.anyone.get(path, html), 404, 'not_found')
  })

  test('404 for a request that accepts no HTML, and for other methods', async () => {
    expectProblem(await t.anyone.get('/sign-in', { accept: 'application/json' }), 404, 'not_found')
    expectProblem(await t.anyone.call('POST', '/sign-in', { headers: html, body: {} }), 404, 'not_found')
  })

  test('the page allows only scripts from its origin and its own, no frames and no referrer', async () => {
    const { headers, body } = await t.anyone.get('/reset-password?token=x', html)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(body) ?? []
    const hash = createHash('sha256').update(script).digest('base64')
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('the page has a new nonce for its styles at each visit and is not cached', async () => {
    const pages = [await t.anyone.get('/sign-in', html), await t.anyone.get('/sign-in', html)]
    const nonces = pages.map(({ headers, body }) => {
      expect(headers.get('cache-control')).toBe('no-cache')
      expect(headers.get('etag')).toBeNull()
      const [, nonce = ''] = /style-src 'self' 'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '') ?? []
      expect(nonce).toMatch(/^[\w-]{22}$/)
      expect(body.match(/<style[^>]*>/g)).toEqual([`<style nonce="${nonce}">`])
      return nonce
    })
    expect(new Set(nonces).size).toBe(2)
  })

  test.each([
    ['/sign-in', []],
    ['/sign-up?email=x', ['signed-out']],
    ['/', ['shell', 'workspace']],
    ['/w/acme/posts', ['shell', 'posts']],
    ['/w/acme/calendar?view=week', ['shell', 'posts']],
    ['/w/acme/posts/x', ['shell', 'post']],
    ['/w/acme/review', ['shell', 'workspace']],
    ['/w/acme/posts/new', ['shell', 'compose']],
    ['/w/acme/webhooks/x/edit', ['shell', 'webhooks']],
    ['/admin/plans', ['shell', 'plans']],
  ])('the page at %s links to the chunks %s, and to no other', async (path, chunks) => {
    const { body } = await t.anyone.get(path, html)
    const all = [
      'signed-out',
      'shell',
      'posts',
      'post',
      'workspace',
      'compose',
      'webhooks',
      'plans',
      'profile',
      'pricing',
    ]
    const manifest: Manifest = JSON.parse(await readFile('console/dist/manifest.json', 'utf8'))
    const fileOf = (name: string) =>
      Object.values(manifest).find((chunk) => chunk.name === name && !chunk.src)?.file ?? `no chunk ${name}`
    expect(all.map(fileOf).filter((file) => file.startsWith('no'))).toEqual([])
    expect(all.filter((name) => body.includes(fileOf(name)))).toEqual(chunks)
    expect(body.includes('href="/api/v1/me"')).toBe(chunks.includes('shell'))
  })

  test.each([
    [{}, 'en'],
    [{ 'accept-language': 'de, tr-TR;q=0.8, en;q=0.5' }, 'tr'],
    [{ 'accept-language': 'en', cookie: 'a=b; meydan.language=tr' }, 'tr'],
    [{ 'accept-language': 'tr', cookie: 'meydan.language=xx' }, 'tr'],
  ])('the page links to the texts in the language that the browser chose: %j', async (headers, language) => {
    const { body } = await t.anyone.get('/w/acme', { ...html, ...headers })
    const manifest = JSON.parse(await readFile('console/dist/manifest.json', 'utf8'))
    const textsIn = (one: string) => manifest[`../virtual:texts/${one}/workspace`].file
    expect(['en', 'tr'].filter((one) => body.includes(textsIn(one)))).toEqual([language])
  })
})

describe('the files of the console', () => {
  test('the files are cached permanently, because their names change with their content', async () => {
    const path = scriptOf((await t.anyone.get('/', html)).body)
    const { status, headers } = await t.anyone.get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ])('the encoding for Accept-Encoding %s is %s', async (accepted, sent) => {
    const path = scriptOf((await t.anyone.get('/', html)).body)
    const { headers } = await t.anyone.get(path, { 'accept-encoding': accepted })
    expect(headers.get('content-encoding')).toBe(sent)
    expect(headers.get('vary')).toBe('accept-encoding')
  })

  test('200 with the whole file for unusual preconditions and ranges', async () => {
    for (const headers of [{ range: 'bytes=99999-' }, { 'if-match': '"x"' }] as const)
      expect((await t.anyone.get('/console/mark.svg', headers)).status).toBe(200)
  })
})

test('responses of the API are not cached', async () => {
  for (const path of ['/api/v1/instance', '/api/v1/me', '/api/v1/nowhere'])
    expect((await t.anyone.get(path)).headers.get('cache-control')).toBe('no-store')
})
