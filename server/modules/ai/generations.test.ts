import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../test/app.ts'
import { expectStatus, type Person, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { generationApp, generationCalls } from '../../../test/generations.ts'
import { expectProblem } from '../../../test/problem.ts'
import { modelAt } from '../../../test/stand-ins/ai.ts'
import type { AiServer } from '../../../test/stand-ins/ai-server.ts'
import { until } from '../../../test/until.ts'
import { sweepGenerations } from './generations.ts'

let t: TestApp
let admin: Person
let owner: WorkspaceOwner
let openai: AiServer
let close: () => Promise<void>

beforeAll(async () => {
  ;({ t, admin, openai, close } = await generationApp())
})
beforeEach(async () => {
  openai.reset()
  owner = await withWorkspace(t)
})
afterAll(() => close())

const { generateImage, generateText, list, usedCredits } = generationCalls(() => ({ t, owner }))

/** Gives the workspace a plan with this many credits a month. */
async function limitCredits(credits: number, { db } = t.deps, { workspace_id } = owner) {
  const code = `plan-${workspace_id}`
  const limits = {
    social_accounts: -1,
    posts_per_month: -1,
    ai_credits: credits,
    team_members: -1,
    storage_mb: -1,
    scheduled_posts_max: -1,
  }
  const prices = { try_monthly: 0, try_yearly: 0 }
  await db
    .insertInto('plan')
    .values({ code: code.slice(0, 40), name: 'Small', position: 9, limits: JSON.stringify(limits), ...prices })
    .execute()
  await db
    .updateTable('workspace')
    .set({ plan_code: code.slice(0, 40) })
    .where('id', '=', workspace_id)
    .execute()
}
const setBilling = async (value: boolean) =>
  expectStatus(await admin.put('/api/v1/options/billing.enabled', { value }), 200)

describe('credits', () => {
  test('50 concurrent calls use exactly the credits that are left, and later ones get 403 limit_exceeded', async () => {
    await limitCredits(13)
    await setBilling(true)
    try {
      let made = 0
      const refused = new Set<string>()
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      openai.holdUntil(released)
      for (let round = 0; round < 10 && made < 13; round++) {
        let ended = 0
        const calls = Array.from({ length: 50 }, () => generateText().finally(() => ended++))
        // In the first round four are running until all others are refused.
        if (round === 0) await until(() => expect(ended).toBe(46))
        release()
        const responses = await Promise.all(calls)
        made += responses.filter(({ status }) => status === 200).length
        for (const { status, body } of responses) if (status !== 200) refused.add(`${status} ${body.code}`)
      }
      expect([made, await usedCredits(), openai.calls.length]).toEqual([13, 13, 13])
      expect([...refused].sort()).toEqual(expect.arrayContaining(['403 limit_exceeded', '429 too_many_requests']))
      const body = expectProblem(await generateText(), 403, 'limit_exceeded')
      expect(body).toMatchObject({ meter: 'ai_credits', limit: 13, used: 13 })
      expect((await list('?limit=100')).length).toBe(13)
    } finally {
      await setBilling(false)
    }
  })

  test('50 failed calls refund every credit, and images are charged by the number made', async () => {
    await limitCredits(12)
    await setBilling(true)
    try {
      openai.failAlways({ kind: 'status', status: 500 })
      await Promise.all(Array.from({ length: 50 }, () => generateText()))
      expect(await usedCredits()).toBe(0)
      openai.failAlways()
      expectProblem(await generateImage({ n: 3 }), 403, 'limit_exceeded')
      expect(expectStatus(await generateImage({ n: 2 }), 200).body).toMatchObject({ credits: 10 })
      expect(await usedCredits()).toBe(10)
    } finally {
      await setBilling(false)
    }
  })

  test('the sweep fails generations of a dead node and refunds their credits', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    openai.holdUntil(released)
    openai.failAlways({ kind: 'status', status: 500 })
    const call = generateText()
    await openai.called(1)
    await t.deps.db
      .updateTable('ai_generation')
      .set({ leased_until: new Date(t.clock.now().getTime() - 1) })
      .where('workspace_id', '=', owner.workspace_id)
      .execute()
    await sweepGenerations(t.deps)
    expect(await list()).toMatchObject([{ state: 'failed', error_code: 'interrupted', credits: 0 }])
    expect(await usedCredits()).toBe(0)
    release()
    expectProblem(await call, 503, 'ai_unavailable')
    expect(await usedCredits()).toBe(0)
  })
})

describe('GET /ai/generations', () => {
  test("200 lists the workspace's generations by kind and state, page by page", async () => {
    expectStatus(await generateText(), 200)
    expectStatus(await generateImage(), 200)
    openai.failNext({ kind: 'status', status: 500 })
    await generateText()
    const kinds = async (query: string) =>
      (await list(query)).map(({ kind, state }: { kind: string; state: string }) => `${kind} ${state}`)
    expect(await kinds('')).toEqual(['text failed', 'image succeeded', 'text succeeded'])
    expect(await kinds('?kind=text')).toEqual(['text failed', 'text succeeded'])
    expect(await kinds('?kind=text&state=succeeded')).toEqual(['text succeeded'])
    const { body } = await owner.get('/api/v1/ai/generations?limit=2')
    expect(await kinds(`?limit=2&cursor=${body.next_cursor}`)).toEqual(['text succeeded'])
    expectProblem(await owner.get('/api/v1/ai/generations?kind=x'), 400, 'validation_failed', '/kind')
    const stranger = await withWorkspace(t)
    expect((await stranger.get('/api/v1/ai/generations')).body).toEqual({ data: [], next_cursor: null })
    expectProblem(await stranger.get(`/api/v1/ai/generations/${body.data[0].id}`), 404, 'not_found')
    expect(expectStatus(await owner.get(`/api/v1/ai/generations/${body.data[0].id}`), 200).body).toEqual(body.data[0])
  })

  test('the model is null after it was deleted', async () => {
    const passing = await modelAt(admin, 'openai', 'chat', openai)
    const { body } = expectStatus(await generateText(owner, { model: passing.id }), 200)
    expectStatus(await admin.delete(`/api/v1/ai-models/${passing.id}`), 204)
    expect((await owner.get(`/api/v1/ai/generations/${body.id}`)).body.model).toBe(null)
  })
})
