import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { agentOf, draftText } from '../../server/modules/agents/runs/runs.fixture.ts'
import { startDueRuns } from '../../server/modules/agents/runs/start-due-runs.ts'
import { sweepGenerations } from '../../server/modules/ai/generations.ts'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, signedIn, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { kill } from '../processes.ts'
import { randomNumbers } from '../random.ts'
import { scaled } from '../run/machine.ts'
import { modelAt, providerServer } from '../stand-ins/ai.ts'
import { SEED, timesOf } from './settings.ts'
import { startTortureWorker } from './start-worker.ts'

// More of it: npm run torture -- agent-kill
const KILLS = timesOf('AGENT_KILLS', 2)
// More of it: npm run torture -- agent-boundaries
const BOUNDARY_KILLS = timesOf('AGENT_BOUNDARY_KILLS', 3)
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

/** Ends everything, and expects each run once, with its posts and its part of the day, and each credit once. */
async function expectEachOnce(t: TestApp, runs: number) {
  await finish(t)
  const { rows } = await outcomes(t)
  expect(rows).toHaveLength(runs)
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
}

/** An app with a model that writes something else at each call. `work`: starts the worker that is killed at the end. */
async function tortured(random: () => number) {
  const t = await testApp({}, { origin: new Date() })
  const openai = await providerServer('openai')
  const reply = () => draftText({ topic: wordsOf(random), content: wordsOf(random) })
  openai.script.reply = reply
  let worker: ChildProcess | undefined
  const work = async () => {
    worker = await startTortureWorker(t)
    return worker
  }
  onTestFinished(async () => {
    await kill(worker)
    openai.close()
    await t.close()
  })
  await modelAt(await signedIn(t, { instanceAdmin: true }), 'openai', 'chat', openai)
  return { t, openai, reply, work }
}

/** Starts a run by hand of a new agent, so that every run is one that was asked for. */
async function startRun(t: TestApp, owner: WorkspaceOwner) {
  const id = await agentOf(t, owner, { schedule_cron: null, next_run_at: null, posts_per_run: POSTS })
  expectStatus(await owner.post(`/api/v1/agents/${id}/run`), 201)
}

test(
  `${KILLS} kills at any moment of the runs of agents leave each post once, and no credit lost or won (seed ${SEED})`,
  async () => {
    const random = randomNumbers(SEED)
    const { t, openai, work } = await tortured(random)
    openai.slow(LATENCY_MS)
    for (let round = 0; round < KILLS; round++) {
      // New ones, because the dead generations of a round count in the limit of their workspace until their leases end.
      const owners = await Promise.all([withWorkspace(t), withWorkspace(t), withWorkspace(t)])
      const worker = await work()
      for (const owner of [...owners, ...owners]) await startRun(t, owner)
      await sleep(random() * MAX_DELAY_MS)
      await kill(worker)
    }
    openai.slow(0)
    await expectEachOnce(t, 6 * KILLS)
  },
  scaled(60_000 + 30_000 * KILLS),
)

/** Writes whose commit is a boundary of a run. The database holds the worker there, until the test lets it on or ends it. */
const commits = {
  'the claim of a step':
    'update on agent_run [old.claim_id is distinct from new.claim_id and new.claim_id is not null]',
  'the reservation of a credit': 'insert on ai_generation [true]',
  'the creation of a post': 'insert on post [new.agent_run_id is not null]',
  'the end of a run': 'update on agent_run [old.ended_at is null and new.ended_at is not null]',
  'the end of a job': 'delete on graphile_worker._private_jobs [true]',
}
const boundaries = ['the call of the model', ...Object.keys(commits)] as (
  | 'the call of the model'
  | keyof typeof commits
)[]

/** Locked by the test while a worker is to stop at a boundary. */
const GATE = 20_261_129

/** Has the database hold whoever reaches the commit for the `nth` time. Returns what waits for that, and what ends it. */
async function holdAt(t: TestApp, boundary: keyof typeof commits, nth: number) {
  const session = new pg.Client(t.database.connection)
  await session.connect()
  const [, write, condition] = /^(.*) \[(.*)\]$/.exec(commits[boundary]) ?? []
  const table = write?.split(' on ')[1]
  await session.query(`select pg_advisory_lock(${GATE})`)
  await session.query('drop sequence if exists gate_passes; create sequence gate_passes')
  await session.query(`create or replace function wait_at_gate() returns trigger language plpgsql as $$ begin
    if nextval('public.gate_passes') = ${nth} then perform pg_advisory_xact_lock_shared(${GATE}); end if; return null;
  end $$`)
  await session.query(`create constraint trigger gate after ${write} deferrable initially deferred
    for each row when (${condition}) execute function public.wait_at_gate()`)
  const held = async () => {
    const { rows } = await session.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted
        and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0]?.pid
  }
  /** `isLost`: the worker died before the commit reached the database. */
  const end = async (isLost: boolean) => {
    const pid = await held()
    if (isLost) await session.query('select pg_terminate_backend($1, 10000)', [pid])
    await session.query(`select pg_advisory_unlock(${GATE})`)
    await expect.poll(held).toBeUndefined()
    await session.query(`drop trigger gate on ${table}`)
    await session.end()
  }
  return { held, end }
}

test(
  `${BOUNDARY_KILLS} kills at the boundaries of runs leave each run once, and each credit once (seed ${SEED})`,
  async () => {
    const random = randomNumbers(SEED)
    const { t, openai, reply, work } = await tortured(random)
    const first = Math.floor(random() * boundaries.length)
    for (let round = 0; round < BOUNDARY_KILLS; round++) {
      const boundary = boundaries[(first + round) % boundaries.length] ?? 'the call of the model'
      const nth = boundary === 'the end of a run' ? 1 : 1 + Math.floor(random() * POSTS)
      const isLost = random() < 0.5
      // A new one, because a dead generation counts in the limit of its workspace until its lease ends.
      await startRun(t, await withWorkspace(t))
      const before = openai.calls.length
      if (boundary === 'the call of the model') {
        openai.script.reply = () => {
          if (openai.calls.length === before + nth - 1) openai.failNext({ kind: 'hang' })
          return reply()
        }
        if (nth === 1) openai.failNext({ kind: 'hang' })
        const worker = await work()
        await openai.called(before + nth)
        await kill(worker)
        openai.script.reply = reply
        continue
      }
      const gate = await holdAt(t, boundary, nth)
      const worker = await work()
      const reached = expect.poll(gate.held, { timeout: scaled(20_000), message: `${boundary}, seed ${SEED}` })
      await reached.not.toBeUndefined()
      await kill(worker)
      await gate.end(isLost)
    }
    await expectEachOnce(t, BOUNDARY_KILLS)
  },
  scaled(60_000 + 30_000 * BOUNDARY_KILLS),
)
