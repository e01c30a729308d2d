import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Billing } from '../../server/modules/billing/billing.fixture.ts'
import type { TestApp } from '../app.ts'
import { expectLedger } from '../ledger.ts'
import type { PaymentProvider } from '../stand-ins/payment-providers/journal.ts'

const amounts = (movements: { amount: bigint }[]) => movements.map(({ amount }) => String(amount)).sort()

/** Meydan has each payment and refund that moved at the provider, once, and its ledger has what the provider holds. */
export async function expectBooks({ t, world: { journal } }: Billing, provider: PaymentProvider) {
  const { rows: payments } = await sql<{ ref: string; amount: string; refunds: string[] | null }>`
    select provider_payment_id as ref, amount, (select array_agg(refund.amount::text)
      from refund where payment_id = payment.id and status = 'succeeded') as refunds
    from payment where provider = ${provider}`.execute(t.deps.db)
  const here = payments.map(({ ref, amount, refunds }) => [ref, [amount], (refunds ?? []).sort()])
  const there = payments.map(({ ref }) => [ref, amounts(journal.charges(ref)), amounts(journal.refunds(ref))])
  expect(here).toEqual(there)
  expect(payments).toHaveLength(journal.charges().length)

  const { rows: sums } = await sql<{ all: string; clearing: string }>`
    select coalesce(sum(amount), 0) as all,
      coalesce(sum(-amount) filter (where kind = 'provider_clearing' and owner = ${provider}), 0) as clearing
    from ledger_entry join ledger_account on ledger_account.id = account_id`.execute(t.deps.db)
  expect(sums).toEqual([{ all: '0', clearing: String(journal.net()) }])
  await expectLedger(t)
}

/** Frees the jobs that a killed worker held, as the heartbeat of another does after a while. */
export async function freeJobs({ deps: { db } }: TestApp) {
  await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null`.execute(db)
  await sql`update graphile_worker._private_job_queues set locked_at = null, locked_by = null`.execute(db)
}
