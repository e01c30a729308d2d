import type { FastifyInstance } from 'fastify'
import { Page } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { instanceAdmin } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { checkLedger, type LedgerRules } from './check.ts'
import {
  LedgerAccount,
  LedgerAccountQuery,
  LedgerReport,
  LedgerTransaction,
  LedgerTransactionQuery,
} from './ledger.schema.ts'
import { listAccounts, listTransactions } from './list-ledger.ts'

export function ledgerRoutes(app: FastifyInstance, deps: Deps, rules: LedgerRules) {
  const route = routes(app, deps, 'Ledger')
  const access = instanceAdmin()

  route.get('/admin/ledger/accounts', {
    operationId: 'listLedgerAccounts',
    summary: 'List the accounts of the ledger',
    description: 'Returns the newest first, each with its balance.',
    access,
    query: LedgerAccountQuery,
    response: { 200: Page(LedgerAccount) },
    handler: ({ db, query }) => listAccounts(db, query),
  })
  route.get('/admin/ledger/transactions', {
    operationId: 'listLedgerTransactions',
    summary: 'List the transactions of the ledger',
    description: 'Returns the newest first, each with its entries.',
    access,
    query: LedgerTransactionQuery,
    response: { 200: Page(LedgerTransaction) },
    handler: ({ db, query }) => listTransactions(db, query),
  })
  route.get('/admin/ledger/check', {
    operationId: 'checkLedger',
    summary: 'Check that the ledger adds up',
    description:
      'Reads the whole ledger: every transaction sums to zero, every balance equals its entries, and the money at each provider equals the payments minus the refunds. Then asks the payment providers about unpaid checkouts: none of them may be paid there.',
    access,
    response: { 200: LedgerReport },
    weight: 'export',
    handler: ({ deps }) => checkLedger(deps, rules),
  })
}
