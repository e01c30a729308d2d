import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { admin } from '../../../lib/http/access.ts'
import { Bytes } from '../../../lib/http/response/send-file.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams } from '../../../lib/http/schema/schema.ts'
import { listBalances } from './balances.ts'
import { readPayoutAccount, setPayoutAccount } from './payout-accounts.ts'
import * as schema from './payouts.schema.ts'
import { cancelPayout, listPayouts, readPayout, requestPayout } from './payouts.ts'
import { exportStatement, listStatement } from './statement.ts'

export function payoutRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')
  const access = admin({ token: false })
  const params = idParams('payout')

  route.get('/marketplace/balance', {
    operationId: 'readSellerBalance',
    summary: 'Retrieve your balance as a seller',
    description: 'Returns what you have earned with gigs of this workspace, by currency.',
    access,
    response: { 200: schema.Balances },
    handler: ({ deps, caller }) => listBalances(deps, caller),
  })
  route.get('/marketplace/statement', {
    operationId: 'listStatement',
    summary: 'List what changed your balance',
    description:
      'Returns your earnings, refunds and payouts in this workspace and a currency, newest first. Clearance changes no sum, so it is not listed.',
    access,
    query: schema.StatementQuery,
    response: { 200: Page(schema.StatementLine) },
    handler: ({ db, caller, query }) => listStatement(db, caller, query),
  })
  route.get('/marketplace/statement/export', {
    operationId: 'exportStatement',
    summary: 'Export your statement',
    description: 'Returns the same as CSV in UTF-8, oldest first.',
    access,
    query: schema.StatementExportQuery,
    response: { 200: Bytes },
    weight: 'export',
    instead: { 'text/csv': 'One line for each change, after a line with the names of the columns.' },
    handler: ({ db, caller, query, reply }) => {
      reply.type('text/csv; charset=utf-8')
      reply.header('content-disposition', `attachment; filename="statement-${query.currency}.csv"`)
      return reply.send(Readable.from(exportStatement(db, caller, query))) as never
    },
  })
  route.get('/marketplace/payout-account', {
    operationId: 'readPayoutAccount',
    summary: 'Retrieve your payout account',
    description: 'Returns where your earnings in this workspace are paid out to. 404 before it is set.',
    access,
    response: { 200: schema.PayoutAccount },
    handler: ({ deps, caller }) => readPayoutAccount(deps, caller),
  })
  route.put('/marketplace/payout-account', {
    operationId: 'setPayoutAccount',
    summary: 'Set your payout account',
    description:
      'Send an IBAN, or a note for an account without one. You get an e-mail about it. After a change of an existing account, no payout can be requested for 48 hours; those requested before go to the former account.',
    access,
    body: schema.ChangePayoutAccount,
    response: { 200: schema.PayoutAccount },
    handler: ({ deps, caller, body, ifMatch }) => setPayoutAccount(deps, caller, body, ifMatch),
  })
  route.get('/marketplace/payouts', {
    operationId: 'listPayouts',
    summary: 'List your payouts',
    description: 'Returns the payouts of your earnings in this workspace, newest first.',
    access,
    query: schema.PayoutQuery,
    response: { 200: Page(schema.Payout) },
    handler: ({ db, caller, query }) => listPayouts(db, caller, query),
  })
  route.post('/marketplace/payouts', {
    operationId: 'requestPayout',
    summary: 'Request a payout',
    description:
      'Requests all that is available in a currency, or a part of it, to the payout account of now. An instance admin transfers it.',
    access,
    body: schema.NewPayout,
    response: { 201: schema.Payout },
    handler: ({ deps, caller, body }) => requestPayout(deps, caller, body),
  })
  route.get('/marketplace/payouts/:id', {
    operationId: 'readPayout',
    summary: 'Retrieve a payout',
    access,
    params,
    response: { 200: schema.Payout },
    handler: ({ db, caller, params }) => readPayout(db, caller, params.id),
  })
  route.post('/marketplace/payouts/:id/cancel', {
    operationId: 'cancelPayout',
    summary: 'Cancel a payout',
    description: 'Possible while it is `pending`: the amount is available again. Canceling twice changes nothing.',
    access,
    params,
    response: { 200: schema.Payout },
    handler: ({ deps, caller, params }) => cancelPayout(deps, caller, params.id),
  })
}
