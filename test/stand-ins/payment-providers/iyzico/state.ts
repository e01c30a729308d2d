import type { Journal } from '../journal.ts'
import type { Reply } from '../server.ts'
import type { Interval, Timers } from '../timers.ts'
import type { Webhooks } from '../webhooks.ts'

export type Body = Record<string, unknown>

export type Product = { ref: string; name: string; description: string; createdAt: number }

export type Plan = {
  ref: string
  productRef: string
  name: string
  price: bigint
  currency: string
  interval: keyof typeof INTERVALS
  count: number
  trialDays: number
  /** Undefined: without an end. */
  recurrences: number | undefined
  createdAt: number
}

/** `country`: cards of Turkey are refused for plans in other currencies. */
export type Card = { declines: boolean; country: string }

export type Order = {
  ref: string
  price: bigint
  currency: string
  start: number
  end: number
  status: 'SUCCESS' | 'FAILED' | 'WAITING' | 'SUBSCRIPTION_UPGRADED' | 'SUBSCRIPTION_CANCELED'
  attempts: { conversationId: string; createdAt: number; paymentId: string | null; status: 'SUCCESS' | 'FAILED' }[]
}

export type Customer = { ref: string; email: string; body: Body; createdAt: number }

export type Subscription = {
  ref: string
  parentRef: string | null
  planRef: string
  customerRef: string
  conversationId: string
  token: string
  status: 'ACTIVE' | 'PENDING' | 'UNPAID' | 'UPGRADED' | 'CANCELED' | 'EXPIRED'
  card: Card
  createdAt: number
  startAt: number
  trialStart: number | null
  trialEnd: number | null
  endAt: number | null
  /** The day of the month on which periods begin. */
  anchor: number
  /** The number of orders that were paid. */
  paid: number
  /** Newest first. */
  orders: Order[]
}

/** A payment that can be refunded, of a form or of an order. */
export type Payment = {
  id: string
  transactionId: string
  price: bigint
  currency: string
  paidAt: number
  refunded: bigint
  refunds: { id: string; conversationId: string; amount: bigint; at: number }[]
}

export const INTERVALS = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const satisfies Record<
  string,
  Interval
>

export type Iyzico = ReturnType<typeof createIyzico>

export class IyzicoError extends Error {
  readonly code: string
  readonly status: number
  readonly group: string | undefined
  constructor(code: string, message: string, status = 422, group?: string) {
    super(message)
    this.code = code
    this.status = status
    this.group = group
  }
}

export const DECLINED = 'Kart limiti yetersiz, yetersiz bakiye'

export const notFound = (subject: string) => new IyzicoError('201400', `${subject} bulunamadı`)
export const wrongState = (message: string) => new IyzicoError('201403', message)
export const invalid = (field: string) => new IyzicoError('11', `Geçersiz istek: ${field}`)

export const text = (body: Body, name: string) => {
  const value = body[name]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

export function required(body: Body, ...names: string[]) {
  const missing = names.find((name) => !text(body, name).trim())
  if (missing) throw invalid(missing)
}

export const objectIn = (body: Body, name: string): Body => {
  const value = body[name]
  if (typeof value !== 'object' || value === null) throw invalid(name)
  return { ...value }
}

type World = { timers: Timers; journal: Journal; webhooks: Webhooks }

/** The data of one merchant. */
export function createIyzico({ timers, journal, webhooks }: World) {
  let numbers = 22_480_000
  return {
    credentials: { apiKey: 'sandbox-key', secretKey: 'sandbox-secret', merchantId: '123456' },
    timers,
    journal,
    webhooks,
    products: new Map<string, Product>(),
    plans: new Map<string, Plan>(),
    customers: new Map<string, Customer>(),
    subscriptions: new Map<string, Subscription>(),
    payments: new Map<string, Payment>(),
    settings: {
      /** From a payment or refund until iyzico reports it. */
      reportedAfterMs: 0,
    },
    /** The number of next charges that fail whatever their card. */
    declines: 0,
    newNumber: () => String(++numbers),
    newRef: () => crypto.randomUUID(),
  }
}

/** Whether something of this time is reported by now. */
export const isReported = ({ timers, settings }: Iyzico, at: number) => at + settings.reportedAfterMs <= timers.time()

/** A successful response, with what every response has. */
export const success = (world: Iyzico, body: Body, fields: Body = {}): Reply => ({
  status: 200,
  body: {
    status: 'success',
    locale: text(body, 'locale') || 'tr',
    systemTime: world.timers.time(),
    ...(body.conversationId === undefined ? {} : { conversationId: body.conversationId }),
    ...fields,
  },
})
