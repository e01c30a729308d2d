import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { anyone, viewer } from '../../../lib/http/access.ts'
import { FileResponse } from '../../../lib/http/response/send-file.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { limitAttempts } from '../../auth/sign-in/attempt-limit.ts'
import { CalendarFeed, CalendarFeedKey, CreatedCalendarFeed, NewCalendarFeed } from './calendar-feeds.schema.ts'
import { createCalendarFeed, deleteCalendarFeed, listCalendarFeeds } from './calendar-feeds.ts'
import { openCalendarFeed, serveCalendarFeed } from './serve-feed.ts'

export function calendarFeedRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')
  const params = idParams('calendar_feed')

  route.get('/calendar-feeds', {
    operationId: 'listCalendarFeeds',
    summary: 'List calendar feeds',
    description: "Returns the caller's own addresses for calendar programs, newest first.",
    access: viewer({ scope: 'posts:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(CalendarFeed) },
    handler: ({ db, caller, query }) => page(listCalendarFeeds(db, caller), 'calendar_feed.id', query),
  })
  route.post('/calendar-feeds', {
    operationId: 'createCalendarFeed',
    summary: 'Create a calendar feed',
    description:
      'Returns an address by which a calendar program shows the planned posts of the workspace (iCalendar). Its secret part is shown only here. Needs a signed-in session: the address stays valid after a token is revoked. A member can have at most 20 in a workspace. They end when the member leaves it.',
    access: viewer({ token: false }),
    body: NewCalendarFeed,
    response: { 201: CreatedCalendarFeed },
    secrets: ['url'],
    handler: ({ deps, caller, body }) => createCalendarFeed(deps, caller, body),
  })
  route.delete('/calendar-feeds/:id', {
    operationId: 'deleteCalendarFeed',
    summary: 'Delete a calendar feed',
    description: 'Ends its address at once. To change an address, delete the feed and create another.',
    access: viewer({ token: false }),
    params,
    response: { 204: NoContent },
    handler: ({ db, caller, params }) => deleteCalendarFeed(db, caller, params.id),
  })
  route.get('/calendar-feeds/:id/posts.ics', {
    operationId: 'readCalendarFeed',
    summary: 'Retrieve the posts of a calendar feed',
    description:
      'Returns the posts of the last 30 and the next 180 days, at most 1,000, as iCalendar (RFC 5545). The secret part of the address identifies the feed; an unknown feed and a wrong secret get the same response. Posts that wait for an approval are tentative, and deleted posts are canceled for 7 days. At most 60 calls an hour.',
    access: anyone(),
    params,
    query: CalendarFeedKey,
    response: { 200: FileResponse },
    instead: { 'text/calendar': 'The posts as events of 15 minutes.' },
    handler: async ({ deps, params: { id }, query, reply }) => {
      const feed = await openCalendarFeed(deps, id, query.key)
      const read = { purpose: 'calendarFeed' as const, ip: null, subject: id }
      return limitAttempts(deps, reply, read, () => serveCalendarFeed(deps, feed))
    },
  })
}
