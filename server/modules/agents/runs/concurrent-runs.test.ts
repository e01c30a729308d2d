import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { WorkspaceOwner } from '../../../../test/factories.ts'
import { generationApp, generationCalls } from '../../../../test/generations.ts'
import { prepareGeneration } from '../../ai/generate.ts'
import { sweepGenerations } from '../../ai/generations.ts'
import { takeFromDay } from './daily-limit.ts'
import { agentOf, lastRun, onlyOwner, postsOf, reachTimeOf } from './runs.fixture.ts'
import { startDueRuns } from './start-due-runs.ts'
import { beginStep } from './steps/begin-step.ts'
import { takeStep } from './steps/take-step.ts'

const { t, openai, close } = await generationApp()
afterAll(close)

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await onlyOwner(t, openai)
})

const { usedCredits } = generationCalls(() => ({ t, owner }))

describe('runs on several workers', () => {
  test('an agent that is due on several nodes at the same time has one run', async () => {
    const agents = await Promise.all(Array.from({ length: 60 }, () => agentOf(t, owner, { posts_per_run: 1 }, [])))
    t.advance(86_400_000)
    await Promise.all(Array.from({ length: 6 }, () => startDueRuns(t.deps)))
    const { rows } = await sql<{ runs: number }>`
      select count(*)::int as runs from agent_run where agent_id = any(${agents}::uuid[]) group by agent_id`.execute(
      t.deps.db,
    )
    expect(rows).toEqual(agents.map(() => ({ runs: 1 })))
    await t.runJobs()
  })

  test('a worker that was overtaken writes nothing, and its credit is returned', async () => {
    const agent = await agentOf(t, owner, { posts_per_run: 1 })
    await reachTimeOf(t, agent)
    const { id } = await lastRun(t, agent)
    const held = Promise.withResolvers<void>()
    openai.holdUntil(held.promise)
    const steps = [takeStep(t.deps, { run_id: id })]
    await openai.called(1)
    steps.push(takeStep(t.deps, { run_id: id }))
    await openai.called(2)
    held.resolve()
    await Promise.all(steps)
    await t.runJobs()
    expect(await lastRun(t, agent)).toMatchObject({ status: 'completed', made: 1, credits: 1 })
    expect(await postsOf(t, agent)).toHaveLength(1)
    expect(await usedCredits()).toBe(1)
  })

  test('a run whose worker died during the call is finished by another', async () => {
    const agent = await agentOf(t, owner)
    await reachTimeOf(t, agent)
    const { id } = await lastRun(t, agent)
    const step = await beginStep(t.deps, id)
    if (!step) throw new Error('The run has ended')
    await prepareGeneration(t.deps, step.member, undefined, { kind: 'text', prompt: 'x', credits: 1, ms: 1000 })
    t.advance(4 * 60_000)
    await startDueRuns(t.deps)
    await t.runJobs()
    expect(await lastRun(t, agent)).toMatchObject({ status: 'completed', made: 2, credits: 2 })
    expect(await usedCredits()).toBe(3)
    await sweepGenerations(t.deps)
    expect(await usedCredits()).toBe(2)
  })

  test('a run whose job was lost gets another', async () => {
    const agent = await agentOf(t, owner)
    await reachTimeOf(t, agent)
    await sql`delete from graphile_worker._private_jobs`.execute(t.deps.db)
    t.advance(4 * 60_000)
    await startDueRuns(t.deps)
    await t.runJobs()
    expect(await lastRun(t, agent)).toMatchObject({ status: 'completed', made: 2 })
  })

  test('concurrent runs never take more of a day than its limit', async () => {
    const agent = await agentOf(t, owner, {}, [])
    const day = { agent_id: agent, day: '2026-11-22' }
    const take = (wanted: number) => t.deps.db.transaction().execute((tx) => takeFromDay(tx, day, wanted, 50))
    const taken = await Promise.all(Array.from({ length: 60 }, (_, each) => take(1 + (each % 10))))
    expect(taken.every((amount) => amount >= 0)).toBe(true)
    expect(taken.reduce((sum, amount) => sum + amount)).toBe(50)
    expect(await take(5)).toBe(0)
  })
})
