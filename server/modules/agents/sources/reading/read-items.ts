import { createHash } from 'node:crypto'
import { hostWithoutWww, linkKey } from '../../../../lib/tracking-parameters.ts'
import { type FeedItem, type FeedText, feedItems } from './feed-items.ts'
import { timeOf } from './feed-times.ts'
import { SourceFault } from './fetch-source.ts'
import { feedLinks, textOfHtml } from './html-text.ts'
import { cut, plainText } from './plain-text.ts'

const MAX_TITLE = 300
const MAX_ITEM_TEXT = 2000
/** Entries of a feed that are remembered at a time. */
const MAX_ENTRIES = 500
/** Parts of a page. */
const MAX_PARTS = 5

/** Items read from a feed or page, ready to be stored. */
export type ReadItem = { key_hash: string; title: string; text: string; url: string | null; published_at: Date | null }

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The link of an entry if it leads to the host of its source, or below it. */
function ownLink(source_url: string, link: string | undefined) {
  if (link === undefined || !URL.canParse(link, source_url)) return null
  const [url, source] = [new URL(link, source_url), new URL(source_url)]
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const [host, own] = [hostWithoutWww(url), hostWithoutWww(source)]
  const isOwn = (host === own || host.endsWith(`.${own}`)) && url.port === source.port
  if (!isWeb || !isOwn || url.username !== '' || url.password !== '' || url.href.length > 2048) return null
  return url.href
}

/** Newest first. An entry without a time that can be read has that of the entry before it, or of the first with one. */
function newestFirst(items: readonly FeedItem[]) {
  const timed = items.map((item) => ({ item, time: timeOf(item.published) }))
  let latest = timed.find(({ time }) => time)?.time ?? null
  const placed = timed.map(({ item, time }) => {
    latest = time ?? latest
    return { item, time, place: Number(latest) }
  })
  return placed.toSorted((a, b) => b.place - a.place)
}

/** Names that only one entry of the feed has. Some feeds give all entries one id, or one link. */
function unique(names: readonly (string | undefined)[]) {
  const counts = new Map<string, number>()
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  return (name: string | undefined) => (name !== undefined && name !== '' && counts.get(name) === 1 ? name : undefined)
}

/** An entry of a feed. `known_as`: hashes of all that can name it, also those that earlier versions stored. */
export type FeedEntry = { key_hash: string; link_hash: string | null; known_as: string[]; read: () => ReadItem }

const TAG = /<(?:(\/?)([a-z][a-z0-9-]*)(?=[\s/>])[^<>]*>)?/gi
const VOID = ['br', 'hr', 'img', 'wbr']

/** The HTML of a text in which only elements that are closed are markup: "What is <b>?" has none. */
function htmlOfMixed(text: string) {
  const tags = [...text.matchAll(TAG)]
  const named = (isEnd: boolean) =>
    new Set(tags.filter(([, slash]) => (slash === '/') === isEnd).map(([, , name = '']) => name.toLowerCase()))
  const [begun, ended] = [named(false), named(true)]
  const isMarkup = (name: string) => VOID.includes(name) || (begun.has(name) && ended.has(name))
  return text.replace(TAG, (tag, _, name = '') => (isMarkup(name.toLowerCase()) ? tag : `&lt;${tag.slice(1)}`))
}

const textOf = ({ text, format }: FeedText) =>
  format === 'plain' ? plainText(text) : textOfHtml(format === 'mixed' ? htmlOfMixed(text) : text)

/** Entries of a feed, newest first. Their texts are read when asked for: most are known already. */
export function readFeed(body: string, source_url: string): FeedEntry[] {
  const items = feedItems(body, source_url)
  const ownId = unique(items.map(({ id }) => id?.trim()))
  const linkOf = unique(items.map(({ link }) => link && linkKey(link)))
  const entries = newestFirst(items)
    .slice(0, MAX_ENTRIES)
    .map(({ item, time }): FeedEntry => {
      const { title, content, link } = item
      const id = ownId(item.id?.trim())
      const own = linkOf(link && linkKey(link))
      const names = [
        ...(id === undefined ? [] : [linkKey(id), id]),
        ...(own === undefined ? [] : [`link ${own}`, link]),
        ...(id === undefined && own === undefined ? [`${title.text}\n${content.text}`] : []),
      ]
      const known_as = names.map((name = '') => hashOf(name))
      const [key_hash = ''] = known_as
      return {
        key_hash,
        known_as,
        link_hash: own === undefined ? null : hashOf(`link ${own}`),
        read: () => ({
          key_hash,
          title: cut(textOf(title).replaceAll('\n', ' '), MAX_TITLE),
          text: cut(textOf(content), MAX_ITEM_TEXT),
          url: ownLink(source_url, link),
          published_at: time,
        }),
      }
    })
  return [...new Map(entries.toReversed().map((entry) => [entry.key_hash, entry])).values()].toReversed()
}

/** The text of a page, in parts. */
export function readPage(body: string, source_url: string): ReadItem[] {
  const text = textOfHtml(body)
  if (text === '') throw new SourceFault('unreadable')
  const title = cut(plainText(textOfHtml(/<title[^>]*>([^<]{0,1000})/i.exec(body)?.[1] ?? '')), MAX_TITLE)
  const url = ownLink(source_url, source_url)
  const parts: ReadItem[] = []
  for (let rest = text; rest !== '' && parts.length < MAX_PARTS; ) {
    const whole = cut(rest, MAX_ITEM_TEXT)
    const end = whole.length < rest.length ? whole.lastIndexOf('\n') : -1
    const part = end > 0 ? whole.slice(0, end) : whole
    rest = rest.slice(part.length).trim()
    parts.push({ key_hash: hashOf(`part ${parts.length}`), title, text: part, url, published_at: null })
  }
  return parts
}

/** Addresses of the feeds that a page names, absolute and each once. */
export const feedLinksOf = (body: string, page_url: string) => [
  ...new Set(
    feedLinks(body).flatMap((href) => {
      if (!URL.canParse(href, page_url)) return []
      const { href: url, protocol } = new URL(href, page_url)
      return url.length <= 2048 && /^https?:$/.test(protocol) ? [url] : []
    }),
  ),
]
