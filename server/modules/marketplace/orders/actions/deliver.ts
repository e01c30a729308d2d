import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../../shared/time.ts'
import { invalidTransition } from '../../../../errors.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import type { IfMatch } from '../../../../lib/http/etag.ts'
import { mailRepeatable } from '../conversation/repeatable-mails.ts'
import { actOnOrder } from '../record/act-on-order.ts'
import { changeOrder } from '../record/change-order.ts'
import { shareFiles } from '../record/order-files.ts'
import type { DeliveryInput } from './actions.schema.ts'
import { copyDelivery } from './contract.ts'

/** Delivers, or replaces the last delivery. The buyer has the full time to react again. */
export const deliverOrder = (
  deps: Deps,
  caller: Member,
  id: string,
  input: Static<typeof DeliveryInput>,
  ifMatch: IfMatch,
) =>
  actOnOrder(deps, caller, { id, action: 'deliver', ifMatch }, async (tx, order, step) => {
    const { notes = '' } = input
    const { contract, media_ids } = await copyDelivery(tx, id, caller.workspace_id, input)
    if (order.status === 'delivered' && isDeepStrictEqual(order.contract, { posts: contract, notes }))
      throw invalidTransition(order.status, 'deliver the same again')
    await tx
      .insertInto('order_delivery')
      .values({
        order_id: id,
        number: sql`(select coalesce(max(number), 0) + 1 from order_delivery where order_id = ${id})`,
        notes,
        posts: JSON.stringify(contract),
        created_at: step.now,
      })
      .execute()
    await shareFiles(tx, id, media_ids)
    const days = await deps.options.get('marketplace.auto_complete_days', tx)
    const columns = { delivered_at: step.now, auto_complete_at: new Date(step.now.getTime() + days * DAY) }
    await changeOrder(tx, id, { name: 'deliver', ...step, columns })
    await mailRepeatable(deps, tx, { order_id: id, side: 'buyer', kind: 'order-delivered' })
  })
