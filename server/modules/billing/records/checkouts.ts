import type { Selectable } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Checkout as CheckoutTable } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { toMajor } from '../../../lib/money.ts'
import { readReturnedCheckout } from '../checkouts/due-reads.ts'
import type { Period } from '../providers/provider.ts'
import type { CheckoutRecord } from './checkouts.schema.ts'

export type CheckoutRow = Selectable<CheckoutTable>
export type PlanCheckoutRow = CheckoutRow & {
  purpose: 'start' | 'renewal' | 'change'
  plan_code: string
  billing_period: Period
  period_amount: string
}
export type OrderCheckoutRow = CheckoutRow & { order_id: string; description: string }

/** The table requires the columns of its kind. */
export const paysPlan = (row: CheckoutRow): row is PlanCheckoutRow => row.purpose !== 'order'
export const paysOrder = (row: CheckoutRow): row is OrderCheckoutRow => row.purpose === 'order'

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

/** Reads a checkout of the workspace. One that is open is also read from its provider, for the next call. */
export async function readCheckout(deps: Pick<Deps, 'db' | 'options' | 'clock'>, { workspace_id }: Member, id: string) {
  const row = await deps.db
    .selectFrom('checkout')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .executeTakeFirst()
  if (!row) throw notFound()
  if (row.status === 'open' && row.provider_ref !== null) await readReturnedCheckout(deps, row.id)
  return recordOf(deps, row)
}

/** Path in the console that the payer comes back to. */
export const returnPath = (slug: string, { id }: Pick<CheckoutRow, 'id'>) => `/w/${slug}/billing/checkouts/${id}`

export const readRow = (db: Db, id: string) =>
  db.selectFrom('checkout').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
