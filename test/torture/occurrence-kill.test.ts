import type { ChildProcess } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { kill } from '../processes.ts'
import { randomNumbers } from '../random.ts'
import { newRecurringPost, readRecurringPost } from '../recurring-posts.ts'
import { scaled } from '../run/machine.ts'
import { SEED, timesOf } from './settings.ts'
import { startTortureWorker } from './start-worker.ts'

// More of it: npm run torture -- occurrence-kill
const KILLS = timesOf('OCCURRENCE_KILLS', 2)
/** Recurring posts that are created in a round, each with seven occurrences that are due. */
const RECURRING = 6
const DUE = 7
const HOUR = 3_600_000

const countOccurrences = async ({ deps }: TestApp) =>
  (await sql<{ count: number }>`select count(*)::int as count from post_occurrence`.execute(deps.db)).rows[0]?.count ??
  0

/** Frees the job of the killed worker, as the heartbeat of another does after a while, and runs it to its end. */
async function finish(t: TestApp) {
  await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null`.execute(t.deps.db)
  await sql`update graphile_worker._private_job_queues set locked_at = null, locked_by = null`.execute(t.deps.db)
  await sql`select graphile_worker.add_job('create-occurrences', '{}')`.execute(t.deps.db)
  await t.runJobs()
}

/** Has a person edit an occurrence ahead, while the worker creates those before it. */
async function editAhead(owner: WorkspaceOwner, id: string) {
  const { occurs_at } = (await readRecurringPost(owner, id)).next_occurrences.at(-1)
  return expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/posts`, { occurs_at }), 200)
}

test(
  `${KILLS} kills at any moment of the creation of occurrences leave each with one post (seed ${SEED})`,
  async () => {
    const random = randomNumbers(SEED)
    const t = await testApp({}, { origin: new Date() })
    const owner = await withWorkspace(t)
    const account = await playgroundAccount(owner)
    const body = await newRecurringPost(t, owner, {
      account_ids: [account],
      contents: ['A', 'B'],
      // The seventh lies within seven days, the eighth does not.
      starts_at: new Date(Date.now() + 23 * HOUR).toISOString().slice(0, 16),
    })
    let worker: ChildProcess | undefined
    onTestFinished(async () => {
      await kill(worker)
      await t.close()
    })
    const made: string[] = []
    for (let round = 0; round < KILLS; round++) {
      worker = await startTortureWorker(t)
      const before = await countOccurrences(t)
      for (let n = 0; n < RECURRING; n++)
        made.push(expectStatus(await owner.post('/api/v1/recurring-posts', body), 201).body.id)
      const edited = editAhead(owner, made.at(-1) ?? '')
      const hit = before + Math.floor(random() * (RECURRING - 1) * DUE)
      while ((await countOccurrences(t)) < hit) await nextTurn()
      await kill(worker)
      await edited
      await finish(t)
    }

    const { rows } = await sql<Record<string, unknown>>`
      select recurring_post.id,
        (select count(*)::int from post_occurrence where recurring_post_id = recurring_post.id) as occurrences,
        count(distinct post.scheduled_at)::int as posts,
        count(*)::int as all_posts,
        count(*) filter (where post_occurrence.id is not null)::int as named,
        string_agg(post.content, '' order by post.scheduled_at) as contents
      from recurring_post join post on post.recurring_post_id = recurring_post.id
        left join post_occurrence on post_occurrence.post_id = post.id
          and post_occurrence.occurs_at = post.scheduled_at
      group by recurring_post.id order by recurring_post.id`.execute(t.deps.db)
    const expected = made.map((id, index) => {
      const isEdited = index % RECURRING === RECURRING - 1
      const count = isEdited ? DUE + 1 : DUE
      const contents = isEdited ? 'ABABABAB' : 'ABABABA'
      return { id, occurrences: count, posts: count, all_posts: count, named: count, contents }
    })
    expect(rows, `seed ${SEED}`).toEqual(expected.sort((a, b) => a.id.localeCompare(b.id)))
    const { rows: events } = await sql<{ count: number }>`
      select count(*)::int as count from event where type = 'post.created'`.execute(t.deps.db)
    expect(events[0]?.count).toBe(made.length * DUE + KILLS)
  },
  scaled(60_000 + 20_000 * KILLS),
)
