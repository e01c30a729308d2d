import type { FastifyInstance } from 'fastify'
import { Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { instanceAdmin } from '../../../lib/http/access.ts'
import { Bytes } from '../../../lib/http/response/send-file.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams } from '../../../lib/http/schema/schema.ts'
import { batchCsv, exportPayouts, listAllPayouts, markFailed, markPaid, readBatch } from './admin-payouts.ts'
import * as schema from './payouts.schema.ts'

export function adminPayoutRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')
  const access = instanceAdmin()
  const params = idParams('payout')

  route.get('/admin/marketplace/payouts', {
    operationId: 'listAllPayouts',
    summary: 'List payouts of all sellers',
    description:
      'Returns the newest first. Those to be transferred have the full IBAN; the audit log notes who read it.',
    access,
    query: schema.AdminPayoutQuery,
    response: { 200: Page(schema.AdminPayout) },
    handler: ({ deps, caller, query }) => listAllPayouts(deps, caller, query),
  })
  route.post('/admin/marketplace/payouts/export', {
    operationId: 'exportPayouts',
    summary: 'Put pending payouts into a batch for the bank',
    description:
      'Sets the pending payouts of a currency, the oldest 1,000, to `processing`, so that no other admin transfers them as well. Download the batch afterwards, as often as needed.',
    access,
    body: schema.NewPayoutBatch,
    response: { 201: schema.PayoutBatch },
    handler: ({ deps, caller, body }) => exportPayouts(deps, caller, body),
  })
  route.get('/admin/marketplace/payout-batches/:id', {
    operationId: 'downloadPayoutBatch',
    summary: 'Download a batch of payouts',
    description: 'Returns the payouts of a batch that are still `processing`, as CSV in UTF-8 for the bank.',
    access,
    params: idParams('payout_batch'),
    query: schema.BatchQuery,
    response: { 200: Bytes },
    weight: 'export',
    instead: { 'text/csv': 'One line for each payout, after a line with the names of the columns.' },
    handler: async ({ deps, caller, params, query, reply }) => {
      const csv = batchCsv(await readBatch(deps, caller, params.id), query)
      reply.type('text/csv; charset=utf-8')
      reply.header('content-disposition', `attachment; filename="payouts-${params.id}.csv"`)
      return reply.send(csv) as never
    },
  })
  route.post('/admin/marketplace/payouts/:id/paid', {
    operationId: 'markPayoutPaid',
    summary: 'Note that a payout was transferred',
    description: 'The seller gets an e-mail. The same reference again changes nothing; another one is refused.',
    access,
    params,
    body: schema.PaidPayout,
    response: { 200: schema.AdminPayout },
    handler: ({ deps, caller, params, body }) => markPaid(deps, caller, params.id, body),
  })
  route.post('/admin/marketplace/payouts/:id/failed', {
    operationId: 'markPayoutFailed',
    summary: 'Note that a payout could not be transferred',
    description:
      'The amount is available to the seller again, who gets an e-mail with the reason. The same reason again changes nothing; another one is refused.',
    access,
    params,
    body: schema.FailedPayout,
    response: { 200: schema.AdminPayout },
    handler: ({ deps, caller, params, body }) => markFailed(deps, caller, params.id, body),
  })
}
