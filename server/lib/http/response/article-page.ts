import { createHash } from 'node:crypto'
import { escapeHtml } from '../../html.ts'
import { type Language, languageOf } from '../../language.ts'
import { FONT_FAMILY, fontFaces } from './fonts.ts'

const style = `
${fontFaces}
:root { color-scheme: light dark; }
body { font: 17px/1.55 ${FONT_FAMILY}; max-width: 42rem; margin: 8vh auto; padding: 0 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
button { font: inherit; font-weight: 600; padding: 0.7rem 1.3rem; border: 0; border-radius: 10px; background: #067d87; color: #fff; cursor: pointer; }
`

const policyOf = (formAction: "'none'" | "'self'") =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "font-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ')

/** The first language that the browser accepts and Meydan has. */
export function acceptedLanguage(header = ''): Language {
  const wanted = header.split(',').map((tag) => tag.trim().slice(0, 2).toLowerCase())
  return languageOf(wanted.find((tag) => tag === 'en' || tag === 'tr') ?? 'en')
}

/** A text in sections. Every string is plain text. `button`: posts to the address of the page. */
export type Article = {
  title: string
  sections: { heading?: string; paragraphs: string[] }[]
  button?: string
}

const withBreaks = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')

/** A page that needs no script, with its headers. */
export function renderArticle(language: Language, { title, sections, button }: Article) {
  const body = sections.map(
    ({ heading, paragraphs }) =>
      `${heading === undefined ? '' : `<h2>${escapeHtml(heading)}</h2>`}${paragraphs.map((text) => `<p>${withBreaks(text)}</p>`).join('')}`,
  )
  const form = button === undefined ? '' : `<form method="post"><button>${escapeHtml(button)}</button></form>`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(button === undefined ? "'none'" : "'self'"),
    'content-language': language,
    'referrer-policy': 'no-referrer',
    vary: 'accept-language',
  }
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body.join('\n')}${form}</main></body></html>`
  return { headers, html }
}
