import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../lib/html.ts'
import { FONT_FAMILY, fontFaces } from '../../../lib/http/response/fonts.ts'
import type { InvoiceDocument } from './document.ts'

const style = `
${fontFaces}
:root { color-scheme: light; font: 15px/1.5 ${FONT_FAMILY}; color: #1a1b1e; background: #fff }
body { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1.25rem }
header { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem }
h1 { font-size: 1.75rem; margin: 0 }
h2 { font-size: .8rem; margin: 0 0 .25rem; color: #495057 }
p { margin: 0; overflow-wrap: anywhere }
.status { font-weight: 600 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; margin: 1.5rem 0 2rem }
dt { color: #495057 }
dd { margin: 0; overflow-wrap: anywhere }
.parties { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; margin-bottom: 2rem }
.parties p:nth-of-type(1) { font-weight: 600 }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .5rem 0 .5rem 1rem; text-align: right; vertical-align: top; border-bottom: 1px solid #dee2e6 }
th:first-child, td:first-child { padding-left: 0; text-align: left; overflow-wrap: anywhere }
thead th { font-size: .8rem; color: #495057 }
td + td { white-space: nowrap }
tfoot th, tfoot td { border: 0; padding-block: .25rem; font-weight: 400 }
tfoot th:first-child { text-align: right }
tfoot tr:first-child > * { padding-top: 1rem }
tfoot tr:last-child > * { font-weight: 600; font-size: 1.1rem }
footer { margin-top: 3rem; color: #495057; font-size: .85rem }
@media print { body { padding: 0; max-width: none } thead { display: table-header-group } tr, .parties { break-inside: avoid } }
@page { size: A4; margin: 18mm }
`

/** Nothing may run, and nothing but the typeface is loaded. */
export const invoicePagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox',
].join('; ')

/** A page that stands alone and can be printed. */
export function toHtml({ language, title, number, status, ...shown }: InvoiceDocument) {
  const facts = shown.facts.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`)
  const parties = shown.parties.map(
    ({ label, lines }) =>
      `<section><h2>${escapeHtml(label)}</h2>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}</section>`,
  )
  const { columns, lines, totals, note } = shown
  const head = [columns.item, columns.vat, columns.amount].map((name) => `<th scope="col">${escapeHtml(name)}</th>`)
  const rows = lines.map(
    ({ item, vat, amount }) =>
      `<tr><td>${escapeHtml(item)}</td><td>${escapeHtml(vat)}</td><td>${escapeHtml(amount)}</td></tr>`,
  )
  const foot = totals.map(
    ({ label, value }) => `<tr><th scope="row" colspan="2">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(`${title} ${number}`)}</title><style>${style}</style></head>
<body>
<header><h1>${escapeHtml(title)}</h1>${status === null ? '' : `<p class="status">${escapeHtml(status)}</p>`}</header>
<dl>${facts.join('')}</dl>
<div class="parties">${parties.join('')}</div>
<table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody><tfoot>${foot.join('')}</tfoot></table>
<footer><p>${escapeHtml(note)}</p></footer>
</body>
</html>
`
}
