import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
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
    .filter((path) => path.endsWith('.md') && !/^(architecture|decisions|patterns)\//.test(path))
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
      'https://dev.paytr.com/en/islem-dokumu',
      'https://docs.iyzico.com/en/advanced/settlement-files',
      'https://docs.iyzico.com/en/advanced/sftp',
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

/** Pages for developers, with paths from the root. */
const pagesOfContributors = [
  'CONTRIBUTING.md',
  ...globSync('docs/{architecture.md,glossary.md,{architecture,decisions,patterns}/*.md}', { cwd: root }),
]

test('links between files of the repository lead to existing files', () => {
  const files = ['README.md', ...pagesOfContributors, ...guides.map((name) => `docs/${name}.md`)]
  for (const file of files)
    for (const [, href = ''] of readFileSync(join(root, file), 'utf8').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g))
      if (!/^https?:/.test(href)) expect(existsSync(join(root, dirname(file), href)), `${file} → ${href}`).toBe(true)
})

describe('pages for developers', () => {
  const source = globSync('{server,shared,console,test,bench,scripts,migrations,fixtures}/**/*', { cwd: root }).filter(
    (path) => !/^console\/dist/.test(path),
  )
  const texts = source
    .filter((path) => /\.(tsx?|mjs|sql|css)$/.test(path) && path !== 'test/docs-pages.test.ts')
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const quoted = (file: string) =>
    [
      ...readFileSync(join(root, file), 'utf8')
        .replace(/^```[\s\S]*?^```/gm, '')
        .matchAll(/`([^`\n]+)`/g),
    ].map(([, text = '']) => text)

  test.each(pagesOfContributors)('%s names files and folders that exist', (file) => {
    const paths = quoted(file).filter((text) => /^[\w.@-]+(\/[\w.@-]+)*(\/|\.(tsx?|mjs|sql|json|css|md))$/.test(text))
    const exists = (path: string) =>
      existsSync(join(root, path)) ||
      source.some((each) => `/${each}`.endsWith(path.startsWith('x.') ? path.slice(1) : `/${path.replace(/\/$/, '')}`))
    expect(paths.filter((path) => !exists(path))).toEqual([])
  })

  test.each(pagesOfContributors)('%s names functions and columns that exist', (file) => {
    const names = quoted(file).filter((text) => /^[a-z][a-zA-Z\d]*[A-Z_][\w]*$|^[a-z]+_[a-z_]+$/.test(text))
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(texts))).toEqual([])
  })
})
