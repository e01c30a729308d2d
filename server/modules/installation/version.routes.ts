import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../lib/deps.ts'
import { instanceAdmin } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { Version } from './version.schema.ts'
import { describeVersion } from './version.ts'

export function versionRoutes(app: FastifyInstance, deps: Deps) {
  routes(app, deps, 'Installation').get('/admin/version', {
    operationId: 'readVersion',
    summary: 'Retrieve the version',
    description: 'Returns the versions of Meydan, Node and PostgreSQL on the node that responds.',
    access: instanceAdmin(),
    response: { 200: Version },
    handler: ({ deps }) => describeVersion(deps.db),
  })
}
