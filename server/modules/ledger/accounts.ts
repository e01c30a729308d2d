import type { LedgerAccountKind } from '../../lib/db/database-types.ts'

/**
 * Kinds of accounts. `hasBound`: the balance may not be below zero, because it is money that Meydan owes. The others are
 * what it earned, or what it holds.
 */
export const accountKinds: Record<LedgerAccountKind, { hasBound: boolean }> = {
  /** Money at a payment provider, or in the bank account for payments by hand. The owner is the provider. */
  provider_clearing: { hasBound: false },
  subscription_revenue: { hasBound: false },
  vat_payable: { hasBound: false },
  /** Payments that granted nothing and wait for their refund. */
  unapplied_payments: { hasBound: true },
}

/** An account by its natural key, besides the currency. It is created by its first entry. */
export type LedgerAccount = { kind: LedgerAccountKind; owner?: string }
