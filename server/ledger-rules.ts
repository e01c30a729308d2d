import { comparePaidCheckouts } from './modules/billing/checkouts/compare-checkouts.ts'
import { checkClearing, checkSettlements } from './modules/billing/settlements/settlement-checks.ts'
import type { LedgerRules } from './modules/ledger/check.ts'
import { orderChecks } from './modules/marketplace/orders/money/ledger-checks.ts'
import { payoutChecks } from './modules/marketplace/payouts/ledger-checks.ts'

/** The rules of all modules whose money the ledger keeps. */
export const ledgerRules: LedgerRules = {
  checks: [checkClearing, checkSettlements, ...orderChecks, ...payoutChecks],
  compareProviders: comparePaidCheckouts,
}
