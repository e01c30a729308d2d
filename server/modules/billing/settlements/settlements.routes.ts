import type { FastifyInstance } from 'fastify'
import { Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { instanceAdmin } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { listLines } from './list-lines.ts'
import { listRemedies, readDifferences, remedyDifference } from './remedies.ts'
import * as schema from './settlements.schema.ts'

export function settlementRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Ledger')
  const access = instanceAdmin()

  route.get('/admin/ledger/settlements', {
    operationId: 'listSettlements',
    summary: 'List movements of the balance at payment providers',
    description:
      'Returns what the providers reported, the newest first. Each movement is booked once, in the transaction of the ledger that has its id as `reference`.',
    access,
    query: schema.SettlementQuery,
    response: { 200: Page(schema.SettlementLine) },
    handler: ({ db, query }) => listLines(db, query),
  })
  route.get('/admin/ledger/differences', {
    operationId: 'listSettlementDifferences',
    summary: 'List differences with payment providers',
    description:
      'Compares every payment, less its refunds, with the movements that its provider reported, and the balances. Differences that were booked or explained are left out.',
    access,
    response: { 200: schema.Differences },
    weight: 'export',
    handler: ({ db, deps }) => readDifferences(db, deps.clock.now()),
  })
  route.get('/admin/ledger/remedies', {
    operationId: 'listSettlementRemedies',
    summary: 'List what was done about differences',
    description: 'Returns the newest first.',
    access,
    query: schema.RemedyQuery,
    response: { 200: Page(schema.Remedy) },
    handler: ({ db, query }) => listRemedies(db, query),
  })
  route.post('/admin/ledger/remedies', {
    operationId: 'createSettlementRemedy',
    summary: 'Book or explain a difference',
    description:
      'With `account`, books the difference to it in a transaction of its own. Without, marks it as explained: it is back if its amount changes. Both are audited.',
    access,
    body: schema.NewRemedy,
    response: { 201: schema.Remedy },
    handler: ({ db, deps, caller, body }) => remedyDifference({ ...deps, db }, caller, body),
  })
}
