import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../../lib/html.ts'
import { FONT_FAMILY, fontFaces } from '../../../../lib/http/response/fonts.ts'
import type { Language } from '../../../../lib/language.ts'

/** The page of Meydan around a form of iyzico. */
export const hostedPath = (token: string) => `/billing/iyzico/pay/${encodeURIComponent(token)}`

const texts = {
  en: { title: 'Payment', loading: 'The form of iyzico is loading. It needs JavaScript.', back: 'Back without paying' },
  tr: { title: 'Ödeme', loading: 'iyzico formu yükleniyor. JavaScript gerekir.', back: 'Ödemeden geri dön' },
} as const satisfies Record<Language, Record<string, string>>

const style = `${fontFaces}
body{margin:0;font:1rem/1.5 ${FONT_FAMILY};background:#f5f6f8;color:#1b1e23}
main{max-width:40rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.4rem;margin:0 0 .25rem}
p{margin:0 0 1rem}
a{color:#0b62b5}`

type HostedPage = {
  language: Language
  /** Title of the payment, such as `Pro, monthly: ₺499.00`. */
  description: string
  /** HTML of iyzico with its script, which loads the form into the element that it looks for. */
  form_html: string
  /** Path of the console. */
  back: string
}

/**
 * The page, and the policy that lets the script of iyzico run and nothing else. `origin`: the origin of iyzico's API.
 */
export function hostedPage({ language, description, form_html, back }: HostedPage, origin: string) {
  const { title, loading, back: backText } = texts[language]
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title} · Meydan</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><style>${style}</style></head>
<body><main><h1>${title}</h1><p>${escapeHtml(description)}</p>
<div id="iyzipay-checkout-form" class="responsive"><noscript>${loading}</noscript></div>
<p><a href="${escapeHtml(back)}">${backText}</a></p></main>${form_html}</body></html>`
  return { html, policy: policyFor(form_html, origin) }
}

/** Scripts of the form are allowed by their hashes, and load others. The bank of the card may show a page in a frame. */
function policyFor(form_html: string, origin: string) {
  const scripts = [...form_html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/gi)].map(([, text = '']) => text)
  const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  const hosts = `${origin} https://*.iyzipay.com https://*.iyzico.com`
  return [
    "default-src 'none'",
    `script-src ${[...hashes, "'strict-dynamic'"].join(' ')} ${hosts}`,
    "style-src 'unsafe-inline' https:",
    'img-src https: data:',
    "font-src 'self' https: data:",
    `connect-src ${hosts}`,
    'frame-src https:',
    `form-action 'self' https: ${origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
