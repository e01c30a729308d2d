import { sql } from 'kysely'
import { inTransaction } from '../../../lib/db/database.ts'
import type { HeldWork } from '../../../lib/lifecycle.ts'
import { removeJob } from '../../../lib/runtime/jobs.ts'
import { jobKey } from '../mail.ts'

/** The mails that waited at a backup. What is not sent stays in the outbox, where an admin can send it. */
export const heldMails: HeldWork = {
  count: async (db, { restored_at }) => {
    const { count } = await db
      .selectFrom('mail')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('state', '=', 'queued')
      .where('created_at', '<', restored_at)
      .executeTakeFirstOrThrow()
    return count
  },
  drop: ({ db }, { restored_at }) =>
    inTransaction(db, async (tx) => {
      const mails = await tx
        .updateTable('mail')
        .set({ state: 'kept' })
        .where('state', '=', 'queued')
        .where('created_at', '<', restored_at)
        .returning('id')
        .execute()
      for (const { id } of mails) await removeJob(tx, jobKey(id))
      return mails.length
    }),
}
