import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { enqueueCheckoutSync } from '../providers/enqueue-sync.ts'
import { recordOf } from '../records/checkouts.ts'

type Needs = Pick<Deps, 'db' | 'clock'>

/** Time between two reads of a checkout: ten seconds, and later a tenth of the time since its page was opened. */
const isDue = (now: Date) =>
  sql<boolean>`greatest(read_at, updated_at) <= ${now}::timestamptz - greatest('10 s', (${now}::timestamptz - updated_at) / 10)`

/** Enqueues a read at the provider for each open checkout, but for those that another transaction has locked. */
const enqueueReads = ({ db, clock }: Needs, { id, onlyDue }: { id?: string; onlyDue: boolean }) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const open = tx
      .selectFrom('checkout')
      .select('id')
      .where('status', '=', 'open')
      .where('provider_ref', 'is not', null)
      .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
      .$if(onlyDue, (query) => query.where(isDue(now)))
      .forUpdate()
      .skipLocked()
    const read = await tx
      .updateTable('checkout')
      .set({ read_at: now })
      .where('id', 'in', open)
      .returning('id')
      .execute()
    for (const { id } of read) await enqueueCheckoutSync(tx, id)
  })

/** Reads all open checkouts: events that were sent while no node ran may come late or never. */
export const readOpenCheckouts = (deps: Needs) => enqueueReads(deps, { onlyDue: false })

/** Reads the open checkouts that are due, in case an event is lost. */
export const readDueCheckouts = (deps: Needs) => enqueueReads(deps, { onlyDue: true })

/** Reads a checkout of the workspace. One that is open is also read from its provider, unless it was just now. */
export async function readCheckout(deps: Needs & Pick<Deps, 'options'>, { workspace_id }: Member, id: string) {
  const row = await deps.db
    .selectFrom('checkout')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .executeTakeFirst()
  if (!row) throw notFound()
  if (row.status === 'open' && row.provider_ref !== null) await enqueueReads(deps, { id, onlyDue: true })
  return recordOf(deps, row)
}
