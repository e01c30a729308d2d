import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { problem } from './errors.ts'
import { isMigrated } from './lib/db/migrate.ts'
import type { Deps } from './lib/deps.ts'
import { anyone } from './lib/http/access.ts'

const Ok = Type.Object({ status: Type.Literal('ok') })

/** For supervisors: whether the process responds, and whether it can work. */
export function healthRoutes(app: FastifyInstance, { pool }: Deps) {
  const config = { access: anyone() }
  app.get('/healthz', { config, schema: { hide: true, response: { 200: Ok } } }, () => ({ status: 'ok' }))
  app.get('/readyz', { config, schema: { hide: true, response: { 200: Ok } } }, async () => {
    const ready = await isMigrated(pool).catch((cause: unknown) => {
      throw problem('unavailable', { detail: 'The database does not respond.', cause })
    })
    if (!ready) throw problem('unavailable', { detail: 'The database belongs to another version of Meydan.' })
    return { status: 'ok' }
  })
}
