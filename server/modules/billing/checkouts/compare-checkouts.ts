import { DAY } from '../../../../shared/time.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { limitConcurrency } from '../../../lib/runtime/concurrency/concurrency-limit.ts'
import type { ProviderCheck } from '../../ledger/check.ts'
import { ProviderError, type ProviderName } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import type { CheckoutRow } from '../records/checkouts.ts'

/** Checkouts that are compared, the newest first, and calls of a provider at a time. */
const MAX_COMPARED = 200
const AT_ONCE = 10
/** Age until which a checkout that was closed may still be paid: longer than any provider keeps one open. */
const PAYABLE_MS = 3 * DAY

type UnpaidRow = CheckoutRow & { provider_ref: string }

const unpaidRows = (db: Db, now: Date) =>
  db
    .selectFrom('checkout')
    .selectAll()
    .where('completed_at', 'is', null)
    .where((where) =>
      where.or([where('status', '=', 'open'), where('updated_at', '>', new Date(now.getTime() - PAYABLE_MS))]),
    )
    .where('provider_ref', 'is not', null)
    .$narrowType<{ provider_ref: string }>()
    .orderBy('id', 'desc')
    .limit(MAX_COMPARED)
    .execute()

/** Each checkout that its provider reports as paid and that is not completed here. */
export const comparePaidCheckouts: ProviderCheck = async (deps) => {
  const rows: UnpaidRow[] = await unpaidRows(deps.db, deps.clock.now())
  const names = [...new Set(rows.map(({ provider }) => provider))]
  const problems = names.map((name) =>
    compare(
      deps,
      name,
      rows.filter(({ provider }) => provider === name),
    ),
  )
  return (await Promise.all(problems)).flat()
}

async function compare(deps: Deps, name: ProviderName, rows: UnpaidRow[]) {
  const limit = limitConcurrency(AT_ONCE)
  const paid: string[] = []
  const failures: ProviderError[] = []
  const read = async ({ id, provider_ref: ref, currency }: UnpaidRow) => {
    // The others would wait for the same outage.
    if (failures.some(({ kind }) => kind !== 'refused')) return
    try {
      const { status } = await providerOf(name).readCheckout(deps, { id, ref, currency })
      if (status === 'completed') paid.push(id)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      failures.push(error)
    }
  }
  await Promise.all(rows.map((row) => limit(() => read(row))))
  const [failure] = failures
  return [
    ...(await notCompleted(deps.db, paid)).map(({ id, status }) => ({
      code: 'paid_checkout',
      detail: `Checkout ${id} is ${status} here, and ${name} reports it as paid. A worker reads it again within minutes. If it stays, look in the log for failures of the job sync-checkout.`,
    })),
    ...(failure
      ? [
          {
            code: 'checkouts_not_compared',
            detail: `Not all of ${rows.length} unpaid checkouts could be compared with ${name}: ${failure.message.slice(0, 200)} Check again when ${name} responds.`,
          },
        ]
      : []),
  ]
}

/** A checkout may have been completed while its provider was asked. */
const notCompleted = async (db: Db, ids: string[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom('checkout')
        .select(['id', 'status'])
        .where('id', 'in', ids)
        .where('completed_at', 'is', null)
        .execute()
