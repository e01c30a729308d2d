import type { Selectable } from 'kysely'
import type { Db } from '../../../lib/db/database.ts'
import type { Checkout as CheckoutTable } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { toMajor } from '../../../lib/money.ts'
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

export const readRow = (db: Db, id: string) =>
  db.selectFrom('checkout').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
