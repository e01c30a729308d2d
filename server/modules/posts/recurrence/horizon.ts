import { DAY } from '../../../../shared/time.ts'
import type { Tx } from '../../../lib/db/database.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { nextOccurrence, type Recurrence } from './occurrences.ts'

/** Time before an occurrence at which its post is created, so that the calendar and the limits of the plan see it. */
const HORIZON_MS = 7 * DAY

export const dueAt = (next_at: Date | null) => next_at && new Date(next_at.getTime() - HORIZON_MS)

/** From `now`, whatever was created before. The job leaves out the occurrences that exist. */
export function firstTimes(recurrence: Recurrence, now: Date) {
  const next_at = nextOccurrence(recurrence, now)
  return { next_at, due_at: dueAt(next_at), waiting_reason: null, waiting_detail: null }
}

/** Has the job create what is due at once, instead of within a minute. */
export const enqueueOccurrences = (tx: Tx) => addJob(tx, 'create-occurrences', {}, { key: 'create-occurrences' })
