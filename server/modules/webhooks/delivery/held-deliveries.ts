import { sql } from 'kysely'
import type { HeldWork } from '../../../lib/lifecycle.ts'

const BATCH = 5000

/** The deliveries that waited at a backup. Those of later events are sent in any case. */
export const heldDeliveries: HeldWork = {
  count: async (db, { restored_at }) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from delivery where state = 'waiting' and id < uuid_at(${restored_at})`.execute(db)
    return rows[0]?.count ?? 0
  },
  drop: async ({ db }, { restored_at }) => {
    for (let dropped = 0; ; ) {
      const { numAffectedRows = 0n } = await sql`
        delete from delivery where ctid = any(array(
          select ctid from delivery where state = 'waiting' and id < uuid_at(${restored_at}) limit ${BATCH}))`.execute(
        db,
      )
      dropped += Number(numAffectedRows)
      if (numAffectedRows < BATCH) return dropped
    }
  },
}
