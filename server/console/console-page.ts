import { createHash } from 'node:crypto'

type PageRequest = { url: string; headers: { cookie?: string | undefined; 'accept-language'?: string | undefined } }

/** Vite's manifest: each source file or chunk with what was built from it. A chunk of pages has no source. */
export type Manifest = Record<string, { file: string; name?: string; src?: string; imports?: string[]; css?: string[] }>

/** Chunks of `pageChunks` in vite.config.ts that the pages below a path load. The first matching path counts. */
const needs: { path: RegExp; chunks: string[]; texts?: string[] }[] = [
  { path: /^\/setup\b/, chunks: ['set-up'], texts: ['workspace', 'further'] },
  { path: /^\/(sign-up|forgot-password|reset-password|invitation)\b/, chunks: ['signed-out'] },
  { path: /^\/review\//, chunks: ['client-review'] },
  { path: /^\/pricing\b/, chunks: ['pricing'], texts: ['workspace', 'further'] },
  ...signedIn(/^\/w\/[^/]+\/posts\/(new|[^/]+\/edit)\b/, 'compose'),
  ...signedIn(/^\/w\/[^/]+\/media\b/, 'media'),
  ...signedIn(/^\/w\/[^/]+\/agents\b/, 'agents'),
  ...signedIn(/^\/w\/[^/]+\/catalog\b/, 'catalog'),
  ...signedIn(/^\/w\/[^/]+\/webhooks\b/, 'webhooks'),
  ...signedIn(/^\/(choose-plan\b|w\/[^/]+\/billing\b)/, 'billing'),
  ...signedIn(/^\/w\/[^/]+\/(members|tokens|audit-log|settings)\b/, 'workspace-admin'),
  ...signedIn(/^\/w\/[^/]+\/(calendar|posts(\/deleted)?)\/?$/, 'posts'),
  ...signedIn(/^\/w\/[^/]+\/posts\/[^/]+\/?$/, 'post'),
  ...signedIn(/^\/(w\/|new-workspace\b|$)/, 'workspace'),
  ...signedIn(/^\/profile\b/, 'profile'),
  ...signedIn(/^\/admin\/users\b/, 'profile', 'instance-admin'),
  ...signedIn(/^\/admin\/audit-log\b/, 'workspace-admin', 'instance-admin'),
  ...signedIn(/^\/admin\/plans\b/, 'plans', 'instance-admin'),
  ...signedIn(/^\/admin\/marketplace\b/, 'marketplace-admin', 'instance-admin'),
  ...signedIn(/^\/admin\/agent-recipes\b/, 'catalog-admin', 'instance-admin'),
  ...signedIn(/^\/admin\/(billing|ledger)\b/, 'billing-admin', 'instance-admin'),
  ...signedIn(/^\/admin\b/, 'instance-admin', 'instance-admin'),
]

function signedIn(path: RegExp, chunk: string, ...texts: string[]) {
  const further = chunk === 'posts' ? [] : ['further']
  return [{ path, chunks: ['shell', chunk], texts: ['workspace', ...further, ...texts] }]
}

/** Calls with which every signed-in page begins. */
const firstCalls = ['/api/v1/me', '/api/v1/workspaces?limit=100']

const languages = ['en', 'tr']

/** The language that the console will start in: the one chosen in this browser, else the first that it prefers. */
function languageOf({ headers }: PageRequest) {
  const chosen = /(?:^|;\s*)meydan\.language=(\w+)/.exec(headers.cookie ?? '')?.[1]
  const wanted = [chosen ?? '', ...(headers['accept-language'] ?? '').split(',')].map((tag) => tag.trim().slice(0, 2))
  return wanted.find((language) => languages.includes(language)) ?? 'en'
}

/** Returns the page for a request, with links to what its scripts would request later. */
export function pageWithLinks(page: string, manifest: Manifest) {
  const known = new Map<string, string>()
  return (request: PageRequest) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const index = needs.findIndex((need) => need.path.test(path))
    const language = languageOf(request)
    const key = `${index} ${language}`
    const made = known.get(key) ?? page.replace('</head>', `${linksOf(manifest, needs[index], language, page)}</head>`)
    known.set(key, made)
    return made
  }
}

function linksOf(manifest: Manifest, need: (typeof needs)[number] | undefined, language: string, page: string) {
  const files = new Set<string>()
  const collect = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || files.has(chunk.file)) return
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    chunk.imports?.forEach(collect)
  }
  const { chunks = [], texts = [] } = need ?? {}
  for (const part of ['signed-out', ...texts]) collect(`../virtual:texts/${language}/${part}`)
  // Texts are built from a source, and some have the name of a chunk.
  // In the order of the chunks: style sheets of a page come after those that it shares with others.
  for (const chunk of chunks)
    for (const [key, { name, src }] of Object.entries(manifest)) if (name === chunk && src === undefined) collect(key)
  const fonts = ['latin', ...(language === 'tr' ? ['latin-ext'] : [])].flatMap((script) =>
    Object.values(manifest).filter(({ file }) => file.includes(`-${script}-wght-normal`)),
  )
  const fetched = 'as="fetch" crossorigin'
  return [
    ...fonts.map(({ file }) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/console/${file}">`),
    ...[...files]
      .filter((file) => !page.includes(file))
      .map(
        (file) =>
          `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="/console/${file}">`,
      ),
    ...(chunks.includes('shell') ? firstCalls : []).map((call) => `<link rel="preload" ${fetched} href="${call}">`),
  ].join('')
}

/** The hashes of the inline scripts of a page, as the Content-Security-Policy writes them. */
export const scriptHashes = (page: string) =>
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
