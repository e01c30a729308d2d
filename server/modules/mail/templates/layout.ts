import { escapeHtml } from '../../../lib/html.ts'
import type { Language } from '../../../lib/language.ts'

/** A part of a mail: a paragraph, a code to type, the main link as a button, or short facts in rows. */
type Block =
  | string
  | { code: string }
  /** A text whose line breaks stay. */
  | { lines: string }
  | { button: string; url: string }
  | { rows: readonly (readonly [label: string, value: string])[] }
export type Letter = {
  subject: string
  /** Text that mail programs show after the subject. */
  preheader: string
  blocks: readonly Block[]
  /** The last line, in smaller type: why this mail was sent and what to do if it was unexpected. */
  note?: string
}

/** The typeface of the console where it is installed: mail programs load no fonts. */
const fonts =
  "font-family:'Hanken Grotesk','Hanken Grotesk Variable',-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'
const below: Record<Language, string> = {
  en: 'If the button does not work, open this link:',
  tr: 'Düğme çalışmazsa şu bağlantıyı açın:',
}

/** Styles for mail programs in dark mode. The style attributes hold the light scheme. */
const dark = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#0c1113!important}
.card{background:#192124!important;border-color:#313d40!important}
.text,.brand{color:#eff1f0!important}
.soft{color:#b3bebf!important}
.code{background:#0c1113!important;border-color:#313d40!important;color:#ffffff!important}
.row{border-color:#313d40!important}
.link{color:#71c6cb!important}
}
@media (max-width:600px){.card{padding:28px 20px!important}}`

/** Follows the preheader, so that mail programs do not append the beginning of the text to it. */
const filler = '&#847;&zwnj;&nbsp;'.repeat(40)

const blockHtml = (block: Block, language: Language) => {
  if (typeof block === 'string')
    return `<p class="text" style="margin:0 0 16px;color:#1d262a;font-size:16px;line-height:1.6">${escapeHtml(block)}</p>`
  if ('lines' in block)
    return `<p class="text" style="margin:0 0 16px;color:#1d262a;font-size:16px;line-height:1.6;white-space:pre-line">${escapeHtml(block.lines)}</p>`
  if ('code' in block)
    return `<p class="text code" style="margin:8px 0 24px;padding:16px;border:1px solid #d5dbda;border-radius:10px;background:#f7f8f7;color:#1d262a;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:30px;line-height:1.2;font-weight:700;letter-spacing:6px;text-align:center">${escapeHtml(block.code)}</p>`
  if ('rows' in block)
    return `<table ${table} width="100%" style="margin:4px 0 20px;border-collapse:collapse">${block.rows
      .map(
        ([label, value]) =>
          `<tr><td class="soft row" valign="top" style="padding:10px 16px 10px 0;border-top:1px solid #e4e8e7;color:#4a575b;font-size:14px;line-height:1.5;white-space:nowrap">${escapeHtml(label)}</td><td class="text row" valign="top" style="padding:10px 0;border-top:1px solid #e4e8e7;color:#1d262a;font-size:14px;line-height:1.5;word-break:break-word">${escapeHtml(value)}</td></tr>`,
      )
      .join('')}</table>`
  const url = escapeHtml(block.url)
  return (
    `<table ${table} style="margin:8px 0 20px"><tr><td bgcolor="#067d87" style="border-radius:10px;background:#067d87"><a href="${url}" style="display:inline-block;padding:13px 26px;border-radius:10px;background:#067d87;color:#ffffff;font-size:16px;line-height:1.2;font-weight:600;text-decoration:none">${escapeHtml(block.button)}</a></td></tr></table>` +
    `<p class="soft" style="margin:0 0 20px;color:#4a575b;font-size:13px;line-height:1.5">${below[language]}<br><a class="link" href="${url}" style="color:#067d87;word-break:break-all">${url}</a></p>`
  )
}

/** The HTML of one of our mails. Uses tables and style attributes, which all mail programs support. */
export const letterHtml = ({ subject, preheader, blocks, note }: Letter, language: Language) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(subject)}</title>
<style>
${dark}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#eff1f0;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:#eff1f0">${escapeHtml(preheader)}${filler}</div>
<table class="page" ${table} width="100%" style="background:#eff1f0;${fonts}">
<tr><td align="center" style="padding:32px 12px">
<table ${table} width="100%" style="max-width:560px">
<tr><td class="brand" style="padding:0 4px 16px;color:#1d262a;font-size:18px;line-height:1.3;font-weight:700">{{app_name}}</td></tr>
<tr><td class="card" style="padding:36px 40px 24px;border:1px solid #e4e8e7;border-radius:16px;background:#ffffff">
${blocks.map((block) => blockHtml(block, language)).join('\n')}
${note ? `<p class="soft" style="margin:0 0 12px;color:#4a575b;font-size:13px;line-height:1.5">${escapeHtml(note)}</p>` : ''}
</td></tr>
<tr><td class="soft" style="padding:16px 4px 0;color:#4a575b;font-size:12px;line-height:1.5">{{app_name}} · {{app_url}}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`

const blockText = (block: Block) => {
  if (typeof block === 'string') return block
  if ('lines' in block) return block.lines
  if ('code' in block) return `    ${block.code}`
  if ('rows' in block) return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n')
  return `${block.button}:\n${block.url}`
}

/** The plain text of one of our mails. */
export const letterText = ({ blocks, note }: Letter) =>
  `${[...blocks.map(blockText), ...(note ? [note] : [])].join('\n\n')}\n\n-- \n{{app_name}} · {{app_url}}\n`
