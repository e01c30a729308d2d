import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { FIRST_ID, LAST_ID } from '../../../lib/db/database.ts'
import { type IndexRange, isInRange, orderOfRange } from '../../../lib/db/index-range.ts'
import { idOfCursor, page, pageLimit } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { atLeast } from '../../../lib/http/roles.ts'
import { requireSide } from './record/act-on-order.ts'
import { type OrderState, orderStates, readState } from './record/order-state.ts'
import { viewOf } from './record/order-view.ts'
import type { OrderQuery } from './record/orders.schema.ts'
import { findOrder, isParty } from './record/orders.ts'

type Reading = Pick<Deps, 'db' | 'clock'>

const viewFor = ({ clock }: Pick<Deps, 'clock'>, caller: Member, order: OrderState) =>
  viewOf(order, requireSide(order, caller), { now: clock.now(), canAct: atLeast(caller.role, 'admin') })

/** The orders that the workspace of the caller buys, and those that the caller sells in it, as their indexes have them. */
function partyRanges({ workspace_id, user_id }: Member, { role, cursor }: Static<typeof OrderQuery>): IndexRange[] {
  const ofParty = (columns: string[], party: string[]): IndexRange => ({
    columns: [...columns, 'gig_order.id'],
    low: [...party, FIRST_ID],
    high: [...party, cursor === undefined ? LAST_ID : idOfCursor(cursor)],
    direction: 'desc',
  })
  const bought = ofParty(['gig_order.buyer_workspace_id'], [workspace_id])
  const sold = ofParty(['gig_order.seller_workspace_id', 'gig_order.seller_id'], [workspace_id, user_id])
  return role === undefined ? [bought, sold] : [role === 'buyer' ? bought : sold]
}

/**
 * Condition: among the first orders of each part. With a condition of either party, a generic plan walks the orders
 * of all workspaces.
 */
function isAmongFirst(caller: Member, query: Static<typeof OrderQuery>) {
  const hasStatus = query.status === undefined ? sql`` : sql`and status = ${query.status}`
  const first = partyRanges(caller, query).map(
    (range) => sql`(select id from gig_order where ${isInRange(range)} ${hasStatus}
      order by ${orderOfRange(range)} limit ${pageLimit(query.limit ?? 25)})`,
  )
  return sql<SqlBool>`gig_order.id = any(array(${sql.join(first, sql` union all `)}))`
}

/** Orders that the workspace of the caller buys, and those that the caller sells in it. */
export async function listOrders(deps: Reading, caller: Member, query: Static<typeof OrderQuery>) {
  const { role, status, gig_id } = query
  let rows = orderStates(deps.db)
  if (gig_id === undefined) rows = rows.where(isAmongFirst(caller, query))
  else rows = rows.where(isParty(caller, role)).where('gig_order.gig_id', '=', gig_id)
  if (status !== undefined) rows = rows.where('gig_order.status', '=', status)
  const { data, next_cursor } = await page(rows, 'gig_order.id', query)
  return { data: data.map((order) => viewFor(deps, caller, order)), next_cursor }
}

export async function readOrder(deps: Reading, caller: Member, id: string) {
  const { id: found } = await findOrder(deps.db, caller, id)
  return viewFor(deps, caller, await readState(deps.db, found))
}
