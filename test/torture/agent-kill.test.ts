import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { agentOf, draftText } from '../../server/modules/agents/runs/runs.fixture.ts'
import { startDueRuns } from '../../server/modules/agents/runs/start-due-runs.ts'
import { sweepGenerations } from '../../server/modules/ai/generations.ts'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, signedIn, withWorkspace } from '../factories.ts'
import { kill } from '../processes.ts'
import { randomNumbers } from '../random.ts'
import { scaled } from '../run/machine.ts'
import { modelAt, providerServer } from '../stand-ins/ai.ts'
import { SEED, timesOf } from './settings.ts'
import { startTortureWorker } from './start-worker.ts'

// More of it: npm run torture -- agent-kill
const KILLS = timesOf('AGENT_KILLS', 2)
const POSTS = 3
/** Time of a call of the model, so that a kill hits any of the steps. */
const LATENCY_MS = 60
/** Longest time from the runs of a round to the kill: about that of the runs. */
const MAX_DELAY_MS = 900
/** Longer than the leases of runs and generations. */
const LEASES_MS = 5 * 60_000

/** Words that no other text has, so that none is refused as a repetition. */
const wordsOf = (random: () => number) =>
  Array.from({ length: 6 }, () =>
    Array.from({ length: 8 }, () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(random() * 26)]).join(''),
  ).join(' ')

/** Frees the jobs of the killed worker, lets its leases end, and runs everything to the end. */
async function finish(t: TestApp) {
  await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null`.execute(t.deps.db)
  await sql`update graphile_worker._private_job_queues set locked_at = null, locked_by = null`.execute(t.deps.db)
  for (let pass = 0; pass < 4; pass++) {
    t.advance(LEASES_MS)
    await sweepGenerations(t.deps)
    await startDueRuns(t.deps)
    await t.runJobs()
  }
}

/** Every run with its posts, and what it cost. */
const outcomes = (t: TestApp) =>
  sql<{
    id: string
    status: string
    /** Shown when the test fails. */
    reason: string | null
    made: number
    posts: number
    used: number
    credits: number
    paid: number
  }>`
    select r.id, r.status, r.reason, r.made, r.credits,
      (select count(*)::int from post p where p.agent_run_id = r.id) as posts,
      (select used::int from agent_day d where d.agent_id = r.agent_id) as used,
      (select count(*)::int from agent_item i join ai_generation g on g.id = any(i.generation_ids)
        where i.run_id = r.id and g.state = 'succeeded') as paid
    from agent_run r order by r.id`.execute(t.deps.db)

test(
  `${KILLS} kills at any moment of the runs of agents leave each post once, and no credit lost or won (seed ${SEED})`,
  async () => {
    const random = randomNumbers(SEED)
    const t = await testApp({}, { origin: new Date() })
    const openai = await providerServer('openai')
    openai.script.reply = () => draftText({ topic: wordsOf(random), content: wordsOf(random) })
    openai.slow(LATENCY_MS)
    let worker: ChildProcess | undefined
    onTestFinished(async () => {
      await kill(worker)
      openai.close()
      await t.close()
    })
    await modelAt(await signedIn(t, { instanceAdmin: true }), 'openai', 'chat', openai)
    for (let round = 0; round < KILLS; round++) {
      // New ones, because the dead generations of a round count in the limit of their workspace until their leases end.
      const owners = await Promise.all([withWorkspace(t), withWorkspace(t), withWorkspace(t)])
      worker = await startTortureWorker(t)
      for (const owner of [...owners, ...owners]) {
        // The agents run by hand only, so that every run is one that was asked for.
        const id = await agentOf(t, owner, { schedule_cron: null, next_run_at: null, posts_per_run: POSTS })
        expectStatus(await owner.post(`/api/v1/agents/${id}/run`), 201)
      }
      await sleep(random() * MAX_DELAY_MS)
      await kill(worker)
    }
    openai.slow(0)
    await finish(t)

    const { rows } = await outcomes(t)
    expect(rows).toHaveLength(6 * KILLS)
    const wrong = rows.filter(
      ({ status, made, posts, used, credits, paid }) =>
        status !== 'completed' || [made, posts, used].some((count) => count !== POSTS) || credits !== paid,
    )
    expect(wrong, `seed ${SEED}`).toEqual([])
    const { rows: credits } = await sql<{ used: number; paid: number; running: number }>`
    select (select sum(used)::int from usage where meter = 'ai_credits') as used,
      (select sum(credits)::int from ai_generation where state = 'succeeded') as paid,
      (select count(*)::int from ai_generation where state = 'running') as running`.execute(t.deps.db)
    expect(credits[0], `seed ${SEED}`).toEqual({ used: credits[0]?.paid, paid: credits[0]?.paid, running: 0 })
  },
  scaled(60_000 + 30_000 * KILLS),
)
