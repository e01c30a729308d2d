import type { Tx } from '../../../lib/db/database.ts'

/** Ends the hold of a post whose queue was paused, unless the queue of one of its accounts still is: see `post_hold_queue`. */
export const endQueueHold = (tx: Tx, id: string) =>
  tx.updateTable('post').set({ held: null }).where('id', '=', id).where('held', '=', 'queue_paused').execute()
