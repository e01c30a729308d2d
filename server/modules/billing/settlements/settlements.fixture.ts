import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import type { Client } from '../../../../test/client.ts'
import { expectStatus } from '../../../../test/factories.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import type { Billing } from '../billing.fixture.ts'
import { bookLines } from './book-lines.ts'

/** Reads the movements of the providers, as each hour. */
export async function readHourly({ t }: Pick<Billing, 't'>) {
  await inTransaction(t.deps.db, (tx) => addJob(tx, 'read-settlements', {}))
  await t.runJobs()
}

export const differencesOf = async (admin: Client) =>
  expectStatus(await admin.get('/api/v1/admin/ledger/differences'), 200).body.data

/** Balances of the ledger in TRY that are not zero, by kind and owner. */
export async function balancesOf(admin: Client, currency = 'TRY'): Promise<Record<string, number>> {
  const { data } = expectStatus(await admin.get('/api/v1/admin/ledger/accounts?limit=100'), 200).body
  const own = data.filter(
    (account: { currency: string; balance: number }) => account.currency === currency && account.balance,
  )
  return Object.fromEntries(
    own.map(({ kind, owner, balance }: Record<string, string | number>) => [
      `${kind}${owner ? ` ${owner}` : ''}`,
      balance,
    ]),
  )
}

/** Books or explains a difference as it is shown. */
export const remedy = (admin: Client, shown: Record<string, unknown>, more: object) => {
  const { provider, code, subject, currency, amount } = shown
  return admin.post('/api/v1/admin/ledger/remedies', {
    ...{ provider, code, subject, currency, amount },
    note: 'Looked at with the bank.',
    ...more,
  })
}

export async function expectNoDifference(admin: Client) {
  expect(await differencesOf(admin)).toEqual([])
}

/** A movement of an unknown kind, as the body of its remedy. */
export async function suspendedMovement({ deps }: Pick<TestApp, 'deps'>) {
  const reference = `reserve-${randomUUID()}`
  const amounts = { currency: 'TRY', amount: -5000n, fee: 0n, paid_amount: -5000n, paid_currency: 'TRY' }
  const line = { reference, kind: 'other' as const, type: 'reserve', provider_payment_id: null, ...amounts }
  await inTransaction(deps.db, (tx) => bookLines(tx, 'iyzico', [{ ...line, occurred_at: deps.clock.now() }]))
  const difference = {
    provider: 'iyzico',
    code: 'settlement_suspense',
    subject: reference,
    currency: 'TRY',
    amount: 50,
  }
  return { ...difference, account: 'provider_fees', note: 'A reserve for chargebacks.' }
}
