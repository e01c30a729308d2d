import type { ProviderRefund } from './provider.ts'

/** A refund in the list of a provider that lists only those that succeeded. */
export const succeededRefund = (id: string, key: ProviderRefund['key'], amount: bigint): ProviderRefund => ({
  ...{ id, key, amount },
  ...{ status: 'succeeded', is_dispute: false, reason: null, failure: null },
})

/** Ids of refunds that are listed without one: the amount, and how many of that amount came before. */
export function unnamedRefundIds() {
  const counts = new Map<bigint, number>()
  return (amount: bigint) => {
    const count = (counts.get(amount) ?? 0) + 1
    counts.set(amount, count)
    return `${amount}:${count}`
  }
}
