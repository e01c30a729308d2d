import type { Static } from 'typebox'
import { page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { atLeast } from '../../../lib/http/roles.ts'
import { type OrderState, orderStates, readState } from './record/order-state.ts'
import { sideOf, viewOf } from './record/order-view.ts'
import type { OrderQuery } from './record/orders.schema.ts'
import { findOrder, isParty } from './record/orders.ts'

type Reading = Pick<Deps, 'db' | 'clock'>

const viewFor = ({ clock }: Pick<Deps, 'clock'>, caller: Member, order: OrderState) =>
  viewOf(order, sideOf(order, caller) ?? 'buyer', { now: clock.now(), canAct: atLeast(caller.role, 'admin') })

/** Orders that the workspace of the caller buys, and those that the caller sells in it. */
export async function listOrders(
  deps: Reading,
  caller: Member,
  { role, status, gig_id, ...query }: Static<typeof OrderQuery>,
) {
  const rows = orderStates(deps.db)
    .where(isParty(caller, role))
    .$if(status !== undefined, (all) => all.where('gig_order.status', '=', status ?? 'pending'))
    .$if(gig_id !== undefined, (all) => all.where('gig_order.gig_id', '=', gig_id ?? ''))
  const { data, next_cursor } = await page(rows, 'gig_order.id', query)
  return { data: data.map((order) => viewFor(deps, caller, order)), next_cursor }
}

export async function readOrder(deps: Reading, caller: Member, id: string) {
  const { id: found } = await findOrder(deps.db, caller, id)
  return viewFor(deps, caller, await readState(deps.db, found))
}
