import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { admin } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { listBalances } from './balances.ts'
import * as schema from './payouts.schema.ts'

export function payoutRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')
  const access = admin({ token: false })

  route.get('/marketplace/balance', {
    operationId: 'readSellerBalance',
    summary: 'Retrieve your balance as a seller',
    description: 'Returns what you have earned with gigs of this workspace, by currency.',
    access,
    response: { 200: schema.Balances },
    handler: ({ db, caller }) => listBalances(db, caller),
  })
}
