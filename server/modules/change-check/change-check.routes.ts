import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../lib/deps.ts'
import { user } from '../../lib/http/access.ts'
import { isKnown } from '../../lib/http/etag.ts'
import { routes } from '../../lib/http/route.ts'
import { Pulse, PulseQuery } from './change-check.schema.ts'
import { readPulse, tagOf } from './change-check.ts'

export function changeCheckRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Notifications')

  route.get('/me/pulse', {
    operationId: 'readPulse',
    summary: 'Find out what changed',
    description:
      'Returns the number of your unread notifications, and the state of what a workspace has: ask for it every few seconds, and fetch a list again when its state changed. With `If-None-Match` the response is 304 if nothing has changed.',
    access: user({ token: false }),
    query: PulseQuery,
    response: { 200: Pulse },
    handler: async ({ db, caller, query, request, reply }) => {
      const { user_id, is_instance_admin } = caller
      const workspace_id = query.workspace_id ?? null
      const [pulse] = await readPulse(db, { user_id, is_instance_admin, workspace_id, now: deps.clock.now() })
      if (!pulse) throw new Error('PostgreSQL returned no row')
      const etag = tagOf(pulse)
      reply.header('etag', etag)
      if (isKnown(request, etag)) reply.code(304).send()
      return pulse
    },
  })
}
