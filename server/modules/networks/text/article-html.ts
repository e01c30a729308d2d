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

const MAX_TITLE = 100

/**
 * The title and the text below it. Without a title of its own, a post has its first line as one. A line that is too
 * long for a title is shortened there, and stays in the text.
 */
export function titleAndBody(text: string, title: string): { title: string; body: string } {
  if (title) return { title, body: text }
  const [first = '', ...others] = text.trim().split('\n')
  const line = first.trim()
  const below = others.join('\n').trim()
  if (line.length > MAX_TITLE) return { title: shortened(line), body: text }
  return { title: line, body: below || text }
}

const segmenter = new Intl.Segmenter()

/** Cuts between words where it can, and never within an emoji. */
function shortened(line: string) {
  let cut = ''
  for (const { segment } of segmenter.segment(line)) {
    if (cut.length + segment.length > MAX_TITLE) break
    cut += segment
  }
  return `${cut.replace(/\s+\S*$/, '')}…`
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
