import type { IncomingHttpHeaders } from 'node:http'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { SecretKey, Values } from '../../options/catalogue.ts'

export const providerNames = ['manual', 'stripe', 'iyzico', 'paytr'] as const
export type ProviderName = (typeof providerNames)[number]
export type Currency = 'TRY' | 'USD'
export type Period = 'monthly' | 'yearly'

/** Personal data that some providers require. Never stored. */
export type Buyer = { name: string; surname: string; phone: string; identity_number: string }
type Address = {
  name?: string
  line1?: string
  line2?: string
  city?: string
  country?: string
  postal?: string
  tax_id?: string
}

/** A payment that a person is asked to make. */
export type Sale = {
  /** Our id of the checkout: the idempotency key, and the reference that the provider returns. */
  checkout_id: string
  workspace_id: string
  /** Line that the payer sees, such as `Pro, monthly`. */
  description: string
  /** Minor units. For a subscription, the price of one period, VAT included. */
  amount: bigint
  currency: Currency
  /** The subscription that begins with this sale. Null for a single payment. */
  recurring: { plan_code: string; period: Period; price_ref: string; trial_days: number } | null
  payer: { email: string; name: string; ip: string; locale: 'tr' | 'en' }
  buyer: Buyer | null
  address: Address | null
  /** The provider's id of this workspace as a customer, from an earlier sale. */
  customer_id: string | null
  /** Page of the console that the payer returns to, whatever happened. It asks for the state of the checkout. */
  return_url: string
  /** Address that the provider sends the browser of the payer to with a form, where it works that way. */
  callback_url: string
  expires_at: Date
}

export type OpenedCheckout = {
  /** The provider's id of the checkout. */
  ref: string
  /** Address that the payer opens, absolute or a path of Meydan. Null if there is nothing to open. */
  url: string | null
  /** HTML that our own page shows, for a provider without a page of its own. Contains the provider's script. */
  form_html?: string
  expires_at: Date
}

/** A payment that succeeded, as the provider reports it now. */
export type ProviderPayment = {
  id: string
  /** Minor units that were charged. May exceed the price, with interest for instalments. */
  amount: bigint
  currency: Currency
  paid_at: Date
  /** The paid period. Null for a single payment. */
  period: { start: Date; end: Date } | null
  /** Minor units refunded so far. Null: the provider does not list it here, `readPayment` does. */
  refunded: bigint | null
  /** Minor units that the provider took off for the unused time of a former price, which it names by its id. */
  credit?: { amount: bigint; price_ref: string } | undefined
}

export type CheckoutState =
  | { status: 'open' | 'expired' }
  | { status: 'failed'; message: string }
  /** Paid, or a trial began. Either `subscription_id` or `payment` is set. */
  | { status: 'completed'; subscription_id: string | null; payment: ProviderPayment | null }

/** A subscription that the provider renews, as it reports it now. */
export type ProviderSubscription = {
  id: string
  customer_id: string | null
  /** `pending`: the first payment is not made. `canceled`: ended on request. `expired`: ended unpaid. */
  status: 'pending' | 'trialing' | 'active' | 'past_due' | 'canceled' | 'expired'
  trial_end: Date | null
  period: { start: Date; end: Date } | null
  /** Id at the provider of the price that it charges next, one of those in the metadata of the plan. */
  price_ref: string
  cancel_at_period_end: boolean
  /** Our id of the checkout that began it, if the provider keeps it. */
  checkout_id: string | null
  payments: ProviderPayment[]
  /** Whether a payment was made, or is about to be, that `payments` lacks. Providers list payments late. */
  has_unlisted_payment: boolean
  /** The open payment that failed last, with an address to pay it at. */
  failed_payment: { id: string; amount: bigint; currency: Currency; message: string; pay_url: string | null } | null
}

/** Ids in an event or a form. Only a hint: the state is read from the provider. */
export type Refs = { checkout_id?: string; checkout_ref?: string; subscription_id?: string; payment_id?: string }
export type InboundEvent = {
  id: string
  type: string
  refs: Refs
  /** The payment failed for good, and the provider says so in its events only. */
  failed?: boolean
}

/** Money of a payment that went back to the payer: a refund, or a dispute with the bank. */
export type ProviderRefund = {
  /** Unique within the payment. Never changes. */
  id: string
  /** The key that it was requested with. Null: Meydan did not request it. Undefined: the provider does not say. */
  key: string | null | undefined
  /** Minor units. */
  amount: bigint
  /** `pending`: may still fail, or an open dispute. `failed`: the money stayed here, such as after a dispute was won. */
  status: 'pending' | 'succeeded' | 'failed'
  is_dispute: boolean
  reason: string | null
  failure: string | null
}

export const settlementKinds = ['payment', 'refund', 'dispute', 'fee', 'payout', 'other'] as const

/** A movement of the balance at a provider. */
export type SettlementLine = {
  /** The provider's id of the movement. */
  reference: string
  /** `other`: of a kind that Meydan does not know. */
  kind: (typeof settlementKinds)[number]
  /** Kind by the name of the provider. */
  type: string
  /** The payment of a payment, refund or dispute. Null for the other kinds. */
  provider_payment_id: string | null
  /** Currency of the balance (ISO 4217), which need not be one that Meydan sells in. */
  currency: string
  /** Minor units before the fee. Negative when the balance fell. */
  amount: bigint
  /** Minor units. Negative when a fee was returned. */
  fee: bigint
  /** The amount in the currency of the payment, the same unless the provider converted it. */
  paid_amount: bigint
  paid_currency: string
  occurred_at: Date
}

/** A page of movements, newest first. `next`: the movement after which the next page begins, null on the last page. */
export type SettlementPage = { lines: SettlementLine[]; next: string | null }

export type RefundState = { status: 'pending' | 'succeeded'; id: string | null }
export type PaymentMethod = { brand: string; last4: string; expires: string | null }

/**
 * A payment provider. Functions call it without an open transaction, once, with a time limit. They throw a
 * `ProviderError`; any other error is a defect.
 */
export type Provider = {
  name: ProviderName
  kind: 'redirect' | 'hosted' | 'iframe' | 'payment_request'
  /** Origin of its form, if the console shows that in a frame. */
  frameOrigin?: (config: Deps['config']) => string
  /** Whether it charges later periods by itself. If not, Meydan asks for a payment before each. */
  renews: boolean
  /** Whether it keeps a payment method for the end of a trial. */
  trials: boolean
  refunds: boolean
  /** Milliseconds in which a refund that was made may not be listed. 0: a repeated call makes no second one. */
  refundListedMs: number
  /**
   * Whether it can end a subscription when the paid period ends. If not, `setCancelAtPeriodEnd` calls nothing, and Meydan
   * calls `cancelNow` shortly before the next charge.
   */
  cancelsAtPeriodEnd: boolean
  /**
   * `prorate`: changes price at once and charges the difference. `difference`: Meydan takes the difference as a single
   * payment, and the price changes at renewal. `none`: a change needs a new checkout.
   */
  changesPlan: (from: Period, to: Period) => 'prorate' | 'difference' | 'none'
  requires: readonly (keyof Buyer)[]
  /** Options that must be set before it is offered. */
  settings: readonly (SecretKey | keyof Values)[]
  /**
   * Key of the metadata of a plan with the id of its price; null if the provider needs none. With `trial`, the price of a
   * subscription that begins with a trial, which has an id of its own where the provider keeps the trial with the price.
   */
  priceKey: (period: Period, trial: boolean) => string | null

  openCheckout: (deps: Deps, sale: Sale) => Promise<OpenedCheckout>
  /** Makes an open checkout unpayable, where the provider can. */
  closeCheckout: (deps: Deps, ref: string) => Promise<void>
  readCheckout: (deps: Deps, checkout: { id: string; ref: string; currency: Currency }) => Promise<CheckoutState>

  /** Null if there is none with this id. */
  readSubscription: (deps: Deps, id: string) => Promise<ProviderSubscription | null>
  setCancelAtPeriodEnd: (deps: Deps, id: string, cancel: boolean) => Promise<void>
  cancelNow: (deps: Deps, id: string) => Promise<void>
  /**
   * Refuses a price that would charge something else than was shown. Called before the price of a subscription changes.
   * `replaces`: the price that it has now, null if unknown or if a new subscription begins.
   */
  checkPrice: (
    deps: Deps,
    price: { price_ref: string; period: Period; amount: bigint; currency: Currency; replaces: string | null },
  ) => Promise<void>
  /**
   * Minor units that `changePrice` would charge now. `at`: the time from which unused time counts. Called only where a
   * change is prorated.
   */
  previewChange: (deps: Deps, change: { id: string; price_ref: string; at: Date }) => Promise<bigint>
  /** Changes the price; `at_renewal` without a charge now. Returns the id of the subscription, which may be a new one. */
  changePrice: (
    deps: Deps,
    change: { id: string; price_ref: string; when: 'now' | 'at_renewal'; key: string; at?: Date },
  ) => Promise<{ id: string }>
  readPaymentMethod: (
    deps: Deps,
    subscription: { id: string; customer_id: string | null },
  ) => Promise<PaymentMethod | null>
  /** Address at which the payer changes the payment method; null if there is none. */
  paymentMethodUrl: (
    deps: Deps,
    subscription: { id: string; customer_id: string | null },
    return_url: string,
  ) => Promise<string | null>

  /** Refunds a part of a payment. Returns the refund with this key if it was made before. */
  refund: (
    deps: Deps,
    refund: { payment_id: string; amount: bigint; currency: Currency; key: string },
  ) => Promise<RefundState>
  /** All refunds and disputes of a payment, also those that were made at the provider itself. */
  readRefunds: (deps: Deps, payment: { payment_id: string; currency: Currency }) => Promise<ProviderRefund[]>
  readPayment: (deps: Deps, payment_id: string, currency: Currency) => Promise<ProviderPayment | null>

  /** Movements of the balance since a time, after a movement, where the provider lists them. */
  readMovements?: (deps: Deps, from: { since: Date | null; after: string | null }) => Promise<SettlementPage>
  /** Minor units that the provider holds, by currency. Comes with `readMovements`. */
  readBalances?: (deps: Deps) => Promise<Map<string, bigint>>

  /** Verifies the signature over the exact bytes. Null: the signature is wrong. */
  verifyWebhook: (deps: Deps, raw: Buffer, headers: IncomingHttpHeaders) => Promise<InboundEvent | null>
  /** Body that acknowledges an event. */
  acknowledgement: string
  /** Our ids of the open checkouts that an event may be about, where events do not name what they are about. */
  findCandidates?: (db: Db) => Promise<string[]>
  /** Calls something harmless. Returns a line about the account, such as its name and mode. */
  test: (deps: Deps) => Promise<string>
}

/**
 * `refused`: certainly without effect; the message can be shown. `declined`: the payment method was refused.
 * `unavailable`: certainly without effect, later calls may succeed. `unknown`: may have had its effect.
 * `not_configured`: the keys are missing or refused.
 */
export type ProviderErrorKind = 'refused' | 'declined' | 'unavailable' | 'unknown' | 'not_configured'

export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  constructor(kind: ProviderErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
