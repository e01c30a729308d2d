import { sql } from 'kysely'
import { invalid } from '../../../errors.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import { lockQueues } from '../posting-times/lock.ts'
import { takeSlot } from '../posting-times/next-slot.ts'
import { findPostingTimes } from '../posting-times/posting-times.ts'
import { parseScheduledAt, type TimeFields, timeConflict } from '../record/scheduled-time.ts'
import { accountPointer, accountsFieldOf } from '../validation/requested-targets.ts'

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

type Accounts = readonly { account_id: string }[]

/** Locks the queues in which a change may take a slot. Called before the post is locked, because a pause locks both so. */
export async function lockQueuesOf(
  tx: Tx,
  { workspace_id }: Pick<Member, 'workspace_id'>,
  post_id: string,
  { queue, targets = [] }: { queue: 'next' | undefined; targets: Accounts | undefined },
) {
  const stored = await tx
    .selectFrom('post_target')
    .innerJoin('post', 'post.id', 'post_target.post_id')
    .select(['account_id', 'held'])
    .where('post.id', '=', post_id)
    .where('workspace_id', '=', workspace_id)
    .execute()
  if (queue || stored.some(({ held }) => held === 'queue_paused'))
    await lockQueues(tx, [...new Set([...stored, ...targets].map(({ account_id }) => account_id))])
}

/** Whether the queue of one of these accounts is paused. It is neither paused nor resumed until the commit. */
export async function isAnyQueuePaused(tx: Tx, accounts: Accounts) {
  const rows = await tx
    .selectFrom('account')
    .select('queue_paused_at')
    .where(sql<boolean>`id = any(${accounts.map(({ account_id }) => account_id)}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  return rows.some(({ queue_paused_at }) => queue_paused_at !== null)
}

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
