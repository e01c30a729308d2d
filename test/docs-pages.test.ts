import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scopes } from '../server/lib/http/scopes.ts'
import { testApp } from './app.ts'
import { expectStatus } from './factories.ts'
import { expectProblem } from './problem.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs')
/** Pages for developers of Meydan. All others are for users. */
const forContributors = ['architecture.md', 'glossary.md']
const guides = readdirSync(folder)
  .filter((name) => name.endsWith('.md') && !forContributors.includes(name))
  .map((name) => name.replace('.md', ''))

const pages = new Map<string, string>()
const t = await testApp({ BASE_URL: 'https://meydan.example.com' })
for (const path of ['/docs/guides', '/docs/errors', ...guides.map((name) => `/docs/guides/${name}`)])
  pages.set(path, (await t.anyone.get(path)).body)

const linksOf = (page: string) => [...page.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)

async function readAfterRedirects(path: string) {
  const response = await fetch(`${t.url}${path}`)
  expect(response.status, path).toBe(200)
  return response.text()
}

test('README.md lists every guide, and none that does not exist', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const listed = [...readme.matchAll(/\]\((docs\/[^)]+\.md)\)/g)].map(([, path = '']) => path)
  const existing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !/^(decisions|patterns)\//.test(path))
    .map((path) => `docs/${path}`)
  expect([...new Set(listed)].sort()).toEqual(existing.sort())
})

describe('/docs/guides', () => {
  test('the index lists every guide for users', () => {
    expect(guides.length).toBeGreaterThan(6)
    const links = linksOf(pages.get('/docs/guides') ?? '')
    for (const name of guides) expect(links).toContain(`/docs/guides/${name}`)
  })

  test.each(['/docs/guides', '/docs/errors', ...guides.map((name) => `/docs/guides/${name}`)])(
    '%s is served without scripts and links to all other guides',
    async (path) => {
      const { body, headers } = expectStatus(await t.anyone.get(path), 200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'; style-src 'sha256-")
      expect(policy).not.toContain('unsafe')
      expect(body).not.toContain('<script')
      expect(body.match(/<h1>/g)).toHaveLength(1)
      expect(body).toContain(`<a href="${path}" aria-current="page">`)
      expect(linksOf(body)).toEqual(expect.arrayContaining(guides.map((name) => `/docs/guides/${name}`)))
    },
  )

  test('every link leads to an existing page and section', async () => {
    const targets = new Set(
      [...pages].flatMap(([path, page]) => linksOf(page).map((href) => (href.startsWith('#') ? path + href : href))),
    )
    const elsewhere = [...targets].filter((href) => /^https?:/.test(href))
    expect(elsewhere.sort()).toEqual([
      'https://github.com/tus/tus-js-client',
      'https://tus.io/protocols/resumable-upload',
      'https://www.standardwebhooks.com',
    ])
    for (const target of [...targets].filter((href) => !elsewhere.includes(href))) {
      expect(target).toMatch(/^\/(docs|openapi\.|$)/)
      const [path = '', id] = target.split('#')
      const page = target === '/' ? '' : (pages.get(path) ?? (await readAfterRedirects(path)))
      if (id !== undefined) expect(page, target).toContain(`id="${id}"`)
    }
  })

  test('no Markdown syntax is left outside code', () => {
    for (const page of pages.values()) {
      const text = page.replace(/<style>.*?<\/style>|<pre.*?<\/pre>|<code>.*?<\/code>|<[^>]+>/gs, '')
      expect(text).not.toMatch(/\*\*|\]\(|`|^\s*[|#-] /m)
    }
  })

  test('commands contain the address of the instance', () => {
    expect(pages.get('/docs/guides/ai')).toContain('MEYDAN=https://meydan.example.com\n')
    for (const page of pages.values()) expect(page).not.toContain('localhost:3000')
  })

  test('404 for an unknown guide and for guides of contributors', async () => {
    for (const name of ['nothing', 'architecture', 'constructor', '..%2fREADME', 'ai.md'])
      expectProblem(await t.anyone.get(`/docs/guides/${name}`), 404, 'not_found')
    expectProblem(await t.anyone.get('/docs/guides/'), 404, 'not_found')
  })
})

describe('docs/api.md', () => {
  const guide = readFileSync(join(folder, 'api.md'), 'utf8')

  test('docs/api.md lists each scope with the role that can grant it', () => {
    for (const [scope, { role }] of Object.entries(scopes))
      expect(guide).toMatch(new RegExp(`^\\| \`${scope}\` \\| .* \\| \`${role}\` \\|$`, 'm'))
  })
})

test('links between files of the repository lead to existing files', () => {
  const files = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', ...guides.map((name) => `docs/${name}.md`)]
  for (const file of files)
    for (const [, href = ''] of readFileSync(join(root, file), 'utf8').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g))
      if (!/^https?:/.test(href)) expect(existsSync(join(root, dirname(file), href)), `${file} → ${href}`).toBe(true)
})
