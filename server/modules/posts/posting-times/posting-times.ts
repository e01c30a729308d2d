import { sql } from 'kysely'
import type { Static } from 'typebox'
import { notFound } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { checkTimeZone } from '../../auth/locale.ts'
import { lockQueues } from './lock.ts'
import type { NewPostingTimes, PostingTime } from './posting-times.schema.ts'
import { weekdays } from './posting-times.schema.ts'

/** The posting times of an account; none, as version 1, in the zone of the workspace if they were never set. */
export async function findPostingTimes(db: Db, { workspace_id }: Pick<Member, 'workspace_id'>, account_id: string) {
  return db
    .selectFrom('account')
    .innerJoin('workspace', 'workspace.id', 'account.workspace_id')
    .leftJoin('posting_times', 'posting_times.account_id', 'account.id')
    .select([
      sql<string>`coalesce(posting_times.timezone, workspace.timezone)`.as('timezone'),
      sql<PostingTime[]>`coalesce(posting_times.times, '[]')`.as('times'),
      sql<number>`coalesce(posting_times.version, 1)`.as('version'),
    ])
    .where('account.id', '=', account_id)
    .where('account.workspace_id', '=', workspace_id)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function readPostingTimes(db: Db, caller: Member, account_id: string) {
  const found = await findPostingTimes(db, caller, account_id)
  if (!found) throw notFound()
  return found
}

const inOrderOfWeek = (times: readonly PostingTime[]) =>
  times.toSorted((a, b) => weekdays.indexOf(a.weekday) - weekdays.indexOf(b.weekday) || a.time.localeCompare(b.time))

/** Replaces the posting times of an account. Posts that are scheduled already keep their times. */
export const savePostingTimes = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  account_id: string,
  input: Static<typeof NewPostingTimes>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    checkTimeZone(input.timezone)
    await lockQueues(tx, [account_id])
    const before = await readPostingTimes(tx, caller, account_id)
    ifMatch(before.version)
    const now = clock.now()
    const after = { timezone: input.timezone, times: inOrderOfWeek(input.times) }
    const values = { timezone: after.timezone, times: JSON.stringify(after.times) }
    await tx
      .insertInto('posting_times')
      .values({ account_id, ...values, version: 2, created_at: now, updated_at: now })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet({
          ...values,
          updated_at: sql`greatest(posting_times.updated_at + interval '1 ms', ${now}::timestamptz)`,
        }),
      )
      .execute()
    await audit(
      tx,
      caller,
      'account.posting_times_changed',
      account_id,
      changedFields(before, after, ['timezone', 'times']),
    )
    return readPostingTimes(tx, caller, account_id)
  })
