import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import { invalid } from '../../../errors.ts'
import type { NewPost } from './posts.schema.ts'

const TWO_YEARS = 2 * 366 * 24 * 60 * MINUTE

/** Returns the reason if a post cannot be scheduled at this time. */
export function scheduledAtProblem(time: Date, now: Date) {
  if (time.getTime() < now.getTime() - MINUTE)
    return { en: 'This time is in the past.', tr: 'Bu zaman geçmişte kalmış.' }
  if (time.getTime() > now.getTime() + TWO_YEARS)
    return { en: 'This time is more than two years away.', tr: 'Bu zamana iki yıldan fazla var.' }
}

export function parseScheduledAt(text: string, now: Date) {
  const time = new Date(text)
  const problem = scheduledAtProblem(time, now)
  if (problem) throw invalid('/scheduled_at', problem)
  return time
}

export type TimeFields = Pick<
  Static<typeof NewPost>,
  'scheduled_at' | 'publish_now' | 'queue' | 'is_idea' | 'account_ids'
>

/** The field that contradicts another one about the time; undefined if none does. */
export function timeConflict({ scheduled_at, publish_now, queue, is_idea }: TimeFields) {
  if (is_idea && (scheduled_at || publish_now || queue)) return { pointer: '/is_idea', message: 'An idea has no time.' }
  if (scheduled_at && publish_now)
    return { pointer: '/publish_now', message: 'Set either scheduled_at or publish_now.' }
  if (queue && scheduled_at) return { pointer: '/queue', message: 'Set either scheduled_at or queue.' }
  if (queue && publish_now) return { pointer: '/queue', message: 'Set either publish_now or queue.' }
}
