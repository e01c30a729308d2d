import type { Static } from 'typebox'
import type { Deps } from '../../../../lib/deps.ts'
import { refusedUrl } from '../../../../lib/outbound/safe-http.ts'
import type { FoundSources } from '../sources.schema.ts'
import { fetchSource, SourceFault } from './fetch-source.ts'
import { cut } from './plain-text.ts'

type Found = Static<typeof FoundSources>
type FetchDeps = Pick<Deps, 'dispatcher' | 'urlRules'>

/** Maximum of feeds of a site that are read. */
const MAX_FEEDS = 5
const MAX_ENTRIES = 3
const MAX_EXCERPT = 300
/** Characters of a page that are looked at: it names its feeds in its head. */
const MAX_PAGE = 200_000
/** Paths at which sites have feeds that their pages do not name. */
const USUAL_PATHS = ['/feed', '/rss.xml', '/feed.xml', '/atom.xml', '/index.xml']

const nothing = { feeds: [], page: null }

/**
 * Reads an address that a person gave, and the feeds of its site: the address itself, those that the page names, or those
 * at the usual paths. Stores nothing. Never throws for what a site returns.
 */
export async function findSources(deps: FetchDeps, url: string): Promise<Found> {
  try {
    const fetched = await fetchUnknown(deps, url)
    const { readPage, feedLinksOf } = await import('./read-items.ts')
    const feed = await feedOf(fetched)
    if (feed) return { error: null, feeds: [feed], page: null }
    const start = cut(fetched.body, MAX_PAGE)
    const named = feedLinksOf(start, fetched.url).filter((link) => !refusedUrl(link, deps.urlRules))
    const links = named.length > 0 ? named : USUAL_PATHS.map((path) => new URL(path, fetched.url).href)
    const feeds: Found['feeds'] = []
    // One after the other, so that requests of others have their turn between the parsing of two.
    for (const link of links.slice(0, MAX_FEEDS)) feeds.push(...((await readFeedAt(deps, link)) ?? []))
    const [part] = readPage(start, fetched.url)
    const page = part ? { url: fetched.url, title: part.title, text: cut(part.text, MAX_EXCERPT) } : null
    return { error: null, feeds: distinct(feeds), page }
  } catch (error) {
    return { error: error instanceof SourceFault ? error.code : 'unreadable', ...nothing }
  }
}

async function fetchUnknown(deps: FetchDeps, url: string) {
  const fetched = await fetchSource(deps, { url, etag: null, last_modified: null })
  if (!fetched) throw new SourceFault('unreadable')
  return fetched
}

/** The feed that a document is, with its newest entries. undefined: it is none. */
async function feedOf({ url, body }: { url: string; body: string }) {
  const { readFeed } = await import('./read-items.ts')
  try {
    const entries = readFeed(body, url)
      .slice(0, MAX_ENTRIES)
      .map(({ read }) => {
        const { title, text, url, published_at } = read()
        return { title, text: cut(text, MAX_EXCERPT), url, published_at }
      })
    return { url, entries }
  } catch (error) {
    if (error instanceof SourceFault) return undefined
    throw error
  }
}

const readFeedAt = async (deps: FetchDeps, link: string) => {
  try {
    const feed = await feedOf(await fetchUnknown(deps, link))
    return feed && [feed]
  } catch (error) {
    if (error instanceof SourceFault) return undefined
    throw error
  }
}

/** Each feed once: several addresses can lead to it. */
const distinct = (feeds: Found['feeds']) =>
  [...new Map(feeds.toReversed().map((feed) => [feed.url, feed])).values()].toReversed()
