import { convert } from 'html-to-text'
import { cut, plainText } from './plain-text.ts'

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

/** The visible text of a document. Its links lose their addresses. */
export const textOfHtml = (html: string) =>
  plainText(convert(cut(html, MAX_HTML), { wordwrap: false, limits, selectors }))
