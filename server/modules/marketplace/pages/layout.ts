import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../lib/html.ts'
import type { Language } from '../../../lib/language.ts'
import { style } from './style.ts'
import { pageTexts } from './texts.ts'

/** No script runs. What is in a script element is data for search engines. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "img-src 'self'",
  "media-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** A request for a page. `chosen`: the language is in the address, so links keep it. */
export type Visit = { language: Language; chosen: boolean; appName: string; baseUrl: string }

export type Page = {
  title: string
  description: string
  /** Path with its query, without the language. */
  path: string
  isIndexed: boolean
  /** Path of the image of a link to this page. */
  image?: string | null
  type?: 'website' | 'product' | 'profile'
  /** Data by schema.org. */
  data?: object
  body: string
}

const withLanguage = (path: string, language: Language) => `${path}${path.includes('?') ? '&' : '?'}lang=${language}`

/** A link to a page of the marketplace, escaped. */
export const linkTo = (visit: Visit, path: string) =>
  escapeHtml(visit.chosen ? withLanguage(path, visit.language) : path)

/** JSON that cannot end its element. */
const jsonIn = (data: object) => JSON.stringify(data).replaceAll('<', '\\u003c')

function headOf(visit: Visit, { title, description, path, isIndexed, image, type = 'website', data }: Page) {
  const { baseUrl, appName, language } = visit
  const url = (part: string) => escapeHtml(`${baseUrl}${part}`)
  const meta = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}">`
  const og = (name: string, content: string) => `<meta property="og:${name}" content="${escapeHtml(content)}">`
  return [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)} · ${escapeHtml(appName)}</title>`,
    '<meta name="color-scheme" content="light dark"><link rel="icon" href="/console/mark.svg" type="image/svg+xml">',
    meta('description', description),
    meta('robots', isIndexed ? 'index, follow' : 'noindex, follow'),
    ...(isIndexed
      ? [
          `<link rel="canonical" href="${url(path)}">`,
          ...(['en', 'tr'] as const).map(
            (other) => `<link rel="alternate" hreflang="${other}" href="${url(withLanguage(path, other))}">`,
          ),
          `<link rel="alternate" hreflang="x-default" href="${url(path)}">`,
        ]
      : []),
    ...[og('title', title), og('description', description), og('type', type), og('url', `${baseUrl}${path}`)],
    ...[og('site_name', appName), og('locale', language === 'tr' ? 'tr_TR' : 'en_US')],
    ...(image ? [og('image', `${baseUrl}${image}`), meta('twitter:card', 'summary_large_image')] : []),
    ...(data ? [`<script type="application/ld+json">${jsonIn(data)}</script>`] : []),
    `<style>${style}</style>`,
  ].join('\n')
}

export function renderPage(visit: Visit, page: Page) {
  const { language, appName } = visit
  const text = pageTexts[language]
  const other = language === 'tr' ? 'en' : 'tr'
  return `<!doctype html>
<html lang="${language}"><head>
${headOf(visit, page)}
</head><body>
<header class="top"><div class="wrap"><a class="brand" href="${linkTo(visit, '/marketplace')}"><img src="/console/mark.svg" alt="" width="30" height="30">${escapeHtml(appName)} ${text.marketplace}</a>
<nav><a href="${escapeHtml(withLanguage(page.path, other))}" hreflang="${other}" lang="${other}">${text.other_language}</a><a href="/">${text.open_console}</a></nav></div></header>
<main class="wrap">${page.body}</main>
<footer><div class="wrap">${escapeHtml(appName)}</div></footer>
</body></html>`
}
