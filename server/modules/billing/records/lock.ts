import { sql } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import { locks } from '../../../lib/db/locks.ts'

/** Holds back all other changes of the billing of a workspace until the commit. Taken before any row is locked. */
export const lockBilling = (tx: Tx, workspace_id: string) =>
  sql`select pg_advisory_xact_lock(${locks.billing}::int, hashtext(${workspace_id}))`.execute(tx)
