import { createHash } from 'node:crypto'
import { type FeedItem, feedItems } from './feed-items.ts'
import { SourceFault } from './fetch-source.ts'
import { textOfHtml } from './html-text.ts'
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

const bareHost = (url: URL) => url.hostname.replace(/^www\./, '')

/** The link of an entry if it leads to the host of its source, or below it. */
function ownLink(source_url: string, link: string | undefined) {
  if (link === undefined || !URL.canParse(link, source_url)) return null
  const [url, source] = [new URL(link, source_url), new URL(source_url)]
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const [host, own] = [bareHost(url), bareHost(source)]
  const isOwn = (host === own || host.endsWith(`.${own}`)) && url.port === source.port
  if (!isWeb || !isOwn || url.username !== '' || url.password !== '' || url.href.length > 2048) return null
  return url.href
}

/** A time that feeds give. null for one that cannot be read. */
function timeOf(text: string | undefined) {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) || Math.abs(time) > 8e12 ? null : new Date(time)
}

/** Newest first. Without all of the times, the order of the feed is taken for that. */
function newestFirst(items: readonly FeedItem[]) {
  const timed = items.map((item) => ({ item, time: timeOf(item.published) }))
  if (timed.some(({ time }) => time === null)) return timed
  return timed.toSorted((a, b) => Number(b.time) - Number(a.time))
}

/** Entries of a feed by their keys, newest first. Their texts are read when asked for: most are known already. */
export function readFeed(body: string, source_url: string) {
  const entries = new Map<string, () => ReadItem>()
  for (const { item, time } of newestFirst(feedItems(body)).slice(0, MAX_ENTRIES)) {
    const { id, link, title = '', html = '' } = item
    const key_hash = hashOf(id ?? link ?? `${title}\n${html}`)
    if (entries.has(key_hash)) continue
    entries.set(key_hash, () => ({
      key_hash,
      title: cut(textOfHtml(title).replaceAll('\n', ' '), MAX_TITLE),
      text: cut(textOfHtml(html), MAX_ITEM_TEXT),
      url: ownLink(source_url, link),
      published_at: time,
    }))
  }
  return entries
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
