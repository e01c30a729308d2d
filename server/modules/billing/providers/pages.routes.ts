import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { iyzicoPageRoutes } from './iyzico/page.routes.ts'

/** Registers the pages of Meydan that providers without a page of their own need. */
export async function providerPageRoutes(app: FastifyInstance, deps: Deps) {
  await app.register(async (scope) => iyzicoPageRoutes(scope, deps))
}
