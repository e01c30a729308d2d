import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { generationApp } from '../../../../test/generations.ts'
import { startWorker } from '../../../worker.ts'
import { claimNextStep } from './run-queue.ts'
import { agentOf, lastRun, onlyOwner, postsOf } from './runs.fixture.ts'
import { startDueRuns } from './start-due-runs.ts'
import { takeStep } from './steps/take-step.ts'

const { t, openai, close } = await generationApp()
afterAll(close)

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await onlyOwner(t, openai)
  await sql`delete from agent_run`.execute(t.deps.db)
  await sql`delete from graphile_worker._private_jobs`.execute(t.deps.db)
})

const workspaceOf = async (run_id: string) =>
  await t.deps.db
    .selectFrom('agent_run')
    .select(['workspace_id', 'agent_id'])
    .where('id', '=', run_id)
    .executeTakeFirstOrThrow()

/** Due at any time of the day that the tests begin at. */
const hourly = { schedule_cron: '0 * * * *' }

let jobs = 1_000_000

/** Claims steps, as workers do that are all busy. Returns the workspaces in the order of their turns. */
async function claim(steps: number, deps = t.deps) {
  const claimed: string[] = []
  for (let step = 0; step < steps; step++) {
    const id = await claimNextStep(deps, String(++jobs))
    if (id !== undefined) claimed.push(id)
  }
  return claimed
}

const agentsOf = (who: WorkspaceOwner, count: number) =>
  Promise.all(Array.from({ length: count }, () => agentOf(t, who, { ...hourly, posts_per_run: 1 }, [])))

async function makeDue() {
  t.advance(86_400_000)
  await startDueRuns(t.deps)
}

describe('steps are taken by turns', () => {
  test('of a workspace with 100 runs and others with one, the others wait for one step each', async () => {
    await agentsOf(owner, 100)
    await makeDue()
    const others = [await withWorkspace(t), await withWorkspace(t)]
    for (const other of others) await agentsOf(other, 1)
    const ids = others.map(({ workspace_id }) => workspace_id)
    await t.deps.db.updateTable('agent').set({ next_run_at: t.clock.now() }).where('workspace_id', 'in', ids).execute()
    t.advance(3_600_000)
    await startDueRuns(t.deps)
    const turns = await Promise.all((await claim(5)).map(workspaceOf))
    const firsts = turns.map(({ workspace_id }) => workspace_id)
    expect(firsts.slice(0, 3).toSorted()).toEqual([owner, ...others].map((each) => each.workspace_id).toSorted())
    expect(firsts.slice(3)).toEqual([owner.workspace_id, owner.workspace_id])
  })

  test('while others wait, a workspace has no more steps under way than they', async () => {
    const other = await withWorkspace(t)
    await agentsOf(owner, 20)
    await agentsOf(other, 20)
    await makeDue()
    const turns = await Promise.all((await claim(16)).map(workspaceOf))
    const mine = turns.filter(({ workspace_id }) => workspace_id === owner.workspace_id)
    expect([mine.length, turns.length]).toEqual([8, 16])
  })

  test('workspaces without a step under way take turns, though one came earlier with more', async () => {
    const other = await withWorkspace(t)
    const account = { ...hourly, posts_per_run: 3, daily_limit: 50 }
    for (let agent = 0; agent < 3; agent++) await agentOf(t, owner, account)
    await agentOf(t, other, account)
    await makeDue()
    const order: string[] = []
    for (;;) {
      const [id] = await claim(1)
      if (id === undefined) break
      order.push((await workspaceOf(id)).workspace_id)
      await takeStep(t.deps, { run_id: id })
    }
    // Three texts and the end of the run.
    const last = order.lastIndexOf(other.workspace_id)
    const before = order.slice(0, last + 1)
    expect(before.filter((id) => id === other.workspace_id)).toHaveLength(4)
    expect(before.filter((id) => id === owner.workspace_id).length).toBeLessThanOrEqual(4)
  })

  test('agents of a workspace take turns: the second text of one comes after the first of each', async () => {
    const agents = [await agentOf(t, owner, hourly), await agentOf(t, owner, hourly), await agentOf(t, owner, hourly)]
    await makeDue()
    const order: string[] = []
    for (let step = 0; step < 6; step++) {
      const [id = ''] = await claim(1)
      order.push((await workspaceOf(id)).agent_id)
      await takeStep(t.deps, { run_id: id })
    }
    expect(order.slice(0, 3).toSorted()).toEqual(agents.toSorted())
    expect(order.slice(3)).toEqual(order.slice(0, 3))
  })

  test('concurrent searches of several nodes never take the same step, and keep the shares', async () => {
    const others = [await withWorkspace(t), await withWorkspace(t)]
    await agentsOf(owner, 40)
    for (const other of others) await agentsOf(other, 10)
    await makeDue()
    const claimed = (await Promise.all(Array.from({ length: 30 }, () => claim(1)))).flat()
    expect(new Set(claimed).size).toBe(30)
    const turns = await Promise.all(claimed.map(workspaceOf))
    for (const { workspace_id } of [owner, ...others])
      expect(turns.filter((turn) => turn.workspace_id === workspace_id)).toHaveLength(10)
  })
})

describe('a search', () => {
  test('passes workspaces in which no step waits any more, however many come first', async () => {
    const agent = await agentOf(t, owner, hourly)
    await makeDue()
    await sql`with made as (insert into workspace (name, slug)
        select 'Canceled ' || i, 'canceled-' || i from generate_series(1, 45) as i returning id)
      insert into agent_turn (workspace_id, turn, next_step_at) select id, -1, ${t.clock.now()} from made`.execute(
      t.deps.db,
    )
    const [id = ''] = await claim(1)
    expect(await workspaceOf(id)).toEqual({ workspace_id: owner.workspace_id, agent_id: agent })
    const { rows } = await sql`select from agent_turn where turn = -1 and next_step_at is not null`.execute(t.deps.db)
    expect(rows).toEqual([])
  })

  test('does not take a step before its time, and takes it then', async () => {
    await agentOf(t, owner, hourly)
    await makeDue()
    const later = new Date(t.clock.now().getTime() + 60_000)
    await t.deps.db.updateTable('agent_run').set({ step_at: later }).execute()
    expect(await claim(1)).toEqual([])
    t.advance(60_000)
    expect(await claim(1)).toHaveLength(1)
  })

  test('takes a step that is due by the clock of the database, on a node whose clock is behind', async () => {
    await agentOf(t, owner, hourly)
    await makeDue()
    const past = new Date(Date.now() - 1000)
    await t.deps.db.updateTable('agent_run').set({ step_at: past }).execute()
    await t.deps.db.updateTable('agent_turn').set({ next_step_at: past }).execute()
    const clock = { ...t.clock, now: () => new Date(past.getTime() - 60_000) }
    expect(await claim(1, { ...t.deps, clock })).toHaveLength(1)
  })

  test('finds steps that a node of a former version enqueued, after the next minute', async () => {
    await agentOf(t, owner, hourly)
    await makeDue()
    await t.deps.db.updateTable('agent_turn').set({ next_step_at: null }).execute()
    expect(await claim(1)).toEqual([])
    await startDueRuns(t.deps)
    expect(await claim(1)).toHaveLength(1)
  })
})

test('the job of a worker that died goes on with its run, and takes no other', async () => {
  const [first, second] = [await agentOf(t, owner, hourly), await agentOf(t, owner, hourly)]
  await makeDue()
  const job = String(++jobs)
  const interrupted = await claimNextStep(t.deps, job)
  expect(await claimNextStep(t.deps, job)).toBe(interrupted)
  expect(await claimNextStep(t.deps, String(++jobs))).not.toBe(interrupted)
  // Both jobs are gone: the runs wait again once their leases have ended.
  await t.runJobs()
  t.advance(4 * 60_000)
  await startDueRuns(t.deps)
  await t.runJobs()
  for (const agent of [first, second]) expect(await lastRun(t, agent)).toMatchObject({ status: 'completed', made: 2 })
})

describe('two nodes', () => {
  test('run each run once, and as many steps at the same time as both allow', async () => {
    const settings = { AGENT_CONCURRENCY: '2' }
    const nodes = [await testApp(settings, { beside: t }), await testApp(settings, { beside: t })]
    const workers: Awaited<ReturnType<typeof startWorker>>[] = []
    try {
      const other = await withWorkspace(t)
      const accounts = { ...hourly, posts_per_run: 1 }
      // As many as generations that agents of a workspace may have at a time: another one would wait by a clock that stands.
      const agents = [
        ...(await Promise.all(Array.from({ length: 3 }, () => agentOf(t, owner, accounts)))),
        ...(await Promise.all(Array.from({ length: 3 }, () => agentOf(t, other, accounts)))),
      ]
      const held = Promise.withResolvers<void>()
      openai.holdUntil(held.promise)
      // Cron runs by the clock of the machine: it starts nothing here.
      t.advance(86_400_000)
      await startDueRuns(t.deps)
      for (const node of nodes) workers.push(await startWorker({ ...node.deps, clock: t.deps.clock }, { alone: false }))
      await openai.called(4)
      const { rows } = await sql<{ workspace_id: string; steps: number }>`
        select workspace_id, count(*)::int as steps from agent_run
        where status = 'running' and step_at is null group by 1`.execute(t.deps.db)
      expect(rows.map(({ steps }) => steps)).toEqual([2, 2])
      held.resolve()
      await expect
        .poll(async () => (await sql`select from agent_run where ended_at is null`.execute(t.deps.db)).rows.length)
        .toBe(0)
      for (const agent of agents) expect(await postsOf(t, agent)).toHaveLength(1)
      const { rows: runs } = await sql<{ runs: number }>`
        select count(*)::int as runs from agent_run where wanted > 0 group by agent_id`.execute(t.deps.db)
      expect(runs).toEqual(agents.map(() => ({ runs: 1 })))
    } finally {
      for (const worker of workers) await worker.stop()
      for (const node of nodes) await node.close()
    }
  })
})
