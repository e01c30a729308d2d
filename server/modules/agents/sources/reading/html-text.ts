import { convert } from 'html-to-text'
import { withoutHiddenCharacters } from '../../drafts/hidden-characters.ts'

/** Bounds of the work that a hostile document causes. */
const limits = { maxDepth: 100, maxChildNodes: 20_000 }
const MAX_HTML = 1_000_000

/** Elements that people do not see, or that are no part of what a page says. */
const dropped = [
  ...['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'form', 'button', 'select', 'img'],
  ...['nav', 'header', 'footer', 'aside', '[hidden]', '[aria-hidden="true"]', '[style*="visibility"][style*="hidden"]'],
  ...['[style*="display"][style*="none"]', '[style*="opacity"]', '[style*="font-size"]', '[style*="text-indent"]'],
  ...['[style*="clip"]', '[style*="position"][style*="absolute"]'],
]

const selectors = [
  ...dropped.map((selector) => ({ selector, format: 'skip' })),
  { selector: 'a', options: { ignoreHref: true } },
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
]

/** Cuts a text to at most `max` UTF-16 units, between characters. */
export const cut = (text: string, max: number) => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** Text without what nobody sees, on few lines. */
export const plainText = (text: string) =>
  withoutHiddenCharacters(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()

/** The visible text of a document. Its links lose their addresses. */
export const textOfHtml = (html: string) =>
  plainText(convert(cut(html, MAX_HTML), { wordwrap: false, limits, selectors }))
