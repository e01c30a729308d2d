import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { anyone } from '../../../lib/http/access.ts'
import { isKnown } from '../../../lib/http/etag.ts'
import { readFeed, renderFeed } from './feed.ts'

/** Whether the reader has what was last changed then. An ETag counts before a time (RFC 9110, section 13.2.2). */
function hasCurrent(request: FastifyRequest, etag: string, modified: Date) {
  if (request.headers['if-none-match'] !== undefined) return isKnown(request, etag)
  return Date.parse(request.headers['if-modified-since'] ?? '') >= modified.getTime()
}

/** Serves feeds at addresses that readers keep, so they are not part of a version of the API. */
export function feedPages(app: FastifyInstance, deps: Deps) {
  const options = { config: { access: anyone() }, schema: { hide: true } }
  app.get<{ Params: { file: string } }>('/feeds/:file', options, async (request, reply) => {
    const [, id] = /^(.+)\.xml$/.exec(request.params.file) ?? []
    if (id === undefined) throw notFound()
    const { etag, ...feed } = await readFeed(deps, id)
    // Signed anew, addresses of files change without the feed. Times have whole seconds.
    const changed = Math.max(feed.changed_at.getTime(), feed.period.getTime())
    const modified = new Date(Math.floor(changed / 1000) * 1000)
    reply.headers({ etag, 'cache-control': 'public, max-age=60' })
    // Within the same second, the time would not show another change.
    if (deps.clock.now().getTime() - changed >= 1000) reply.header('last-modified', modified.toUTCString())
    if (hasCurrent(request, etag, modified)) return reply.code(304).send()
    return reply.type('application/rss+xml; charset=utf-8').send(await renderFeed(deps, id, feed))
  })
}
