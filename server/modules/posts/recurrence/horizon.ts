import { DAY } from '../../../../shared/time.ts'

/** Time before an occurrence at which its post is created, so that the calendar and the limits of the plan see it. */
const HORIZON_MS = 7 * DAY

export const dueAt = (next_at: Date | null) => next_at && new Date(next_at.getTime() - HORIZON_MS)
