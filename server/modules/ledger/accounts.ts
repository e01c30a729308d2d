import type { LedgerAccountKind } from '../../lib/db/database-types.ts'

/**
 * Kinds of accounts, and whether their balance is bounded: it may not be below zero, because it is money that Meydan owes.
 * The others are what it earned, or what it holds.
 */
export const hasBound: Record<LedgerAccountKind, boolean> = {
  /**
   * Payments less refunds that a payment provider has not reported as movements of its balance, or money in the bank
   * account for payments by hand. The owner is the provider, as for the next five.
   */
  provider_clearing: false,
  /** Money that a payment provider holds, as it reports it. */
  provider_balance: false,
  /** What a payment provider charges for its work. */
  provider_fees: false,
  /** Between the currency of a payment and that of the balance into which the provider converted it. */
  currency_conversion: false,
  /** Movements that a provider reported and whose kind Meydan does not know. An instance admin books them on. */
  suspense: false,
  /** Gains and losses that an instance admin booked to close a difference with a provider. */
  provider_differences: false,
  subscription_revenue: false,
  vat_payable: false,
  /** Payments that granted nothing and wait for their refund. */
  unapplied_payments: true,
  /** Paid for an order that is not closed. The owner is the order, as for `refunds_payable`. */
  escrow: true,
  /** To be returned to the buyer of an order. */
  refunds_payable: true,
  /** Earned with orders, and not cleared. The owner is a seller, as for the next two. */
  seller_pending: true,
  /** Can be paid out. */
  seller_available: true,
  /** Paid out, and returned to buyers afterwards. Taken off what the seller earns later. */
  seller_debt: false,
  platform_fee: false,
  /** Requested by sellers, and not transferred. The owner is the payout. */
  payout_clearing: true,
  /** Transferred to sellers, or received from the payment provider that is the owner. */
  bank: false,
}

/** An account by its natural key, besides the currency. It is created by its first entry. */
export type LedgerAccount = { kind: LedgerAccountKind; owner?: string }
