import { fixture } from './present/fixture.ts'
import type { Json, Movement, Stripe } from './state.ts'

type Moved = { amount: number; fee?: number; currency: string; type: string; source: string | null }

/** Moves the balance, in its own currency if the account converts. */
export function move(stripe: Stripe, { amount, fee = 0, currency, type, source }: Moved) {
  const { balance } = stripe.settings
  const rate = balance && balance.currency !== currency ? balance.rate : null
  const inBalance = (minor: number) => Math.round(minor * (rate ?? 1))
  return stripe.add('balance_transaction', {
    amount: inBalance(amount),
    fee: inBalance(fee),
    currency: rate === null ? currency : (balance?.currency ?? currency),
    exchangeRate: rate,
    ...{ type, source, metadata: {} },
  })
}

export const feeOf = ({ settings }: Stripe, amount: number) => Math.round((amount * settings.feeBps) / 10_000)

const netOf = ({ amount, fee }: Movement) => amount - fee

/** The balance of the account in each currency. */
function balances(stripe: Stripe) {
  const sums = new Map<string, number>()
  for (const movement of stripe.all('balance_transaction'))
    sums.set(movement.currency, (sums.get(movement.currency) ?? 0) + netOf(movement))
  return sums
}

/** The balance as the API shows it: half of it is not available yet. */
export function presentBalance(stripe: Stripe): Json {
  const sums = [...balances(stripe)].map(([currency, amount]) => ({ currency, amount, half: Math.trunc(amount / 2) }))
  return fixture('balance', {
    available: sums.map(({ currency, half }) => ({ currency, amount: half, source_types: { card: half } })),
    pending: sums.map(({ currency, amount, half }) => ({
      currency,
      amount: amount - half,
      source_types: { card: amount - half },
    })),
    connect_reserved: undefined,
  })
}

export const presentMovement = (movement: Movement): Json => {
  const { amount, fee, currency, type, source, exchangeRate, created } = movement
  const detail = { amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }
  return {
    object: 'balance_transaction',
    ...{ amount, fee, currency, type, source, net: netOf(movement) },
    available_on: created + 7 * 86_400,
    description: null,
    exchange_rate: exchangeRate,
    fee_details: fee === 0 ? [] : [detail],
    reporting_category: type,
    status: 'pending',
    balance_type: 'payments',
  }
}

/** Transfers to the bank: by default all that the account holds in a currency. */
export function payOut(stripe: Stripe, currency: string, amount = balances(stripe).get(currency) ?? 0) {
  const payout = stripe.add('payout', { amount, currency, metadata: {} })
  stripe.add('balance_transaction', {
    ...{ amount: -amount, fee: 0, currency, exchangeRate: null, type: 'payout', source: payout.id, metadata: {} },
  })
  return payout.id
}
