import { DAY } from '../../../../../shared/time.ts'
import { system } from '../../../../lib/db/audit.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { mailOrder } from '../conversation/order-mails.ts'
import { changeOrder } from '../record/change-order.ts'

/** Begins a paid order. Returns false for one that is not waiting for its payment. */
export async function payOrder(deps: Deps, tx: Tx, id: string, paid_at: Date) {
  const row = await tx
    .selectFrom('gig_order')
    .select(['status', 'seller_id', 'seller_workspace_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row?.status !== 'pending_payment' || row.seller_id === null || row.seller_workspace_id === null) return false
  const now = deps.clock.now()
  const accept_by = new Date(now.getTime() + (await deps.options.get('marketplace.accept_days')) * DAY)
  const after = await changeOrder(tx, id, {
    name: 'pay',
    by: 'buyer',
    actor: system(),
    now,
    columns: { paid_at, accept_by },
  })
  await mailOrder(deps, tx, after, 'seller', { key: 'order-created', deadline: accept_by })
  return true
}

/** Ends an order whose payment failed, or was not made in time. */
export async function expireOrder({ clock }: Pick<Deps, 'clock'>, tx: Tx, id: string) {
  const row = await tx.selectFrom('gig_order').select('status').where('id', '=', id).forUpdate().executeTakeFirst()
  if (row?.status === 'pending_payment')
    await changeOrder(tx, id, { name: 'expire', by: 'system', actor: system(), now: clock.now() })
}
