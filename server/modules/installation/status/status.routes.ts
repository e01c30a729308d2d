import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { instanceAdmin } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import type { Check } from '../../../lib/runtime/checks/check.ts'
import { Status } from './status.schema.ts'
import { readStatus } from './status.ts'

export function statusRoutes(app: FastifyInstance, deps: Deps, checks: readonly Check[]) {
  const route = routes(app, deps, 'Installation')

  route.get('/admin/status', {
    operationId: 'readStatus',
    summary: 'Check the installation',
    description:
      'Checks the database, the storage, mail, jobs, providers and settings now, each within five seconds, and returns what was found with a remedy for what is wrong. A check that fails or does not end is a result like the others.',
    access: instanceAdmin(),
    response: { 200: Status },
    weight: 'export',
    handler: ({ deps, request: { host, headers } }) =>
      readStatus(deps, checks, { host, isForwarded: 'x-forwarded-for' in headers || 'forwarded' in headers }),
  })
}
