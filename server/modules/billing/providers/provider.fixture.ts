import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { ProviderError, type ProviderErrorKind, type Sale } from './provider.ts'

/** A single payment of 499 lira, unless `fields` say otherwise. `expires_at` depends on the clock of the test. */
export const saleWith = (fields: Partial<Sale> & Pick<Sale, 'expires_at'>): Sale => ({
  checkout_id: randomUUID(),
  workspace_id: randomUUID(),
  description: 'Pro, monthly',
  amount: 49_900n,
  currency: 'TRY',
  recurring: null,
  payer: { email: 'ada@example.com', name: 'Ada Lovelace', ip: '203.0.113.7', locale: 'tr' },
  buyer: null,
  address: null,
  customer_id: null,
  return_url: 'https://meydan.test/w/acme/billing',
  callback_url: 'https://meydan.test/billing/callback',
  ...fields,
})

/** Returns the message of the error. */
export async function expectError(call: Promise<unknown>, kind: ProviderErrorKind) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ProviderError)
  expect(error).toMatchObject({ kind })
  return error instanceof Error ? error.message : ''
}
