import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../lib/html.ts'
import { FONT_FAMILY, fontFaces } from '../../../lib/http/response/fonts.ts'
import { type Language, languageOf } from '../../../lib/language.ts'

const style = `
${fontFaces}
:root { color-scheme: light dark; }
body { font: 17px/1.55 ${FONT_FAMILY}; max-width: 42rem; margin: 8vh auto; padding: 0 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The first language that the browser accepts and Meydan has. */
export function acceptedLanguage(header = ''): Language {
  const wanted = header.split(',').map((tag) => tag.trim().slice(0, 2).toLowerCase())
  return languageOf(wanted.find((tag) => tag === 'en' || tag === 'tr') ?? 'en')
}

/** A text in sections. Every string is plain text. */
export type Article = { title: string; sections: { heading?: string; paragraphs: string[] }[] }

const withBreaks = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')

/** A page that needs no script, with its headers. */
export function renderArticle(language: Language, { title, sections }: Article) {
  const body = sections.map(
    ({ heading, paragraphs }) =>
      `${heading === undefined ? '' : `<h2>${escapeHtml(heading)}</h2>`}${paragraphs.map((text) => `<p>${withBreaks(text)}</p>`).join('')}`,
  )
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'content-language': language,
    'referrer-policy': 'no-referrer',
    vary: 'accept-language',
  }
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body.join('\n')}</main></body></html>`
  return { headers, html }
}
