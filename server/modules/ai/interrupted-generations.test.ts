import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, signedIn, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { generationApp, generationCalls, TEXT } from '../../../test/generations.ts'
import { expectProblem } from '../../../test/problem.ts'
import { modelAt } from '../../../test/stand-ins/ai.ts'
import type { AiServer } from '../../../test/stand-ins/ai-server.ts'
import { holdTimers } from '../../../test/timers.ts'
import { until } from '../../../test/until.ts'

let t: TestApp
let owner: WorkspaceOwner
let openai: AiServer
let close: () => Promise<void>

;({ t, openai, close } = await generationApp())
beforeEach(async () => {
  openai.reset()
  owner = await withWorkspace(t)
})
afterAll(() => close())

const { generateText, list, startCall, startText, usedCredits } = generationCalls(() => ({ t, owner }))

const startStream = (who = owner) => startCall(TEXT, { prompt: 'x' }, { accept: 'text/event-stream' }, who)

/** Whether a transaction of this database waits for a lock. */
const waitsForLock = async () => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(t.deps.db)
  return rows.length > 0
}

/** Resolves when the server notices that the client of its next request has disconnected. */
const nextDisconnect = () =>
  new Promise<void>((resolve) => {
    const onRequest = (message: unknown) => {
      unsubscribe('http.server.request.start', onRequest)
      const { response } = message as { response: ServerResponse }
      response.once('close', resolve)
    }
    subscribe('http.server.request.start', onRequest)
  })

describe('a client that disconnects', () => {
  test('disconnecting aborts the call to the provider and cancels the generation, which stays charged', async () => {
    openai.failAlways({ kind: 'hang' })
    const call = startText()
    await openai.called(1)
    expect(await usedCredits()).toBe(1)
    call.leave()
    await until(() => expect(openai.abortedCalls()).toBe(1))
    await until(async () => expect((await list())[0].state).toBe('canceled'))
    expect(await usedCredits()).toBe(1)
    expect(await list()).toMatchObject([{ state: 'canceled', credits: 1, ended_at: expect.any(String) }])
  })

  test('disconnecting from images and from a streamed text keeps them charged as well', async () => {
    openai.failAlways({ kind: 'pause' })
    const stream = startStream()
    const reader = (await stream.response).body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('event: delta\ndata: {"text":"Hello"}\n\n')
    stream.leave()
    await until(() => expect(openai.abortedCalls()).toBe(1))
    openai.failAlways({ kind: 'hang' })
    const images = startCall('/api/v1/ai/generate/image', { prompt: 'A cat', n: 2 })
    await openai.called(2)
    images.leave()
    await until(() => expect(openai.abortedCalls()).toBe(2))
    await until(async () => expect((await list('?state=canceled')).length).toBe(2))
    expect(await usedCredits()).toBe(11)
    expect(await list()).toMatchObject([
      { kind: 'image', state: 'canceled', credits: 10 },
      { kind: 'text', state: 'canceled', credits: 1 },
    ])
  })

  test('cancelling a streamed text after its first delta keeps the credit charged', async () => {
    openai.failAlways({ kind: 'pause' })
    const stream = startStream()
    const reader = (await stream.response).body?.getReader()
    await reader?.read()
    const [{ id }] = await list()
    expectStatus(await owner.post(`/api/v1/ai/generations/${id}/cancel`), 200)
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('event: error')
    expect([await usedCredits(), (await list())[0]]).toMatchObject([1, { state: 'canceled', credits: 1 }])
  })

  test('disconnecting before the call to the provider cancels the generation and charges nothing', async () => {
    expectStatus(await generateText(), 200)
    await t.deps.db.transaction().execute(async (tx) => {
      await sql`select from usage where workspace_id = ${owner.workspace_id} for update`.execute(tx)
      const disconnected = nextDisconnect()
      const stream = startStream()
      await until(async () => expect(await waitsForLock()).toBe(true))
      stream.leave()
      await disconnected
    })
    await until(async () => expect((await list())[0].state).toBe('canceled'))
    expect([await usedCredits(), openai.calls.length]).toEqual([1, 1])
  })
})

describe('a provider that hangs', () => {
  test('a hanging provider holds no transaction and no database connection, and delays no other workspace', async () => {
    openai.failAlways({ kind: 'hang' })
    const people = await Promise.all(Array.from({ length: 8 }, () => withWorkspace(t)))
    const calls = people.flatMap((person) =>
      Array.from({ length: 4 }, () => startCall(TEXT, { prompt: 'x' }, {}, person)),
    )
    await openai.called(32)
    expect(t.deps.pool.idleCount).toBe(t.deps.pool.totalCount)
    // Only a fifth call of the same workspace has to wait.
    const [first] = people
    if (!first) throw new Error('nobody')
    const fifth = await generateText(first)
    expectProblem(fifth, 429, 'too_many_requests')
    expect(fifth.headers.get('retry-after')).toBe('2')
    expectStatus(await first.post('/api/v1/posts', { content: 'Meanwhile' }), 201)
    expectStatus(await t.anyone.get('/healthz'), 200)
    expectStatus(await t.anyone.get('/readyz'), 200)
    // All of this got a response while the 32 calls were waiting.
    expect(openai.abortedCalls()).toBe(0)
    openai.failAlways()
    expectStatus(await generateText(), 200)
    for (const call of calls) call.leave()
    await until(() => expect(openai.abortedCalls()).toBe(32))
    await until(async () => expect((await first.get('/api/v1/ai/generations?state=running')).body.data).toEqual([]))
    expect(await usedCredits(first)).toBe(4)
  })
})

describe('POST /ai/generations/:id/cancel', () => {
  const cancel = (id: string, who = owner) => who.post(`/api/v1/ai/generations/${id}/cancel`)

  test('200 aborts the call, which gets 409, and cancelling again gets the same response', async () => {
    openai.failAlways({ kind: 'hang' })
    const waiting = generateText()
    await openai.called(1)
    const [{ id }] = await list('?state=running')
    const { body } = expectStatus(await cancel(id), 200)
    expect(body).toMatchObject({ id, state: 'canceled', credits: 1, ended_at: expect.any(String) })
    expect(expectProblem(await waiting, 409, 'invalid_transition').state).toBe('canceled')
    await until(() => expect(openai.abortedCalls()).toBe(1))
    expect(expectStatus(await cancel(id), 200).body).toEqual(body)
    expect(await usedCredits()).toBe(1)
  })

  test('409 for an ended generation, 403 for an author who did not start it, 404 for another workspace', async () => {
    const { id } = expectStatus(await generateText(), 200).body
    expect(expectProblem(await cancel(id), 409, 'invalid_transition').state).toBe('succeeded')
    expectProblem(await cancel(id, await memberOf(t, owner.workspace_id, 'author')), 403, 'forbidden_role')
    expectProblem(await cancel(id, await withWorkspace(t)), 404, 'not_found')
    expect(await usedCredits()).toBe(1)
  })
})

test('stopping Meydan ends running generations after their time to end by themselves, reports 503 unavailable and refunds their credits', async () => {
  const own = await testApp()
  try {
    const admin = await signedIn(own, { instanceAdmin: true })
    const person = await withWorkspace(own)
    await modelAt(admin, 'openai', 'chat', openai)
    openai.failAlways({ kind: 'pause' })
    const stream = await person.open('POST', TEXT, { body: { prompt: 'x' }, headers: { accept: 'text/event-stream' } })
    await openai.called(1)
    openai.failAlways({ kind: 'hang' })
    const waiting = person.post(TEXT, { prompt: 'x' })
    await openai.called(2)
    const grace = holdTimers(own.deps.timings.requestGrace)
    const ending = Promise.all([stream.text(), waiting, own.stopHttp()])
    await until(() => expect(grace.count()).toBeGreaterThan(0))
    expect(openai.abortedCalls()).toBe(0)
    grace.expire()
    // The provider never responds, so nothing but the end of the grace ends the calls.
    const [streamedText, response] = await ending
    expect(openai.abortedCalls()).toBe(2)
    expect(streamedText).toContain('"code":"unavailable"')
    expectProblem(response, 503, 'unavailable')
    const rows = await own.deps.db.selectFrom('ai_generation').select(['state', 'error_code']).execute()
    expect(rows).toEqual([
      { state: 'failed', error_code: 'unavailable' },
      { state: 'failed', error_code: 'unavailable' },
    ])
    const usage = await own.deps.db.selectFrom('usage').select('used').where('meter', '=', 'ai_credits').execute()
    expect(usage).toEqual([{ used: 0 }])
  } finally {
    await own.close()
  }
})
