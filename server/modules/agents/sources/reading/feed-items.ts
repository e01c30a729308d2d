import { parseFeed } from 'feedsmith'
import { SourceFault } from './fetch-source.ts'

/** An entry of a feed, whatever its format. */
export type FeedItem = {
  id: string | undefined
  link: string | undefined
  title: string | undefined
  html: string | undefined
  published: string | undefined
}

type Feed = ReturnType<typeof parseFeed<string>>

function itemsOf({ format, feed }: Feed): FeedItem[] {
  switch (format) {
    case 'atom':
      return (feed.entries ?? []).map(({ id, links = [], title, content, summary, published, updated }) => ({
        id,
        link: (links.find(({ rel = 'alternate' }) => rel === 'alternate') ?? links[0])?.href,
        title: title?.value,
        html: content?.value ?? summary?.value,
        published: published ?? updated,
      }))
    case 'rdf':
      return (feed.items ?? []).map((item) => ({
        id: item.rdf?.about,
        link: item.link,
        title: item.title,
        html: item.content?.encoded ?? item.description,
        published: item.dc?.dates?.[0],
      }))
    case 'json':
      return (feed.items ?? []).map((item) => ({
        id: item.id,
        link: item.url,
        title: item.title,
        html: item.content_html ?? item.content_text ?? item.summary,
        published: item.date_published,
      }))
    default:
      return (feed.items ?? []).map((item) => ({
        id: item.guid?.value,
        link: item.link,
        title: item.title,
        html: item.content?.encoded ?? item.description,
        published: item.pubDate,
      }))
  }
}

/** Reads RSS, Atom, RDF and JSON Feed. */
export function feedItems(body: string) {
  try {
    return itemsOf(parseFeed<string>(body))
  } catch (error) {
    throw new SourceFault('unreadable', { cause: error })
  }
}
