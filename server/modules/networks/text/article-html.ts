/** Texts of posts as articles: with a title, and paragraphs of HTML. */

import { linksIn } from '../../../../shared/text/links.ts'
import { escapeHtml } from '../../../lib/html.ts'
import type { OptionField } from '../options.ts'

/** HTML that is shown as this text. Sites run shortcodes in square brackets. */
export const htmlOf = (text: string) => escapeHtml(text).replaceAll('[', '&#91;').replaceAll(']', '&#93;')

/** Title of the article. `titleAndBody` makes one of the text where it is unset. */
export const titleOption: OptionField = {
  key: 'title',
  shown_as: 'title',
  type: 'text',
  label: { en: 'Title', tr: 'Başlık' },
  help: {
    en: 'If it is empty, the first line of the text is the title.',
    tr: 'Boşsa metnin ilk satırı başlık olur.',
  },
  max_length: 200,
}

function withLinks(line: string) {
  let html = ''
  let end = 0
  for (const { url, index } of linksIn(line)) {
    html += `${htmlOf(line.slice(end, index))}<a href="${htmlOf(url)}">${htmlOf(url)}</a>`
    end = index + url.length
  }
  return html + htmlOf(line.slice(end))
}

/** Paragraphs with links that can be clicked. A blank line begins the next one. */
export const paragraphsOf = (text: string) =>
  text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim())
    .map((paragraph) => `<p>${paragraph.trim().split('\n').map(withLinks).join('<br>')}</p>`)
