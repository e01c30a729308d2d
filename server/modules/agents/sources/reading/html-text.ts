import { convert } from 'html-to-text'
import { DefaultHandler, DomUtils, Parser } from 'htmlparser2'
import { cut, plainText } from './plain-text.ts'

/** Bounds of the work that a hostile document causes. */
const limits = { maxDepth: 100, maxChildNodes: 20_000 }
const MAX_HTML = 1_000_000
const MAX_STYLE = 2000
/** Elements `link` that are looked at. */
const MAX_LINKS = 500
/** Open elements beyond which the rest of a document is not read: the parser takes longer with each. */
const MAX_OPEN = 2000

type Document = DefaultHandler['root']
type Node = Document['children'][number]
type Element = Extract<Node, { attribs: unknown }>

/** Elements that people do not see, or that are no part of what a page says. */
const dropped = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'button', 'select', 'img'],
  ...['nav', 'aside'],
])
/** Elements that belong to the site, unless an article has them. */
const ofSite = new Set(['header', 'footer'])

const isZero = (value: string) => Number.parseFloat(value) === 0
const isFarAway = (value: string) => Number.parseFloat(value) <= -100

/** Whether a declaration hides its element, by its property. `style`: all declarations without white space. */
const hides: Record<string, (value: string, style: string) => boolean> = {
  display: (value) => /^none\b/.test(value),
  visibility: (value) => /^(hidden|collapse)\b/.test(value),
  opacity: (value) => Number.parseFloat(value) / (value.includes('%') ? 100 : 1) < 0.05,
  'font-size': (value) => isZero(value) || (/^[\d.]+p[xt]/.test(value) && Number.parseFloat(value) < 2),
  'text-indent': isFarAway,
  clip: (value) => value.startsWith('rect'),
  'clip-path': (value) => value !== 'none',
  transform: (value) => /scale[xy3d]*\(0*\.?0*[,)]/.test(value.replaceAll(' ', '')),
  height: (value, style) => isZero(value) && isCut(style),
  'max-height': (value, style) => isZero(value) && isCut(style),
  left: (value, style) => isFarAway(value) && isPlaced(style),
  right: (value, style) => isFarAway(value) && isPlaced(style),
  top: (value, style) => isFarAway(value) && isPlaced(style),
}
const isCut = (style: string) => /overflow(-y)?:(hidden|clip)/.test(style)
const isPlaced = (style: string) => /position:(absolute|fixed)/.test(style)

function isHiddenBy(style: string) {
  const declarations = style.slice(0, MAX_STYLE).toLowerCase().split(';')
  const whole = declarations.join(';').replaceAll(/\s/g, '')
  return declarations.some((declaration) => {
    const [property = '', value = ''] = declaration.split(':', 2)
    return hides[property.trim()]?.(value.trim(), whole) ?? false
  })
}

const isElement = (node: Node): node is Element => 'attribs' in node

const isDropped = ({ name, attribs }: Element, isInArticle: boolean) =>
  dropped.has(name) ||
  (ofSite.has(name) && !isInArticle) ||
  'hidden' in attribs ||
  attribs['aria-hidden']?.trim() === 'true' ||
  (attribs.style !== undefined && isHiddenBy(attribs.style))

class TooDeep extends Error {}

class BoundedHandler extends DefaultHandler {
  private open = 0
  override onopentag(...opened: Parameters<DefaultHandler['onopentag']>) {
    if (++this.open > MAX_OPEN) throw new TooDeep()
    super.onopentag(...opened)
  }
  override onclosetag() {
    this.open--
    super.onclosetag()
  }
}

function parse(html: string): Document {
  const handler = new BoundedHandler()
  try {
    new Parser(handler).end(html)
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
  }
  return handler.root
}

/** Removes what people do not see, and what is nested too deeply. */
function removeHidden(document: Document) {
  const open: { node: Node; depth: number; isInArticle: boolean }[] = document.children.map((node) => ({
    ...{ node, depth: 1, isInArticle: false },
  }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth, isInArticle } = next
    if (!isElement(node)) continue
    if (depth > limits.maxDepth || isDropped(node, isInArticle)) {
      DomUtils.removeElement(node)
      continue
    }
    const isArticle = isInArticle || node.name === 'article' || node.name === 'main'
    for (const child of node.children) open.push({ node: child, depth: depth + 1, isInArticle: isArticle })
  }
}

const selectors = [
  { selector: 'a', options: { ignoreHref: true } },
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  // Cells and terms stay apart: "Simit 10" and "15 TL" are not "Simit 1015 TL".
  ...['tr', 'caption', 'dt', 'dd'].map((selector) => ({ selector, format: 'block' })),
  ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
]

/** The visible text of a document. Its links lose their addresses. */
export function textOfHtml(html: string) {
  const document = parse(cut(html, MAX_HTML))
  removeHidden(document)
  return plainText(
    convert(DomUtils.getOuterHTML(document.children), {
      ...{ wordwrap: false, limits, selectors },
      formatters: {
        cell: (cell, walk, builder) => {
          let before = cell.prev
          while (before && !before.attribs) before = before.prev
          if (before) builder.addInline(' | ')
          walk(cell.children, builder)
        },
      },
    }),
  )
}

const FEED_TYPE = /^application\/(rss\+xml|atom\+xml|feed\+json|json)\s*(;|$)/i

/** Addresses in the `link` elements with which a document names its feeds, as they are written there. */
export function feedLinks(html: string) {
  const links = DomUtils.getElementsByTagName('link', parse(cut(html, MAX_HTML)).children, true, MAX_LINKS)
  return links.flatMap(({ attribs: { rel, type, href } }) =>
    rel?.toLowerCase().split(/\s+/).includes('alternate') && FEED_TYPE.test(type?.trim() ?? '') && href ? [href] : [],
  )
}
