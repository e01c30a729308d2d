import { type RawBuilder, sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import { type Db, FIRST_ID } from '../../../lib/db/database.ts'
import { type IndexRange, isInRange, orderOfRange } from '../../../lib/db/index-range.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { clockOf, firstInstant } from '../../../lib/wall-clock.ts'
import { listWorkspaces } from '../../workspaces/workspaces.ts'
import { approversOf, readApprovals } from '../approval/approval.ts'
import { attention, counted, MAX_COUNTED } from './counts.ts'

const UPCOMING_MS = 7 * DAY
const DAYS = 7

/** Posts that are going to be published, in the order of the index `post_scheduled`. */
function scheduled(workspace_id: RawBuilder<string>, from: RawBuilder<Date>, until: RawBuilder<Date>) {
  const range: IndexRange = {
    columns: ['post.workspace_id', 'post.scheduled_at', 'post.id'],
    low: [workspace_id, from, FIRST_ID],
    high: [workspace_id, until, FIRST_ID],
    direction: 'asc',
  }
  return sql`from post where ${isInRange(range)} and post.deleted_at is null and status = 'scheduled' and held is null
    order by ${orderOfRange(range)}`
}

function selectCounts({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: User) {
  const id = sql<string>`workspace.id`
  const now = clock.now()
  const { failed, blocked, in_review, held, stopped } = attention(id, now)
  const upcoming = (until: RawBuilder<Date>) => scheduled(id, sql`${now}::timestamptz`, until)
  const soon = new Date(now.getTime() + UPCOMING_MS)
  return listWorkspaces(db, caller)
    .clearSelect()
    .select([
      'workspace.id',
      'workspace.name',
      'workspace.slug',
      'workspace.timezone',
      failed.as('failed'),
      blocked.as('blocked'),
      in_review.as('in_review'),
      held.as('held'),
      stopped.as('stopped'),
      counted(sql`select ${upcoming(sql`${soon}::timestamptz`)}`).as('upcoming'),
      sql<Date | null>`(select scheduled_at ${upcoming(sql`'infinity'`)} limit 1)`.as('next_at'),
      counted(sql`select from account where account.workspace_id = ${id} and account.status = 'disconnected'
        and account.deleted_at is null`).as('disconnected_accounts'),
    ])
}

/** The counts of each workspace of the caller, with what comes in the next seven days. */
export async function listWorkspaceCounts(deps: Pick<Deps, 'db' | 'clock'>, caller: User, query: PageInput) {
  const { data, next_cursor } = await page(selectCounts(deps, caller), 'workspace.id', query)
  const waiting = await countDecisions(
    deps.db,
    caller.user_id,
    data.filter(({ in_review }) => in_review > 0).map(({ id }) => id),
  )
  const days = await countDays(deps, data)
  return {
    data: data.map((row) => ({ ...row, waits_for_you: waiting.get(row.id) ?? 0, days: days.get(row.id) ?? [] })),
    next_cursor,
  }
}

/** Counts by workspace the posts on whose approval a member can decide now. */
async function countDecisions(db: Db, user_id: string, workspace_ids: readonly string[]) {
  if (workspace_ids.length === 0) return new Map<string, number>()
  const { rows } = await sql<{ workspace_id: string; ids: string[] }>`
    select member.workspace_id, array(
      select id::text from post where post.workspace_id = member.workspace_id and review = 'pending'
        and deleted_at is null limit ${sql.lit(MAX_COUNTED)}) as ids
    from workspace_member as member
    where user_id = ${user_id} and member.workspace_id = any(${workspace_ids}::uuid[])
      and role in ('editor', 'admin', 'owner')`.execute(db)
  const counts = new Map<string, number>()
  for (const { workspace_id, ids } of rows) {
    const approvals = [...(await readApprovals(db, workspace_id, ids)).values()]
    const mine = approvals.filter((approval) => approversOf(approval).some((one) => one.user_id === user_id))
    counts.set(workspace_id, mine.length)
  }
  return counts
}

/** Counts the posts of each of seven days from today, by the clocks of the workspace. */
async function countDays(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  workspaces: readonly { id: string; timezone: string }[],
) {
  const now = clock.now().getTime()
  const days = workspaces.flatMap(({ id, timezone }) => {
    const wall = clockOf(timezone)
    const today = Math.floor(wall(now) / DAY) * DAY
    const begin = (index: number) => new Date(firstInstant(wall, today + index * DAY)).toISOString()
    return Array.from({ length: DAYS }, (_, index) => ({
      id,
      day: new Date(today + index * DAY).toISOString().slice(0, 10),
      from: index === 0 ? new Date(now).toISOString() : begin(index),
      until: begin(index + 1),
    }))
  })
  const { rows } = await sql<{ id: string; days: { day: string; posts: number }[] }>`
    select span.id, json_agg(json_build_object('day', span.day, 'posts', ${counted(
      sql`select ${scheduled(sql`span.id`, sql`span.from`, sql`span.until`)}`,
    )}) order by span.day) as days
    from json_to_recordset(${JSON.stringify(days)}::json)
      as span (id uuid, day text, "from" timestamptz, until timestamptz)
    group by span.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row.days]))
}
