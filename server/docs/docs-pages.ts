import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { catalogue, notFound } from '../errors.ts'
import type { Deps } from '../lib/deps.ts'
import { escapeHtml } from '../lib/html.ts'
import { anyone } from '../lib/http/access.ts'
import { FONT_FAMILY, fontFaces } from '../lib/http/response/fonts.ts'
import type { RenderedMarkdown } from '../lib/markdown.ts'
import { networks } from '../modules/networks/registry.ts'

const folder = new URL('../../docs/', import.meta.url)

/** The files of docs/ that every instance serves, by reader. The others are for contributors, such as architecture. */
const groups: { title: string; guides: { name: string; about: string }[] }[] = [
  {
    title: 'For developers',
    guides: [
      { name: 'start', about: 'From a token to a published post and its webhook, with commands to paste' },
      { name: 'api', about: 'Tokens, errors, paging, idempotency, versions and rate limits' },
      { name: 'metrics', about: 'Views, likes and followers that networks report' },
      { name: 'queue', about: 'Posting times of accounts, and posts that take the next free one' },
      { name: 'import', about: 'Posts from a spreadsheet: columns, dates, checks, files and undo' },
      { name: 'calendar', about: 'Notes on a day, and planned posts in Google Calendar, Outlook and other programs' },
      { name: 'snippets', about: 'Texts, hashtags and templates with variables, and signatures of accounts' },
      { name: 'recurring-posts', about: 'Posts by recurrence rules: zones, variants, limits and what is skipped' },
      { name: 'approvals', about: 'Policies, decisions on one content, and posts that are not approved in time' },
      {
        name: 'notifications',
        about: 'What is told to whom, e-mails at once or daily, quiet hours, and how to stop them',
      },
      { name: 'several-workspaces', about: 'Posts copied to another workspace, and groups of accounts' },
      { name: 'media', about: 'Upload, find and download images, videos and documents' },
      { name: 'webhooks', about: 'Events, signatures, retries, and what to do when your endpoint fails' },
      { name: 'marketplace', about: 'Gigs, orders, refunds, payouts and moderation' },
      { name: 'agents', about: 'Agents that write posts: schedule, autonomy, runs and checks' },
      { name: 'recipes', about: 'Agent recipes: install, publish, versions and moderation' },
      { name: 'ai', about: 'Text, images and videos from a program; credits and errors' },
    ],
  },
  {
    title: 'For operators',
    guides: [
      { name: 'installing', about: 'Docker, Compose, a cluster, Kubernetes and systemd' },
      { name: 'operating', about: 'Database, backups, keys, several nodes, proxies and updates' },
      { name: 'hardening', about: 'A checklist for instances that others can reach' },
      { name: 'high-availability', about: 'PostgreSQL with Patroni, etcd and HAProxy, and what each break costs' },
      { name: 'monitoring', about: 'Health, metrics for Prometheus, and alerts' },
      { name: 'scaling', about: 'Costs of a unit, what one machine and several carry, and what to set' },
      { name: 'configuration', about: 'Every environment variable and option' },
      { name: 'ai-models', about: 'Providers, keys, parameters and tests' },
      { name: 'plans', about: 'Limits, meters and prices' },
      { name: 'email-templates', about: 'Texts of mails, placeholders, and the outbox' },
    ],
  },
  {
    title: 'Payments',
    guides: [
      { name: 'billing', about: 'Providers, invoices, renewals, failed payments, refunds and deletion' },
      { name: 'accounting', about: 'Fees and payouts of providers, journal entries, and differences' },
      { name: 'billing/stripe', about: 'Subscriptions by card in any country: keys, prices and the first payment' },
      { name: 'billing/iyzico', about: 'Subscriptions by card in Turkey: keys, prices and the first payment' },
      { name: 'billing/paytr', about: 'Single payments by card in Turkey: keys and the first payment' },
    ],
  },
  {
    title: 'Networks',
    guides: networks.map(({ id, description }) => ({ name: `networks/${id}`, about: description.en })),
  },
]
const names = groups.flatMap(({ guides }) => guides.map(({ name }) => name))

/** The address of the instance in the source of the guides. Each instance replaces it with its own. */
const EXAMPLE_URL = 'http://localhost:3000'

/** Turns links between files of docs/ into links between pages, and links to the instance into relative ones. */
function linkOnPage(href: string, baseUrl: string) {
  const [, name, fragment = ''] = /^(?:\.\.\/)?((?:(?:billing|networks)\/)?[a-z-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name && names.includes(name)) return `/docs/guides/${name}${fragment}`
  return href.startsWith(`${baseUrl}/`) ? href.slice(baseUrl.length) : href
}

const sourceOf = async (name: string, baseUrl: string) =>
  (await readFile(new URL(`${name}.md`, folder), 'utf8')).replaceAll(EXAMPLE_URL, baseUrl)

async function readGuide(name: string, baseUrl: string): Promise<RenderedMarkdown> {
  const { renderMarkdown } = await import('../lib/markdown.ts')
  return renderMarkdown(await sourceOf(name, baseUrl), (href) => linkOnPage(href, baseUrl))
}

/** The Markdown of a guide for the reference, with links to the pages of this instance. */
export const guideForReference = async (name: string, baseUrl: string) =>
  (await sourceOf(name, baseUrl)).replace(/\]\(([^)\s]+)\)/g, (_, href: string) => `](${linkOnPage(href, baseUrl)})`)

const style = `
${fontFaces}
:root{color-scheme:light dark;--line:light-dark(#e1e6e5,#293336);--soft:light-dark(#f4f6f5,#1c2326);--dim:light-dark(#526064,#97a5a7);--link:light-dark(#05656e,#71c6cb)}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;font:1rem/1.6 ${FONT_FAMILY};color:light-dark(#1d262a,#d6dddd);background:light-dark(#fff,#0f1517)}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;padding:.3rem .8rem;background:var(--soft)}
.page{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:3rem;max-width:76rem;margin:0 auto;padding:0 1.5rem}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:2rem 0;font-size:.9375rem}
nav p{margin:1.2rem 0 .2rem;font-weight:600}
nav p:first-child{margin-top:0}
nav img{vertical-align:-.25em}
nav ul{list-style:none;margin:0;padding:0}
nav li{margin:.25rem 0}
nav ul ul{margin:.25rem 0 .5rem;padding-left:.8rem;border-left:1px solid var(--line);font-size:.875rem}
nav a{text-decoration:none}
nav a:hover{text-decoration:underline}
[aria-current]{font-weight:600;color:inherit}
main{padding:2rem 0 5rem;max-width:50rem}
h1{margin:0 0 1rem;font-size:2rem;line-height:1.2;text-wrap:balance}
h2{margin:2.6rem 0 .6rem;font-size:1.4rem;line-height:1.3}
h3{margin:2rem 0 .5rem;font-size:1.1rem}
h2 a,h3 a,h4 a{color:inherit;text-decoration:none}
h2 a:hover,h3 a:hover,h4 a:hover{text-decoration:underline}
p,ul,ol{margin:.8rem 0}
li{margin:.3rem 0}
p,li,td,dd{overflow-wrap:anywhere}
code{font:.875em/1.5 ui-monospace,monospace;background:var(--soft);border-radius:4px;padding:.1em .3em}
pre{overflow-x:auto;margin:1rem 0;padding:1rem;background:var(--soft);border:1px solid var(--line);border-radius:8px}
pre code{padding:0;background:none}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;width:100%;font-size:.9375rem}
th,td{text-align:left;vertical-align:top;padding:.45rem 1rem .45rem 0;border-bottom:1px solid var(--line);min-width:5.5rem}
th{color:var(--dim);font-weight:600}
:target{background:light-dark(#fff3bf,#4a3c00)}
dt{margin-top:1rem;font-weight:600}
dd{margin:0;color:var(--dim)}
@media(max-width:60rem){
.page{display:block;padding:0 1rem}
nav{position:static;max-height:none;padding:1rem 0;border-bottom:1px solid var(--line)}
nav ul{display:flex;flex-wrap:wrap;gap:0 1rem}
nav p{margin:.5rem 0 0}
nav ul ul{display:none}
table{min-width:34rem}
main{padding-top:1.5rem}
h1{font-size:1.6rem}
}`

/** Link on the guides and the reference. */
export const backToConsole =
  '<a href="/"><img src="/console/mark.svg" alt="" width="20" height="20"> Back to Meydan</a>'

const securityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "font-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const link = (href: string, title: string, current: string) =>
  `<a href="${href}"${href === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`

type Page = { path: string; title: string; html: string; sections?: RenderedMarkdown['sections'] }

/** Renders a whole page with links to all others. `guides`: all guides, by name. */
function wholePage({ path, title, html, sections = [] }: Page, guides: ReadonlyMap<string, RenderedMarkdown>) {
  const contents = sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('')
  const entry = (href: string, name: string) =>
    `<li>${link(href, name, path)}${href === path && contents ? `<ul>${contents}</ul>` : ''}</li>`
  const lists = groups.map((group) => {
    const entries = group.guides.map(({ name }) => entry(`/docs/guides/${name}`, guides.get(name)?.title ?? name))
    return `<p>${group.title}</p><ul>${entries.join('')}</ul>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)} · Meydan</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>${style}</style></head><body><a class="skip" href="#content">Skip to the content</a><div class="page">
<nav aria-label="Documentation"><p>${backToConsole}</p><p>${link('/docs/guides', 'Meydan documentation', path)}</p>${lists.join('')}
<p>Reference</p><ul>${entry('/docs', 'API reference')}${entry('/docs/errors', 'Error codes')}</ul></nav>
<main id="content">${html}</main></div></body></html>`
}

function overview(guides: ReadonlyMap<string, RenderedMarkdown>): Page {
  const lists = groups.map((group) => {
    const entries = group.guides.map(
      ({ name, about }) =>
        `<dt><a href="/docs/guides/${name}">${escapeHtml(guides.get(name)?.title ?? name)}</a></dt><dd>${escapeHtml(about)}</dd>`,
    )
    return `<h2>${group.title}</h2><dl>${entries.join('')}</dl>`
  })
  const html = `<h1>Documentation</h1>${lists.join('')}
<h2>Reference</h2><dl><dt><a href="/docs">API reference</a></dt><dd>Every operation, with its fields and responses</dd>
<dt><a href="/docs/errors">Error codes</a></dt><dd>Every code that a problem document can have</dd></dl>`
  return { path: '/docs/guides', title: 'Documentation', html }
}

function errorCodes(): Page {
  const rows = Object.entries(catalogue).map(
    ([code, [status, title]]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(title)}</td></tr>`,
  )
  const html = `<h1>Error codes</h1><div class="scroll" tabindex="0"><table>
<thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead>\n<tbody>${rows.join('\n')}</tbody></table></div>`
  return { path: '/docs/errors', title: 'Error codes', html }
}

const send = (reply: FastifyReply, page: string) =>
  reply.header('content-security-policy', securityPolicy).type('text/html; charset=utf-8').send(page)

/** Renders all pages, by path. */
async function renderPages(baseUrl: string) {
  const guides = new Map(await Promise.all(names.map(async (name) => [name, await readGuide(name, baseUrl)] as const)))
  const pages: Page[] = [
    overview(guides),
    errorCodes(),
    ...[...guides].map(([name, guide]) => ({ path: `/docs/guides/${name}`, ...guide })),
  ]
  return new Map(pages.map((page) => [page.path, wholePage(page, guides)]))
}

/**
 * Serves the guides of docs/ and the error codes as self-contained pages. They are rendered once, at the first request:
 * most starts serve none.
 */
export function docsPages(app: FastifyInstance, { baseUrl }: Pick<Deps, 'baseUrl'>) {
  const options = { config: { access: anyone() }, schema: { hide: true } }
  let rendered: ReturnType<typeof renderPages> | undefined
  const sendPage = async (path: string, reply: FastifyReply) => {
    rendered ??= renderPages(baseUrl)
    const page = (await rendered).get(path)
    if (page === undefined) throw notFound()
    return send(reply, page)
  }
  app.get('/docs/errors', options, (_, reply) => sendPage('/docs/errors', reply))
  app.get('/docs/guides', options, (_, reply) => sendPage('/docs/guides', reply))
  app.get<{ Params: { '*': string } }>('/docs/guides/*', options, (request, reply) =>
    sendPage(`/docs/guides/${request.params['*']}`, reply),
  )
}
