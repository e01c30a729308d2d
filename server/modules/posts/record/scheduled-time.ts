import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import { invalid } from '../../../errors.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import { accountPointer, accountsFieldOf } from '../authoring/targets.ts'
import { takeSlot } from '../posting-times/next-slot.ts'
import { findPostingTimes } from '../posting-times/posting-times.ts'
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

type TimeFields = Pick<Static<typeof NewPost>, 'scheduled_at' | 'publish_now' | 'queue' | 'account_ids'>

/** The field that contradicts another one about the time; undefined if none does. */
export function timeConflict({ scheduled_at, publish_now, queue }: TimeFields) {
  if (scheduled_at && publish_now)
    return { pointer: '/publish_now', message: 'Set either scheduled_at or publish_now.' }
  if (queue && scheduled_at) return { pointer: '/queue', message: 'Set either scheduled_at or queue.' }
  if (queue && publish_now) return { pointer: '/queue', message: 'Set either publish_now or queue.' }
}

type Requested = {
  /** The accounts that the call names; undefined keeps those of the post. */
  targets: readonly { account_id: string }[] | undefined
  now: Date
  post_id?: string
}

const accountsOf = async (tx: Tx, post_id: string | undefined) =>
  post_id === undefined
    ? []
    : tx.selectFrom('post_target').select('account_id').where('post_id', '=', post_id).orderBy('position').execute()

/** The time that a call sets: null for none, undefined keeps that of the post. `queued_for`: the same, if the queue chose it. */
export async function requestedTime(
  tx: Tx,
  { workspace_id }: Pick<Member, 'workspace_id'>,
  input: TimeFields,
  { targets, now, post_id }: Requested,
): Promise<{ time: Date | null | undefined; queued_for?: Date }> {
  const conflict = timeConflict(input)
  if (conflict) throw invalid(conflict.pointer, conflict.message)
  if (input.queue) {
    const first = targets?.[0]
    if (first && !(await findPostingTimes(tx, { workspace_id }, first.account_id)))
      throw invalid(accountPointer(accountsFieldOf(input), 0), 'This account does not exist.')
    const account_ids = (targets ?? (await accountsOf(tx, post_id))).map(({ account_id }) => account_id)
    const time = await takeSlot(tx, { workspace_id, account_ids, now, ...(post_id !== undefined && { post_id }) })
    return { time, queued_for: time }
  }
  if (input.publish_now) return { time: now }
  const { scheduled_at } = input
  return { time: typeof scheduled_at === 'string' ? parseScheduledAt(scheduled_at, now) : scheduled_at }
}
