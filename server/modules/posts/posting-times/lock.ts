import { sql } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import { locks } from '../../../lib/db/locks.ts'

/** Lets one transaction at a time give out the slots of these accounts. */
export const lockQueues = (tx: Tx, account_ids: readonly string[]) =>
  sql`select pg_advisory_xact_lock(${locks.queue}, hashtext(id))
    from unnest(${account_ids.toSorted()}::text[]) as id`.execute(tx)
