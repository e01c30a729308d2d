import { parseFeed } from 'feedsmith'
import { SourceFault } from './fetch-source.ts'

/**
 * A text of a feed. What looks like markup in plain text is a part of it, such as in "A guide to <head>". `mixed`: the
 * format does not say which of the two it is.
 */
export type FeedText = { text: string; format: 'plain' | 'html' | 'mixed' }

/** An entry of a feed of any format. `link`: an absolute URL. `published`: the time as the feed writes it. */
export type FeedItem = {
  id: string | undefined
  link: string | undefined
  title: FeedText
  content: FeedText
  published: string | undefined
}

type Feed = ReturnType<typeof parseFeed<string>>

const html = (text = ''): FeedText => ({ text, format: 'html' })
const plain = (text = ''): FeedText => ({ text, format: 'plain' })
const mixed = (text = ''): FeedText => ({ text, format: 'mixed' })

/** A text of Atom, which is plain unless its type says otherwise (RFC 4287, 3.1.1). */
const atomText = ({ value, type = 'text' }: { value?: string; type?: string } = {}) =>
  type === 'text' || type === 'text/plain' ? plain(value) : html(value)

/** An address that is relative to the nearest of its bases (RFC 3986, 5.1). */
function resolved(address: string | undefined, base: string, ...bases: ({ base?: string } | undefined)[]) {
  let from = base
  for (const each of bases)
    if (each?.base !== undefined && URL.canParse(each.base, from)) from = new URL(each.base, from).href
  return address !== undefined && URL.canParse(address, from) ? new URL(address, from).href : undefined
}

function itemsOf({ format, feed }: Feed, base: string): FeedItem[] {
  switch (format) {
    case 'atom':
      return (feed.entries ?? []).map(({ id, links = [], title, content, summary, published, updated, xml }) => ({
        id,
        // Others lead to a file, or to the entry in another form.
        link: resolved(links.find(({ rel = 'alternate' }) => rel === 'alternate')?.href, base, feed.xml, xml),
        title: atomText(title),
        content: atomText(content?.value === undefined ? summary : content),
        published: published ?? updated,
      }))
    case 'rdf':
      return (feed.items ?? []).map((item) => ({
        id: item.rdf?.about,
        link: resolved(item.link, base),
        title: mixed(item.title),
        content: html(item.content?.encoded ?? item.description),
        published: item.dc?.dates?.[0],
      }))
    case 'json':
      return (feed.items ?? []).map((item) => ({
        id: item.id,
        link: resolved(item.url, base),
        title: plain(item.title),
        content: item.content_html === undefined ? plain(item.content_text ?? item.summary) : html(item.content_html),
        published: item.date_published,
      }))
    default:
      return (feed.items ?? []).map((item) => ({
        id: item.guid?.value,
        link: resolved(item.link ?? permalinkOf(item.guid), base, feed.xml, item.xml),
        title: mixed(item.title),
        content: html(item.content?.encoded ?? item.description),
        published: item.pubDate,
      }))
  }
}

/** The guid of RSS is the address of its entry unless it says otherwise. */
const permalinkOf = ({ value, isPermaLink = true }: { value?: string; isPermaLink?: boolean } = {}) =>
  isPermaLink && value !== undefined && /^https?:\/\//i.test(value) ? value : undefined

/** Reads RSS, Atom, RDF and JSON Feed. `base`: the address of the feed. */
export function feedItems(body: string, base: string) {
  try {
    return itemsOf(parseFeed<string>(body), base)
  } catch (error) {
    throw new SourceFault('unreadable', { cause: error })
  }
}
