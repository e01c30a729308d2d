import { sql } from 'kysely'
import type { Db } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import { type Side, unread } from './record/order-state.ts'
import { isParty } from './record/orders.ts'

const MAX_COUNTED = 100

/** Orders whose next step is that side's: the seller accepts and delivers, the buyer checks the delivery. */
const turn = { buyer: sql`status = 'delivered'`, seller: sql`status in ('pending', 'in_progress')` }

const waits = (side: Side) => sql`(${turn[side]} or (
    exists (select from order_proposal p where p.order_id = gig_order.id and p.status = 'open' and p.proposed_by <> ${side})
    or ${unread(side)} > 0
  ) and (status in ('pending', 'in_progress', 'delivered', 'disputed') or disputed_from = 'completed'))`

async function countSide(db: Db, caller: Member, side: Side) {
  const { rows } = await sql<{ total: number; waiting: number }>`
    select count(*)::int as total, (count(*) filter (where waits))::int as waiting from (
      select ${waits(side)} as waits from gig_order where ${isParty(caller, side)} order by id desc limit ${MAX_COUNTED}
    ) as newest`.execute(db)
  return rows[0] ?? { total: 0, waiting: 0 }
}

/** Counts the newest orders of the caller on each side, and those that wait for that side. */
export async function countOrders(db: Db, caller: Member) {
  const [buyer, seller] = await Promise.all([countSide(db, caller, 'buyer'), countSide(db, caller, 'seller')])
  return { buyer, seller }
}
