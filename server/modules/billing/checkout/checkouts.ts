import type { Selectable } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Checkout as CheckoutTable } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { toMajor } from '../../../lib/money.ts'
import type { CheckoutRecord } from './checkouts.schema.ts'

export type CheckoutRow = Selectable<CheckoutTable>

export async function recordOf({ options }: Pick<Deps, 'options'>, row: CheckoutRow) {
  const { billing_period: period, amount, status, url, kind, ...rest } = row
  return {
    ...rest,
    // The table allows these kinds only.
    kind: kind as CheckoutRecord['kind'],
    status,
    period,
    amount: toMajor(amount),
    url: status === 'open' ? url : null,
    instructions: kind === 'payment_request' ? (await options.get('billing.manual_instructions')) || null : null,
  }
}

/** Reads a checkout of the workspace. */
export async function readCheckout(deps: Pick<Deps, 'db' | 'options'>, { workspace_id }: Member, id: string) {
  const row = await deps.db
    .selectFrom('checkout')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return recordOf(deps, row)
}

export const readRow = (db: Db, id: string) =>
  db.selectFrom('checkout').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
