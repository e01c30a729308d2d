import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

type Respond = (request: IncomingMessage, response: ServerResponse) => void

/** A site of a customer until the test ends. `serve`: a body with an entity tag, or what responds in its place. */
export async function feedSite(first: string | Respond = '') {
  let current = first
  let version = 1
  const calls: { url: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    calls.push({ url: request.url ?? '', headers: request.headers })
    if (typeof current === 'function') return current(request, response)
    const etag = `"v${version}"`
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end()
    return response.writeHead(200, { 'content-type': 'application/xml', etag }).end(current)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const serve = (next: string | Respond) => {
    current = next
    version++
  }
  return { url, calls, serve }
}

type Entry = { id: string; title?: string; html?: string; link?: string; date?: Date }

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export const rssOf = (entries: readonly Entry[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>https://news.example</link>${entries
    .map(
      ({ id, title = id, html = '', link, date }) =>
        `<item><guid>${id}</guid><title>${escaped(title)}</title><description>${escaped(html)}</description>${
          link ? `<link>${escaped(link)}</link>` : ''
        }${date ? `<pubDate>${date.toUTCString()}</pubDate>` : ''}</item>`,
    )
    .join('')}</channel></rss>`

/** An RSS feed of ten entries, the newest first. `part`: the elements of an entry besides its text. */
export const tenEntries = (part: (n: number) => string) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>F</title><link>http://site.example/</link><description>d</description>${Array.from(
    { length: 10 },
    (_, at) => `<item>${part(10 - at)}<description>Text ${10 - at}</description></item>`,
  ).join('')}</channel></rss>`

/** The date of an entry, by the day of January 2026. */
export const dated = (n: number) => `<pubDate>${new Date(Date.UTC(2026, 0, n, 9)).toUTCString()}</pubDate>`
