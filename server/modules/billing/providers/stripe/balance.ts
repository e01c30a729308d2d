import type Stripe from 'stripe'
import type { Deps } from '../../../../lib/deps.ts'
import { ProviderError, type SettlementLine, type SettlementPage } from '../provider.ts'
import { idOf, stripeClient, timeOf } from './client.ts'

const PAGE = 100

/** Types of balance transactions. Those that are missing are of the kind `other`. */
const kinds: Record<string, SettlementLine['kind']> = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  payment_reversal: 'refund',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
}

export async function readMovements(
  deps: Deps,
  { since, after }: { since: Date | null; after: string | null },
): Promise<SettlementPage> {
  const stripe = await stripeClient(deps)
  const { data, has_more } = await stripe.balanceTransactions.list({
    limit: PAGE,
    expand: ['data.source'],
    ...(since && { created: { gte: Math.floor(since.getTime() / 1000) } }),
    ...(after !== null && { starting_after: after }),
  })
  // Other balances, as that of issued cards, are not part of what Stripe pays out.
  const own = data.filter(({ balance_type = 'payments' }) => balance_type === 'payments')
  return { lines: own.map(lineOf), next: has_more ? (data.at(-1)?.id ?? null) : null }
}

function lineOf(transaction: Stripe.BalanceTransaction): SettlementLine {
  const { id, type, created } = transaction
  const source = typeof transaction.source === 'object' ? transaction.source : null
  const isDispute = source?.object === 'dispute'
  const kind = isDispute ? 'dispute' : (kinds[type] ?? 'other')
  const currency = transaction.currency.toUpperCase()
  const amount = minorOf(transaction.amount)
  const paid = paidOf(source, amount)
  const hasPayment = kind === 'payment' || kind === 'refund' || kind === 'dispute'
  return {
    ...{ reference: id, kind, type, currency, amount },
    fee: minorOf(transaction.fee),
    provider_payment_id: hasPayment ? (paymentOf(source) ?? id) : null,
    // Without its source, the amount before a conversion is unknown.
    ...(hasPayment && paid && paid.currency !== currency
      ? { paid_amount: paid.amount, paid_currency: paid.currency }
      : { paid_amount: amount, paid_currency: currency }),
    occurred_at: timeOf(created),
  }
}

type Source = Exclude<Stripe.BalanceTransaction['source'], string>

/** Meydan's payments have the id of their payment intent. */
function paymentOf(source: Source) {
  if (!source) return undefined
  if ('payment_intent' in source && source.payment_intent) return idOf(source.payment_intent)
  return 'charge' in source && source.charge ? idOf(source.charge) : source.id
}

/** The amount in the currency of the payment, with the sign of the movement. */
function paidOf(source: Source, amount: bigint) {
  if (!source || !('amount' in source) || !('currency' in source)) return undefined
  if (typeof source.amount !== 'number' || typeof source.currency !== 'string') return undefined
  const paid = minorOf(source.amount)
  return { amount: amount < 0n ? -paid : paid, currency: source.currency.toUpperCase() }
}

function minorOf(amount: number) {
  if (Number.isSafeInteger(amount)) return BigInt(amount)
  throw new ProviderError('unavailable', 'Stripe responded in an unknown format.')
}

/** The balance at Stripe by currency: available and pending amounts together. */
export async function readBalances(deps: Deps) {
  const stripe = await stripeClient(deps)
  const { available, pending } = await stripe.balance.retrieve()
  const sums = new Map<string, bigint>()
  for (const { currency, amount } of [...available, ...pending]) {
    const code = currency.toUpperCase()
    sums.set(code, (sums.get(code) ?? 0n) + minorOf(amount))
  }
  return sums
}
