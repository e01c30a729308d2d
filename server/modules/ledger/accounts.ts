import type { LedgerAccountKind } from '../../lib/db/database-types.ts'

/**
 * Kinds of accounts. `hasBound`: the balance may not be below zero, because it is money that Meydan owes. The others are
 * what it earned, or what it holds.
 */
export const accountKinds: Record<LedgerAccountKind, { hasBound: boolean }> = {
  /**
   * Payments less refunds that a payment provider has not reported as movements of its balance, or money in the bank
   * account for payments by hand. The owner is the provider, as for the next five.
   */
  provider_clearing: { hasBound: false },
  /** Money that a payment provider holds, as it reports it. */
  provider_balance: { hasBound: false },
  /** What a payment provider charges for its work. */
  provider_fees: { hasBound: false },
  /** Between the currency of a payment and that of the balance into which the provider converted it. */
  currency_conversion: { hasBound: false },
  /** Movements that a provider reported and whose kind Meydan does not know. An instance admin books them on. */
  suspense: { hasBound: false },
  /** Gains and losses that an instance admin booked to close a difference with a provider. */
  provider_differences: { hasBound: false },
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
  /** Transferred to sellers, or received from the payment provider that is the owner. */
  bank: { hasBound: false },
}

/** An account by its natural key, besides the currency. It is created by its first entry. */
export type LedgerAccount = { kind: LedgerAccountKind; owner?: string }
