/**
 * A run writes the posts of an agent for one time of its schedule, or for a person who starts it.
 *
 *     queued ──▶ running ──▶ completed
 *       │          │  ├────▶ awaiting_review ──all decided──▶ completed
 *       │          │  └────▶ failed, skipped
 *       └──────────┴───────▶ canceled
 *
 * - A run is unique by its agent and slot, and an agent has one in progress.
 * - It goes on in steps, which workers take by turns (`run-queue.ts`): a step calls the model once for one item. An item is a post that is
 *   `writing`, then `created` or `pending` (it waits for review), or `blocked` with a reason.
 * - A video is made by a job of its own: a step starts it, and steps ten seconds apart look how far it is.
 * - A step claims the run under a lease, and a step whose claim has ended writes nothing (`steps/claim.ts`).
 * - `skipped`: there was nothing to do, such as no new entry in its sources. `failed` counts towards disabling the agent.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { invalidTransition, notFound } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { usdOf } from '../../../lib/money.ts'
import type { RunReason } from '../record/run-status.ts'
import { slotOf } from '../record/schedule.ts'
import { idOfRun } from './missed-slots.ts'
import { enqueueStep } from './run-queue.ts'

export const selectRuns = (db: Db) =>
  db
    .selectFrom('agent_run')
    .select([
      'agent_run.id',
      'agent_run.agent_id',
      'trigger',
      'agent_run.status',
      'wanted',
      'made',
      'missed',
      'credits',
      'agent_run.is_cost_estimated',
    ])
    .select(['due_at', 'agent_run.created_at', 'started_at', 'ended_at'])
    .select([
      usdOf<number>(sql`agent_run.cost`).as('cost_usd'),
      sql<RunReason | null>`agent_run.reason`.as('reason'),
      sql<string[]>`coalesce((select array_agg(post_id order by position) from agent_item
        where run_id = agent_run.id and post_id is not null), '{}')`.as('post_ids'),
    ])

/** A run as events show it. */
export const readRunRow = (db: Db, id: string) =>
  selectRuns(db).where('agent_run.id', '=', id).executeTakeFirstOrThrow()

const findAgent = (db: Db, { workspace_id }: Member, id: string) =>
  db.selectFrom('agent').selectAll().where('id', '=', id).where('workspace_id', '=', workspace_id)

export async function listRuns(db: Db, caller: Member, agent_id: string, query: PageInput) {
  await findAgent(db, caller, agent_id).executeTakeFirstOrThrow(notFound)
  return page(selectRuns(db).where('agent_run.agent_id', '=', agent_id), 'agent_run.id', query)
}

/** Starts a run by hand, of an agent that may be disabled. It counts in the limits of the day like any other. */
export const startRun = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const agent = await findAgent(tx, caller, id).forNoKeyUpdate().executeTakeFirstOrThrow(notFound)
    const current = await tx
      .selectFrom('agent_run')
      .select('status')
      .where('agent_id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .executeTakeFirst()
    if (current) throw invalidTransition(current.status, 'start a run')
    const day = slotOf(agent, now).slice(0, 10)
    const run = await tx
      .insertInto('agent_run')
      .values({
        id: idOfRun(now),
        workspace_id: caller.workspace_id,
        agent_id: id,
        trigger: 'manual',
        slot: `m:${randomUUID()}`,
        day: sql<Date>`${day}::date`,
        wanted: agent.posts_per_run,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueueStep(tx, run, { now })
    await audit(tx, caller, 'agent.run_requested', id, { run_id: run.id })
    return readRunRow(tx, run.id)
  })
