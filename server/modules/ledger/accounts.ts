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
  /** Paid for an order that is not closed. The owner is the order, as for `refunds_payable`. */
  escrow: { hasBound: true },
  /** To be returned to the buyer of an order. */
  refunds_payable: { hasBound: true },
  /** Earned with orders, and not cleared. The owner is a seller, as for the next two. */
  seller_pending: { hasBound: true },
  /** Can be paid out. */
  seller_available: { hasBound: true },
  /** Paid out, and returned to buyers afterwards. Taken off what the seller earns later. */
  seller_debt: { hasBound: false },
  platform_fee: { hasBound: false },
  /** Requested by sellers, and not transferred. The owner is the payout. */
  payout_clearing: { hasBound: true },
  /** Transferred to sellers. */
  bank: { hasBound: false },
}

/** An account by its natural key, besides the currency. It is created by its first entry. */
export type LedgerAccount = { kind: LedgerAccountKind; owner?: string }
