import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { Type } from 'typebox'
import { problem } from './errors.ts'
import type { NotReady } from './lib/db/readiness.ts'
import type { Deps } from './lib/deps.ts'
import { anyone } from './lib/http/access.ts'
import { newRequestId } from './lib/http/headers.ts'
import { respondWithProblems, sendProblem } from './lib/http/problems.ts'
import { metricsRoutes } from './metrics.ts'

const Ok = Type.Object({ status: Type.Literal('ok') })

const details: Record<NotReady | 'disk_full', string> = {
  unreachable: 'The database does not respond.',
  read_only: 'The database is read-only: the server is a standby, or was demoted.',
  not_migrated: 'The database belongs to another version of Meydan.',
  disk_full: 'The disk of the database is full.',
}

/** Serves only these routes, for a node that serves nothing else. */
export function buildHealthApp(deps: Deps) {
  const app = Fastify({
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: newRequestId,
    // A supervisor may keep connections open, and asks again.
    forceCloseConnections: true,
  })
  respondWithProblems(app, deps.outageLog, () => undefined)
  healthRoutes(app, deps)
  metricsRoutes(app, deps)
  return app
}

/** Reports to supervisors whether the process responds, and whether it can work. */
export function healthRoutes(app: FastifyInstance, { readiness, outageLog }: Pick<Deps, 'readiness' | 'outageLog'>) {
  const config = { access: anyone() }
  app.get('/healthz', { config, schema: { hide: true, response: { 200: Ok } } }, () => ({ status: 'ok' }))
  app.get('/readyz', { config, schema: { hide: true, response: { 200: Ok } } }, async (request, reply) => {
    // The outage is over a moment before the log says so.
    const isFull = async () => outageLog.isDiskFull() && !(await readiness.canWrite())
    const reason = (await readiness.check()) ?? ((await isFull()) ? 'disk_full' : undefined)
    return reason ? sendProblem(request, reply, problem('unavailable', { detail: details[reason] })) : { status: 'ok' }
  })
}
