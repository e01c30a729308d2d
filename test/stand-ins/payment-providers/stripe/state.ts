import { randomBytes } from 'node:crypto'
import type { Journal } from '../journal.ts'
import type { Interval, Timers } from '../timers.ts'
import type { Webhooks } from '../webhooks.ts'
import { StripeError } from './form.ts'

export type Json = Record<string, unknown>
export type Metadata = Record<string, string>
/** All times are unix seconds. All amounts are minor units. */
type Kept = { id: string; created: number; metadata: Metadata }

export type Customer = Kept & {
  object: 'customer'
  email: string | null
  name: string | null
  phone: string | null
  address: Json | null
  /** Negative: a credit, which the next invoices use up. */
  balance: number
  /** The payment method that invoices are charged to. */
  card: string | null
  deleted: boolean
}
type Product = Kept & { object: 'product'; name: string }
export type Price = Kept & {
  object: 'price'
  product: string
  currency: string
  unitAmount: number
  /** Prices in other currencies. */
  others: Record<string, number>
  interval: Interval | null
  intervalCount: number
  lookupKey: string | null
  nickname: string | null
  active: boolean
}
type PaymentMethod = Kept & {
  object: 'payment_method'
  customer: string | null
  declines: boolean
  country: string
  last4: string
}
export type Item = { id: string; price: string; quantity: number }
export type Line = {
  id: string
  amount: number
  description: string
  price: string
  quantity: number
  item: string
  start: number
  end: number
  proration: boolean
}
export type Subscription = Kept & {
  object: 'subscription'
  customer: string
  status: 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'canceled' | 'paused'
  currency: string
  items: Item[]
  anchor: number
  periodStart: number
  periodEnd: number
  trialStart: number | null
  trialEnd: number | null
  missingMethod: 'cancel' | 'create_invoice' | 'pause'
  cancelAtPeriodEnd: boolean
  cancelAt: number | null
  canceledAt: number | null
  endedAt: number | null
  reason: 'cancellation_requested' | 'payment_failed' | null
  latestInvoice: string | null
  card: string | null
  description: string | null
  /** Prorations that the next invoice takes up. */
  pending: Line[]
  /** A change that waits for the payment of `invoice`. */
  update: { invoice: string; expiresAt: number; after: Subscription } | null
}
export type Invoice = Kept & {
  object: 'invoice'
  customer: string
  subscription: string | null
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual' | 'upcoming'
  currency: string
  lines: Line[]
  startingBalance: number
  endingBalance: number | null
  amountPaid: number
  attempts: number
  nextAttempt: number | null
  autoAdvance: boolean
  number: string | null
  periodStart: number
  periodEnd: number
  paymentIntent: string | null
  finalizedAt: number | null
  paidAt: number | null
  voidedAt: number | null
}
export type PaymentIntent = Kept & {
  object: 'payment_intent'
  amount: number
  currency: string
  customer: string | null
  status: 'requires_payment_method' | 'succeeded' | 'canceled'
  charge: string | null
  card: string | null
  description: string | null
  invoice: string | null
  error: Json | null
}
export type Charge = Kept & {
  object: 'charge'
  amount: number
  refunded: number
  currency: string
  customer: string | null
  paymentIntent: string
  card: string
  failed: boolean
  disputed: boolean
}
export type Refund = Kept & {
  object: 'refund'
  amount: number
  currency: string
  charge: string
  paymentIntent: string
  reason: string | null
  status: 'pending' | 'succeeded' | 'failed'
}
export type SessionLine = { id: string; price: string; quantity: number; amount: number; description: string }
export type Session = Kept & {
  object: 'checkout.session'
  mode: 'payment' | 'subscription'
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required'
  customer: string | null
  email: string | null
  reference: string | null
  lines: SessionLine[]
  currency: string
  expiresAt: number
  successUrl: string | null
  cancelUrl: string | null
  locale: string | null
  collection: 'always' | 'if_required' | null
  customerCreation: 'always' | 'if_required' | null
  trialEnd: number | null
  trialDays: number | null
  missingMethod: Subscription['missingMethod']
  subscriptionMetadata: Metadata
  paymentMetadata: Metadata
  description: string | null
  subscription: string | null
  invoice: string | null
  paymentIntent: string | null
  options: Json
  country: string | null
}
/** A movement of the balance. `currency`: that of the balance. */
export type Movement = Kept & {
  object: 'balance_transaction'
  amount: number
  fee: number
  currency: string
  exchangeRate: number | null
  type: string
  source: string | null
}
type Payout = Kept & { object: 'payout'; amount: number; currency: string }
type Dispute = Kept & {
  object: 'dispute'
  amount: number
  currency: string
  charge: string
  paymentIntent: string
  status: string
}

type Kinds = {
  customer: Customer
  product: Product
  price: Price
  payment_method: PaymentMethod
  subscription: Subscription
  invoice: Invoice
  payment_intent: PaymentIntent
  charge: Charge
  refund: Refund
  'checkout.session': Session
  dispute: Dispute
  balance_transaction: Movement
  payout: Payout
}
export type Kind = keyof Kinds
export type Resource = Kinds[Kind]

/** An event as Stripe stores it. */
export type Event = {
  id: string
  created: number
  type: string
  request: Json
  data: { object: Json; previous_attributes?: Json }
}

const PREFIX: Record<Kind, string> = {
  customer: 'cus',
  product: 'prod',
  price: 'price',
  payment_method: 'pm',
  subscription: 'sub',
  invoice: 'in',
  payment_intent: 'pi',
  charge: 'ch',
  refund: 're',
  'checkout.session': 'cs_test',
  dispute: 'dp',
  balance_transaction: 'txn',
  payout: 'po',
}

/** The set-up of the account. */
const settings = {
  /** From the end of a period until its invoice is finalized and charged. */
  finalizeAfterMs: 3_600_000,
  /** From a payment until the list of payment intents has it. */
  listedAfterMs: 0,
  /** Days from each failed charge to the next try. */
  retryDays: [3, 5, 7],
  /** The state of a subscription whose invoice is unpaid after the last try. */
  afterRetries: 'cancel' as 'cancel' | 'unpaid' | 'past_due',
  /** Fee of a charge in basis points, and that of a dispute in minor units. */
  feeBps: 290,
  disputeFee: 1500,
  /** Into which other currencies are converted. Null: there is a balance in each. */
  balance: null as { currency: string; rate: number } | null,
  /** Types of movements that the list of them lacks. */
  hiddenTypes: [] as string[],
  /** Whether the list of movements returns its first page for every page. */
  repeatsPages: false,
}

export type Stripe = ReturnType<typeof createStripe>

type World = { timers: Timers; journal: Journal; webhooks: Webhooks }

/** The data of one account. */
export function createStripe({ timers, journal, webhooks }: World) {
  const kept: { [K in Kind]: Map<string, Kinds[K]> } = {
    customer: new Map(),
    product: new Map(),
    price: new Map(),
    payment_method: new Map(),
    subscription: new Map(),
    invoice: new Map(),
    payment_intent: new Map(),
    charge: new Map(),
    refund: new Map(),
    'checkout.session': new Map(),
    dispute: new Map(),
    balance_transaction: new Map(),
    payout: new Map(),
  }
  const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`
  const now = () => Math.floor(timers.time() / 1000)

  return {
    key: 'sk_test_standin',
    webhookSecret: 'whsec_standin',
    url: '',
    settings: { ...settings, retryDays: [...settings.retryDays] },
    timers,
    journal,
    webhooks,
    events: [] as Event[],
    /** The number of next charges that fail whatever their card. */
    declines: 0,
    /** The number of next refunds that stay pending until `finishRefund`. */
    pendingRefunds: 0,
    /** The call that is being handled, for its events. */
    request: { id: null as string | null, idempotency_key: null as string | null },
    now,
    newId,
    find: <K extends Kind>(kind: K, id: string) => kept[kind].get(id),
    all: <K extends Kind>(kind: K) => [...kept[kind].values()],
    /** Stripe's error for an id that does not exist. `param`: the parameter that named it. */
    get: <K extends Kind>(kind: K, id: string, param = 'id', status = param === 'id' ? 404 : 400) => {
      const found = kept[kind].get(id)
      if (found) return found
      throw new StripeError(status, `No such ${kind.replace('.', ' ')}: '${id}'`, { code: 'resource_missing', param })
    },
    add: <K extends Kind>(kind: K, fields: Omit<Kinds[K], 'id' | 'created' | 'object'>) => {
      const base = { id: newId(PREFIX[kind]), created: now(), object: kind }
      // `Omit` of a generic type keeps the compiler from seeing that the fields are complete.
      const added = { ...base, ...fields } as unknown as Kinds[K]
      kept[kind].set(added.id, added)
      return added
    },
  }
}

/** The price of one in this currency. */
export function amountIn(price: Price, currency: string) {
  const amount = price.currency === currency ? price.unitAmount : price.others[currency]
  if (amount !== undefined) return amount
  throw new StripeError(400, `The price \`${price.id}\` is not available in the currency ${currency}.`, {
    param: 'currency',
  })
}

export const totalOf = ({ lines }: Pick<Invoice, 'lines'>) => lines.reduce((sum, { amount }) => sum + amount, 0)

/** The amount charged: the total less the customer's credit, never below zero. */
export const dueOf = (invoice: Invoice) => Math.max(0, totalOf(invoice) + invoice.startingBalance)
