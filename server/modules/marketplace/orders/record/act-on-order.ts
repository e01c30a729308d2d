import { notFound } from '../../../../errors.ts'
import type { Actor } from '../../../../lib/db/audit.ts'
import { inTransaction, nextUpdatedAt, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import type { IfMatch } from '../../../../lib/http/etag.ts'
import { type OrderState, readState } from './order-state.ts'
import { sideOf, viewOf } from './order-view.ts'
import { type Action, assertAllowed, type Party } from './rules.ts'

/** Waits for other changes of the order, and holds them back until the commit. Throws for one that does not exist. */
export async function lockOrder(tx: Tx, id: string): Promise<OrderState> {
  const row = await tx.selectFrom('gig_order').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw notFound()
  return readState(tx, id)
}

/** Side of the order on which the caller is. Throws for third parties as if the order did not exist. */
export function requireSide(order: Parameters<typeof sideOf>[0], caller: Member) {
  const side = sideOf(order, caller)
  if (!side) throw notFound()
  return side
}

/** A step of one party: what changes the order, its money and its mails, in one transaction. */
export type Step<P extends Party = Party> = { by: P; actor: Actor; now: Date }
type Work<P extends Party> = (tx: Tx, order: OrderState, step: Step<P>) => Promise<unknown>
type Acting = { id: string; action: Action; ifMatch?: IfMatch }

/** Does `work` on an order if the rules allow the action to `party` now. Returns the order as that party sees it. */
export const actAs = <P extends Party>(
  deps: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  { id, action, ifMatch }: Acting,
  partyOf: (order: OrderState, tx: Tx) => P | Promise<P>,
  work: Work<P>,
) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const order = await lockOrder(tx, id)
    const party = await partyOf(order, tx)
    ifMatch?.(order.version)
    assertAllowed(action, { order, party, now })
    await work(tx, order, { by: party, actor, now })
    return viewOf(await readState(tx, id), party, { now, canAct: true })
  })

/** The same for a member of one of the two workspaces. */
export const actOnOrder = (
  deps: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  acting: Acting,
  work: Work<'buyer' | 'seller'>,
) => actAs(deps, caller, acting, (order) => requireSide(order, caller), work)

/** Shows a new version of the order to clients, after something of it changed that has a table of its own. */
export const touchOrder = (tx: Tx, id: string, now: Date) =>
  tx
    .updateTable('gig_order')
    .set({ updated_at: nextUpdatedAt(now) })
    .where('id', '=', id)
    .execute()
