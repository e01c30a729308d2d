import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, playgroundAccount, type WorkspaceOwner } from '../../../../test/factories.ts'
import { generationApp } from '../../../../test/generations.ts'
import { agentOf, onlyOwner, reachTimeOf, runAtNextTime } from './runs.fixture.ts'
import { startDueRuns } from './start-due-runs.ts'

const { t, openai, close } = await generationApp()
afterAll(close)

const DAY = 86_400_000

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await onlyOwner(t, openai)
})

const history = async (id: string) =>
  expectStatus(await owner.get(`/api/v1/agents/${id}/runs?limit=100`), 200).body.data
/** Days after the first of these runs, oldest first, with the reason of each. */
const slots = async (id: string) => {
  const runs = (await history(id)).toReversed()
  const start = Date.parse(runs[0].due_at)
  return runs.map(({ due_at, reason, status }: { due_at: string; reason: string | null; status: string }) => [
    (Date.parse(due_at) - start) / DAY,
    reason ?? status,
  ])
}
const switchTo = async (id: string, action: 'enable' | 'disable') =>
  expectStatus(await owner.post(`/api/v1/agents/${id}/${action}`), 200)
const laterBy = async (ms: number) => {
  t.advance(ms)
  await startDueRuns(t.deps)
}

describe('the runs of an agent', () => {
  test('have a row for each time that passed while Meydan was down, before the one that was caught up', async () => {
    const id = await agentOf(t, owner)
    await reachTimeOf(t, id, 3 * DAY + 60_000)
    await t.runJobs()
    expect(await slots(id)).toEqual([
      [0, 'late'],
      [1, 'late'],
      [2, 'late'],
      [3, 'completed'],
    ])
    const [newest, missed] = await history(id)
    expect(newest).toMatchObject({ missed: 3, wanted: 2, made: 2 })
    expect(missed).toMatchObject({ status: 'skipped', trigger: 'schedule', wanted: 0, credits: 0, post_ids: [] })
  })

  test('have a row for each time that an agent misses while it is disabled, and go on when it is enabled', async () => {
    const id = await agentOf(t, owner, { posts_per_run: 1 })
    await runAtNextTime(t, id)
    await switchTo(id, 'disable')
    await laterBy(DAY)
    expect(await slots(id)).toEqual([
      [0, 'completed'],
      [1, 'disabled'],
    ])
    await laterBy(2 * DAY)
    await switchTo(id, 'enable')
    await runAtNextTime(t, id)
    await laterBy(60_000)
    expect(await slots(id)).toEqual([
      [0, 'completed'],
      [1, 'disabled'],
      [2, 'disabled'],
      [3, 'disabled'],
      [4, 'completed'],
    ])
    const { last_run } = expectStatus(await owner.get(`/api/v1/agents/${id}`), 200).body
    expect(last_run.status).toBe('completed')
  })

  test('have a row for each time that many agents missed together', async () => {
    const fields = { schedule_cron: '0,30 * * * *', posts_per_run: 1 }
    const account = await playgroundAccount(owner)
    const active = await Promise.all(Array.from({ length: 50 }, () => agentOf(t, owner, fields, [account])))
    const disabled = await Promise.all(Array.from({ length: 50 }, () => agentOf(t, owner, fields, [account])))
    for (const id of disabled) await switchTo(id, 'disable')
    await t.deps.db.updateTable('agent').set({ next_run_at: t.clock.now() }).where('id', 'in', active).execute()
    await laterBy(3 * DAY)
    for (const ids of [active, disabled]) {
      const { rows } = await sql<{ runs: number }>`
        select count(*)::int as runs from agent_run where agent_id = any(${ids}::uuid[]) group by agent_id`.execute(
        t.deps.db,
      )
      expect(rows.filter(({ runs }) => runs >= 100)).toHaveLength(50)
    }
  })

  test('by hand stand between the times that a disabled agent missed', async () => {
    const id = await agentOf(t, owner, { posts_per_run: 1 })
    await runAtNextTime(t, id)
    await switchTo(id, 'disable')
    t.advance(1.5 * DAY)
    expectStatus(await owner.post(`/api/v1/agents/${id}/run`), 201)
    await t.runJobs()
    await laterBy(DAY)
    const runs = (await history(id)).toReversed()
    expect(runs.map(({ trigger, reason }: { trigger: string; reason: string }) => [trigger, reason])).toEqual([
      ['schedule', null],
      ['schedule', 'disabled'],
      ['manual', null],
      ['schedule', 'disabled'],
    ])
    expect(runs[2].due_at).toBeNull()
  })

  test('name five failures as the reason while the agent is stopped for them', async () => {
    openai.failAlways({ kind: 'status', status: 401 })
    const id = await agentOf(t, owner, { posts_per_run: 1, failures: 4 })
    await runAtNextTime(t, id)
    await laterBy(DAY)
    expect(await slots(id)).toEqual([
      [0, 'model_key_refused'],
      [1, 'failures'],
    ])
  })

  test('follow a schedule that is changed while the agent is disabled', async () => {
    const id = await agentOf(t, owner, { posts_per_run: 1 })
    await runAtNextTime(t, id)
    await switchTo(id, 'disable')
    expectStatus(await owner.patch(`/api/v1/agents/${id}`, { schedule_cron: '0 21 * * *' }), 200)
    await laterBy(DAY)
    expect(await slots(id)).toEqual([
      [0, 'completed'],
      [0.5, 'disabled'],
    ])
  })

  test('have at most a hundred rows of one pause, and none of an agent that was never enabled', async () => {
    const fields = { schedule_cron: '0,30 * * * *', posts_per_run: 1 }
    const id = await agentOf(t, owner, fields)
    await switchTo(id, 'disable')
    const fresh = await agentOf(t, owner, { ...fields, is_active: false, next_run_at: null })
    await laterBy(DAY)
    await laterBy(3 * DAY)
    await laterBy(DAY)
    expect(await history(id)).toHaveLength(100)
    expect(await history(fresh)).toEqual([])
  })
})
