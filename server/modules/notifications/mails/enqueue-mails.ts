import type { Tx } from '../../../lib/db/database.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { collectMs, type Kind } from '../kinds.ts'

/** Enqueues the mail about the notifications of a kind that a user collects from `since`, unless one waits already. */
export const enqueueMails = (tx: Tx, { user_id, kind }: { user_id: string; kind: Kind }, since: Date) =>
  addJob(
    tx,
    'mail-notifications',
    { user_id, kind },
    {
      key: `notifications ${user_id} ${kind}`,
      keepsRunAt: true,
      runAt: new Date(since.getTime() + collectMs(kind)),
    },
  )
