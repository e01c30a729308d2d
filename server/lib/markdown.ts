import { Marked } from 'marked'
import { escapeHtml } from './html.ts'

/** Maps the target of a link in the text to its target on the page. */
type LinkTarget = (href: string) => string

type Section = { id: string; title: string }
export type RenderedMarkdown = { title: string; html: string; sections: Section[] }

/** The text of a heading without its markup. */
const plainText = (markup: string) =>
  markup
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim()

/** The id of a heading as GitHub makes it, so that links to sections work in both places. */
const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** Keeps http and relative links only: other schemes could run a script or open another program. */
const safeHref = (href: string) => (/^(?!https?:)[a-z][a-z\d+.-]*:/i.test(href) ? '#' : escapeHtml(href))

/**
 * Renders one of our guides. HTML in the text is escaped. The first heading is the title of the page; the others start
 * at the second level.
 */
export function renderMarkdown(text: string, linkTo: LinkTarget): RenderedMarkdown {
  const sections: Section[] = []
  const ids = new Map<string, number>()
  let title = ''
  const marked = new Marked({
    // A bare address in a text, such as that of a sender, does not become a link.
    tokenizer: { url: () => undefined },
    renderer: {
      html: ({ text: html }) => escapeHtml(html),
      heading({ depth, text: markup, tokens }) {
        const plain = plainText(markup)
        const content = this.parser.parseInline(tokens)
        if (title === '') {
          title = plain
          return `<h1>${content}</h1>\n`
        }
        const base = slug(plain)
        const seen = ids.get(base) ?? 0
        ids.set(base, seen + 1)
        const id = seen === 0 ? base : `${base}-${seen}`
        const tag = `h${Math.max(depth, 2)}`
        if (tag === 'h2') sections.push({ id, title: plain })
        return `<${tag} id="${escapeHtml(id)}"><a href="#${escapeHtml(id)}">${content}</a></${tag}>\n`
      },
      link({ href, tokens }) {
        return `<a href="${safeHref(linkTo(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      code: ({ text: code }) => `<pre tabindex="0"><code>${escapeHtml(code)}\n</code></pre>\n`,
      table({ header, rows }) {
        const cell = (tag: 'td' | 'th', tokens: (typeof header)[number]['tokens']) =>
          // Screen readers announce an empty `th`.
          tokens.length === 0 ? '<td></td>' : `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`
        const head = header.map(({ tokens }) => cell('th', tokens)).join('')
        const body = rows.map((row) => `<tr>${row.map(({ tokens }) => cell('td', tokens)).join('')}</tr>`)
        return `<div class="scroll" tabindex="0"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody></table></div>\n`
      },
    },
  })
  const html = marked.parse(text, { async: false }).trim()
  return { title, html, sections }
}
