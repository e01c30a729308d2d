import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  type Person,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { modelAt, providerServer } from '../../../test/stand-ins/ai.ts'
import type { AiServer } from '../../../test/stand-ins/ai-server.ts'
import { until } from '../../../test/until.ts'
import { sweepGenerations } from './generations.ts'

let t: TestApp
let admin: Person
let owner: WorkspaceOwner
let openai: AiServer
let model: { id: number; id_secure: string; name: string }
let painter: { id: number; id_secure: string; name: string }

beforeAll(async () => {
  t = await testApp()
  admin = await signedIn(t, { instanceAdmin: true })
  openai = await providerServer('openai')
  model = await modelAt(admin, 'openai', 'chat', openai)
  painter = await modelAt(admin, 'openai', 'image', openai)
})
beforeEach(async () => {
  openai.reset()
  owner = await withWorkspace(t)
})
afterAll(async () => {
  openai.close()
  await t.close()
})

const generateText = (who = owner, more: object = {}, headers: Record<string, string> = {}) =>
  who.post('/api/v1/ai/generate/text', { prompt: 'Say hello', ...more }, headers)
const generateImage = (more: object = {}) => owner.post('/api/v1/ai/generate/image', { prompt: 'A cat', ...more })
const list = async (query = '') => expectStatus(await owner.get(`/api/v1/ai/generations${query}`), 200).body.data

/** Reads the credits that the workspace has used this month. */
async function usedCredits({ workspace_id } = owner) {
  const row = await t.deps.db
    .selectFrom('usage')
    .select('used')
    .where('workspace_id', '=', workspace_id)
    .where('meter', '=', 'ai_credits')
    .executeTakeFirst()
  return row?.used ?? 0
}

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

describe('POST /ai/generate/text', () => {
  test('200 returns the text with its model, tokens and credits, and the provider gets prompt, system and settings', async () => {
    const settings = { system: 'Be brief', max_output_tokens: 77, temperature: 0.2 }
    const { body } = expectStatus(await generateText(owner, settings), 200)
    expect(body).toEqual({
      id: expect.any(String),
      text: 'Hello, world.',
      finish_reason: 'stop',
      model: { id: model.id, id_secure: model.id_secure, name: model.name },
      usage: { input_tokens: 11, output_tokens: 4 },
      credits: 1,
    })
    expect(openai.calls[0]?.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'Say hello' },
      ],
      temperature: 0.2,
    })
    expect(JSON.stringify(openai.calls[0]?.body)).toContain('77')
    expect(await usedCredits()).toBe(1)
    const { data } = (await owner.get('/api/v1/ai/generations')).body
    expect(data).toEqual([
      {
        id: body.id,
        kind: 'text',
        state: 'succeeded',
        progress: null,
        prompt: 'Say hello',
        model: body.model,
        credits: 1,
        usage: body.usage,
        files: [],
        error_code: null,
        created_at: expect.any(String),
        ended_at: expect.any(String),
        user_id: owner.id,
      },
    ])
  })

  test('200 for a model named by either id; 400 at /model for an unknown or inactive one, or one of another kind', async () => {
    for (const id of [model.id, String(model.id), model.id_secure])
      expectStatus(await generateText(owner, { model: id }), 200)
    const embedding = await modelAt(admin, 'openai', 'embedding', openai)
    const off = await modelAt(admin, 'openai', 'chat', openai, { is_active: false })
    for (const id of [painter.id, embedding.id, off.id, 2_000_000_000, 'no-model', crypto.randomUUID(), '0'])
      expectProblem(await generateText(owner, { model: id }), 400, 'validation_failed', '/model')
    expect(await usedCredits()).toBe(3)
  })

  test('400 for an empty, blank or long prompt, a value out of bounds and an unknown field, without a call to the provider', async () => {
    for (const [more, pointer] of [
      [{ prompt: '' }, '/prompt'],
      [{ prompt: ' \n' }, '/prompt'],
      [{ prompt: 'x'.repeat(20_001) }, '/prompt'],
      [{ system: 'x'.repeat(8001) }, '/system'],
      [{ max_output_tokens: 0 }, '/max_output_tokens'],
      [{ max_output_tokens: 8193 }, '/max_output_tokens'],
      [{ temperature: 2.1 }, '/temperature'],
      [{ else: 1 }, '/else'],
    ] as const)
      expectProblem(await generateText(owner, more), 400, 'validation_failed', pointer)
    expect(openai.calls).toEqual([])
    expect(await usedCredits()).toBe(0)
  })

  test('403 for viewers, and for tokens without ai:write', async () => {
    expectProblem(await generateText(await memberOf(t, owner.workspace_id, 'viewer')), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['ai:read'])
    const path = '/api/v1/public/ai/generate/text'
    expectProblem(await reader.post(path, { prompt: 'x' }), 403, 'insufficient_scope')
    const writer = await withToken(t, owner, ['ai:write'])
    expectStatus(await writer.post(path, { prompt: 'x' }), 200)
    expectStatus(await writer.get('/api/v1/public/ai/generations'), 200)
  })

  test('the first active model of the preferred provider is used, else the first active one, and 409 no_model without any', async () => {
    const own = await testApp()
    const anthropic = await providerServer('anthropic')
    try {
      const admin = await signedIn(own, { instanceAdmin: true })
      const person = await withWorkspace(own)
      const ask = () => person.post('/api/v1/ai/generate/text', { prompt: 'x' })
      expectProblem(await ask(), 409, 'no_model')
      const first = await modelAt(admin, 'anthropic', 'chat', anthropic)
      expect(expectStatus(await ask(), 200).body.model.id).toBe(first.id)
      const second = await modelAt(admin, 'openai', 'chat', openai)
      await modelAt(admin, 'openai', 'chat', openai)
      expect(expectStatus(await ask(), 200).body.model.id).toBe(second.id)
      expectStatus(await admin.put('/api/v1/options/ai.default_provider', { value: 'anthropic' }), 200)
      expect(expectStatus(await ask(), 200).body.model.id).toBe(first.id)
      // Without a key no credits are reserved.
      expectStatus(await admin.put(`/api/v1/ai-models/${first.id}/api-key`, { api_key: null }), 204)
      expectProblem(await ask(), 409, 'model_key_missing')
      const { data } = (await person.get('/api/v1/ai/generations')).body
      expect(data.length).toBe(3)
    } finally {
      anthropic.close()
      await own.close()
    }
  })

  test("a provider's error is returned as a code without its text or the key, and the credit is refunded", async () => {
    const wrongs = [
      [{ kind: 'status', status: 401 }, 409, 'model_key_refused'],
      [{ kind: 'status', status: 403 }, 409, 'model_key_refused'],
      [{ kind: 'status', status: 404 }, 409, 'model_unusable'],
      [{ kind: 'status', status: 400 }, 400, 'ai_refused'],
      [{ kind: 'status', status: 429, headers: { 'retry-after': '17' } }, 429, 'ai_rate_limited'],
      [{ kind: 'status', status: 500 }, 503, 'ai_unavailable'],
      [{ kind: 'garbage' }, 503, 'ai_unavailable'],
      [{ kind: 'wrong_shape' }, 503, 'ai_unavailable'],
      [{ kind: 'hang_up' }, 503, 'ai_unavailable'],
    ] as const
    for (const [failure, status, code] of wrongs) {
      openai.failNext(failure)
      const answer = await generateText()
      expectProblem(answer, status, code)
      expect(JSON.stringify(answer.body)).not.toContain(openai.key)
      expect(JSON.stringify(answer.body)).not.toMatch(/may not do this|Welcome/)
      if (status === 429) expect(answer.headers.get('retry-after')).toBe('17')
      if (status === 503) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(await usedCredits()).toBe(0)
    }
    const failed = await list('?state=failed')
    expect(failed.map(({ error_code }: { error_code: string }) => error_code)).toEqual(
      wrongs.map(([, , code]) => code).reverse(),
    )
    expect(failed.every(({ credits }: { credits: number }) => credits === 0)).toBe(true)
  })

  test('a call repeated with its Idempotency-Key reaches the provider once and gets the same response', async () => {
    const key = { 'idempotency-key': 'once' }
    const first = expectStatus(await generateText(owner, {}, key), 200)
    const again = expectStatus(await generateText(owner, {}, key), 200)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expectProblem(await generateText(owner, { prompt: 'Another' }, key), 422, 'idempotency_key_reused')
    expect([openai.calls.length, await usedCredits()]).toEqual([1, 1])
    // A failed call stores no outcome, so the same key can try again.
    openai.failNext({ kind: 'status', status: 500 })
    const other = { 'idempotency-key': 'twice' }
    expectProblem(await generateText(owner, {}, other), 503, 'ai_unavailable')
    expectStatus(await generateText(owner, {}, other), 200)
    expect(await usedCredits()).toBe(2)
  })

  test('a call with an Idempotency-Key is completed after its client disconnects, and repeating it returns the result', async () => {
    let answer: () => void = () => undefined
    openai.holdUntil(new Promise((resolve) => (answer = resolve)))
    const key = { 'idempotency-key': 'lost' }
    const call = startCall(TEXT, { prompt: 'x' }, key)
    await openai.called(1)
    call.leave()
    expectProblem(await generateText(owner, { prompt: 'x' }, key), 409, 'idempotency_key_in_use')
    answer()
    await until(async () => expect((await list())[0].state).toBe('succeeded'))
    const again = await until(async () => expectStatus(await generateText(owner, { prompt: 'x' }, key), 200))
    expect([again.headers.get('idempotent-replayed'), openai.calls.length, await usedCredits()]).toEqual(['true', 1, 1])
  })
})

/** Starts a call that the test can abort. */
function startCall(path: string, body: object, headers: Record<string, string> = {}, who = owner) {
  const left = new AbortController()
  const answer = who.open('POST', path, { body, headers, signal: left.signal })
  answer.catch(() => undefined)
  return { answer, leave: () => left.abort() }
}
const TEXT = '/api/v1/ai/generate/text'
const startText = () => startCall(TEXT, { prompt: 'x' })
const startStream = (who = owner) => startCall(TEXT, { prompt: 'x' }, { accept: 'text/event-stream' }, who)

describe('a client that disconnects', () => {
  test('disconnecting aborts the call to the provider, cancels the generation and refunds its credit', async () => {
    openai.failAlways({ kind: 'hang' })
    const call = startText()
    await openai.called(1)
    expect(await usedCredits()).toBe(1)
    call.leave()
    await until(() => expect(openai.abortedCalls()).toBe(1))
    await until(async () => expect(await usedCredits()).toBe(0))
    expect(await list()).toMatchObject([{ state: 'canceled', credits: 0, ended_at: expect.any(String) }])
  })

  test('disconnecting from an image call refunds its credits, and from a streamed text keeps them charged', async () => {
    openai.failAlways({ kind: 'pause' })
    const stream = startStream()
    const reader = (await stream.answer).body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('event: delta\ndata: {"text":"Hello"}\n\n')
    stream.leave()
    await until(() => expect(openai.abortedCalls()).toBe(1))
    openai.failAlways({ kind: 'hang' })
    const images = startCall('/api/v1/ai/generate/image', { prompt: 'A cat', n: 2 })
    await openai.called(2)
    images.leave()
    await until(() => expect(openai.abortedCalls()).toBe(2))
    // Text that was sent is paid. Otherwise a client could disconnect before the end and pay nothing.
    await until(async () => expect(await usedCredits()).toBe(1))
    expect(await list()).toMatchObject([
      { kind: 'image', state: 'canceled', credits: 0 },
      { kind: 'text', state: 'canceled', credits: 1 },
    ])
  })

  test('cancelling a streamed text after its first delta keeps the credit charged', async () => {
    openai.failAlways({ kind: 'pause' })
    const stream = startStream()
    const reader = (await stream.answer).body?.getReader()
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
      const stream = startStream()
      await until(async () => expect(await waitsForLock()).toBe(true))
      stream.leave()
      await sleep(200)
    })
    await until(async () => expect((await list())[0].state).toBe('canceled'))
    expect([await usedCredits(), openai.calls.length]).toEqual([1, 1])
  })
})

/** Whether a transaction waits for a lock. */
const waitsForLock = async () => (await sql`select from pg_locks where not granted`.execute(t.deps.db)).rows.length > 0

describe('streamed texts', () => {
  const readStream = async (more: object = {}, headers: Record<string, string> = {}) => {
    const answer = await owner.open('POST', TEXT, {
      body: { prompt: 'x', ...more },
      headers: { accept: 'text/event-stream', ...headers },
    })
    const body = await answer.text()
    const events = body
      .split('\n\n')
      .filter(Boolean)
      .map((part) => {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
        return { event, data: JSON.parse(data ?? 'null') }
      })
    return { answer, events, body }
  }

  test('a stream sends delta events and one done event, with headers that prevent buffering', async () => {
    const { answer, events } = await readStream()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
    expect(events.slice(0, -1)).toEqual(
      ['Hello', ', ', 'world', '.'].map((text) => ({ event: 'delta', data: { text } })),
    )
    expect(events.at(-1)).toEqual({
      event: 'done',
      data: {
        id: expect.any(String),
        finish_reason: 'stop',
        model: { id: model.id, id_secure: model.id_secure, name: model.name },
        usage: { input_tokens: 11, output_tokens: 4 },
        credits: 1,
      },
    })
    expect(await usedCredits()).toBe(1)
    expect(await list()).toMatchObject([{ state: 'succeeded', usage: { output_tokens: 4 } }])
  })

  test('surrogate pairs that the provider splits are joined, and unpaired halves are replaced', async () => {
    openai.script.parts = ['a\ud83d', '\ude00', '\ud83d', 'b', '\udc00c\ud83d']
    const { events } = await readStream()
    expect(events.slice(0, -1).map(({ data }) => data.text)).toEqual(['a', '😀', '\ufffdb', '\ufffdc'])
    expect(events.at(-1)?.event).toBe('done')
    expect((await generateText()).body.text).toBe('a😀\ufffdb\ufffdc\ufffd')
  })

  test('each delta is sent as soon as it arrives', async () => {
    openai.setPace(300)
    const answer = await owner.open('POST', TEXT, { body: { prompt: 'x' }, headers: { accept: 'text/event-stream' } })
    const times: number[] = []
    for await (const _ of answer.body ?? []) times.push(Date.now())
    expect(times.length).toBeGreaterThan(4)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(800)
  })

  test('an invalid request gets a problem document, a later failure an error event, and the credit is refunded', async () => {
    expectProblem(await generateText(owner, { prompt: '' }, { accept: 'text/event-stream' }), 400, 'validation_failed')
    for (const [failure, code, deltas] of [
      [{ kind: 'status', status: 429, headers: { 'retry-after': '9' } }, 'ai_rate_limited', 0],
      [{ kind: 'status', status: 401 }, 'model_key_refused', 0],
      [{ kind: 'garbage' }, 'ai_unavailable', 0],
      [{ kind: 'cut' }, 'ai_unavailable', 1],
    ] as const) {
      openai.failNext(failure)
      const { answer, events, body } = await readStream()
      expect(answer.status).toBe(200)
      expect(events.length).toBe(deltas + 1)
      expect(events.at(-1)).toMatchObject({ event: 'error', data: { code, detail: expect.stringMatching(/\S/) } })
      if (code === 'ai_rate_limited') expect(events.at(-1)?.data.retry_after_s).toBe(9)
      expect(body).not.toContain(openai.key)
      expect(await usedCredits()).toBe(0)
    }
  })

  test('400 for a stream with an Idempotency-Key, because it cannot be replayed', async () => {
    const headers = { accept: 'text/event-stream', 'idempotency-key': 'k' }
    expectProblem(await generateText(owner, {}, headers), 400, 'validation_failed', '/Idempotency-Key')
    expect(openai.calls).toEqual([])
  })

  test('a slow reader slows the provider down, and no text is lost', async () => {
    openai.script.parts = ['Hello', ...Array.from({ length: 3000 }, () => 'x'.repeat(1000))]
    const answer = await owner.open('POST', TEXT, { body: { prompt: 'x' }, headers: { accept: 'text/event-stream' } })
    let size = 0
    let pauses = 20
    for await (const piece of answer.body ?? []) {
      size += piece.length
      if (pauses-- > 0) await sleep(20)
    }
    expect(size).toBeGreaterThan(3_000_000)
    expect(await list()).toMatchObject([{ state: 'succeeded' }])
  })
})

describe('credits', () => {
  test('50 concurrent calls use exactly the credits that are left, and later ones get 403 limit_exceeded', async () => {
    await limitCredits(13)
    await setBilling(true)
    try {
      let made = 0
      const refused = new Set<string>()
      for (let round = 0; round < 10 && made < 13; round++) {
        const answers = await Promise.all(Array.from({ length: 50 }, () => generateText()))
        made += answers.filter(({ status }) => status === 200).length
        for (const { status, body } of answers) if (status !== 200) refused.add(`${status} ${body.code}`)
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
    openai.failAlways({ kind: 'hang' })
    const call = startText()
    await openai.called(1)
    await t.deps.db
      .updateTable('ai_generation')
      .set({ leased_until: new Date(t.clock.now().getTime() - 1) })
      .where('workspace_id', '=', owner.workspace_id)
      .execute()
    await sweepGenerations(t.deps)
    expect(await list()).toMatchObject([{ state: 'failed', error_code: 'interrupted', credits: 0 }])
    expect(await usedCredits()).toBe(0)
    call.leave()
    await until(() => expect(openai.abortedCalls()).toBe(1))
    await sleep(100)
    expect(await usedCredits()).toBe(0)
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
    const started = Date.now()
    expectStatus(await first.post('/api/v1/posts', { content: 'Meanwhile' }), 201)
    expectStatus(await t.anyone.get('/healthz'), 200)
    expectStatus(await t.anyone.get('/readyz'), 200)
    expect(Date.now() - started).toBeLessThan(3000)
    openai.failAlways()
    expectStatus(await generateText(), 200)
    for (const call of calls) call.leave()
    await until(() => expect(openai.abortedCalls()).toBe(32))
    await until(async () => expect(await usedCredits(first)).toBe(0))
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
    expect(body).toMatchObject({ id, state: 'canceled', credits: 0, ended_at: expect.any(String) })
    expect(expectProblem(await waiting, 409, 'invalid_transition').state).toBe('canceled')
    await until(() => expect(openai.abortedCalls()).toBe(1))
    expect(expectStatus(await cancel(id), 200).body).toEqual(body)
    expect(await usedCredits()).toBe(0)
  })

  test('409 for an ended generation, 403 for an author who did not start it, 404 for another workspace', async () => {
    const { id } = expectStatus(await generateText(), 200).body
    expect(expectProblem(await cancel(id), 409, 'invalid_transition').state).toBe('succeeded')
    expectProblem(await cancel(id, await memberOf(t, owner.workspace_id, 'author')), 403, 'forbidden_role')
    expectProblem(await cancel(id, await withWorkspace(t)), 404, 'not_found')
    expect(await usedCredits()).toBe(1)
  })
})

describe('POST /ai/generate/image, GET /ai/files/:id', () => {
  test('every member can read the files for 7 days, with headers that allow only their own type', async () => {
    const { body } = expectStatus(await generateImage({ n: 2, size: '1024x1024' }), 200)
    expect(body).toEqual({
      id: expect.any(String),
      files: Array.from({ length: 2 }, () => ({
        id: expect.any(String),
        url: expect.stringMatching(/^\/api\/v1\/ai\/files\/[0-9a-f-]{36}$/),
        mime: 'image/png',
        bytes: openai.script.image.length,
      })),
      model: { id: painter.id, id_secure: painter.id_secure, name: painter.name },
      credits: 10,
    })
    expect(openai.calls[0]?.body).toMatchObject({ n: 2, size: '1024x1024', prompt: 'A cat' })
    const { url } = body.files[0]
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    // The URL is enough, whatever the current workspace is.
    expectStatus(await viewer.post('/api/v1/workspaces', { name: `Another ${Date.now()}` }), 201)
    const answer = await viewer.open('GET', url)
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(openai.script.image)).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(openai.script.image.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    expectProblem(await (await withWorkspace(t)).get(url), 404, 'not_found')
    expectProblem(await t.anyone.get(url), 401, 'unauthenticated')
    expect((await list())[0].files).toEqual(body.files)

    await t.deps.db
      .updateTable('ai_file')
      .set({ expires_at: t.clock.now() })
      .where('workspace_id', '=', owner.workspace_id)
      .execute()
    expectProblem(await owner.get(url), 404, 'not_found')
    expect((await list())[0].files).toEqual([])
    await sweepGenerations(t.deps)
    const left = await t.deps.db
      .selectFrom('ai_file')
      .select('id')
      .where('workspace_id', '=', owner.workspace_id)
      .execute()
    expect(left).toEqual([])
  })

  test('generations are deleted after 90 days, and their credits stay used', async () => {
    expectStatus(await generateImage(), 200)
    const before = await usedCredits()
    const inDays = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000)
    await sweepGenerations({ ...t.deps, clock: { now: () => inDays(89) } })
    expect((await list()).length).toBeGreaterThan(0)
    await sweepGenerations({ ...t.deps, clock: { now: () => inDays(91) } })
    expect(await list()).toEqual([])
    expect(await usedCredits()).toBe(before)
  })

  test('a token reads its files under /public, and 404 for a token that is bound to another workspace', async () => {
    const token = await withToken(t, owner, ['ai:write'])
    const { body } = expectStatus(await token.post('/api/v1/public/ai/generate/image', { prompt: 'A cat' }), 200)
    expect(body.files[0].url).toMatch(/^\/api\/v1\/public\/ai\/files\//)
    expectStatus(await token.get(body.files[0].url), 200)
    const other = await withWorkspace(t)
    await t.deps.db
      .insertInto('workspace_member')
      .values({ workspace_id: other.workspace_id, user_id: owner.id, role: 'owner' })
      .execute()
    const there = { ...owner, ...owner.with({ 'x-workspace-id': other.workspace_id }) }
    const elsewhere = await withToken(t, there, ['ai:read'])
    expectProblem(await elsewhere.get(body.files[0].url), 404, 'not_found')
  })

  test('a large file is sent complete, in parts', async () => {
    const large = Buffer.concat([openai.script.image, Buffer.alloc(1_000_003, 5)])
    const usual = openai.script.image
    openai.script.image = large
    const { body } = expectStatus(await generateImage(), 200)
    openai.script.image = usual
    const answer = await owner.open('GET', body.files[0].url)
    expect(Buffer.from(await answer.arrayBuffer()).equals(large)).toBe(true)
  })

  test('a file that is not an image fails with 503, whatever type the provider gives it', async () => {
    const usual = openai.script.image
    for (const bytes of ['<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', '<html>', 'GIF', ''])
      try {
        openai.script.image = Buffer.from(bytes)
        expectProblem(await generateImage(), 503, 'ai_unavailable')
      } finally {
        openai.script.image = usual
      }
    expect(await usedCredits()).toBe(0)
  })

  test('400 for each field out of bounds, with its pointer', async () => {
    for (const [more, pointer] of [
      [{ prompt: '' }, '/prompt'],
      [{ size: '1024' }, '/size'],
      [{ size: '0x0' }, '/size'],
      [{ n: 5 }, '/n'],
      [{ n: 0 }, '/n'],
      [{ model: model.id }, '/model'],
    ] as const)
      expectProblem(await generateImage(more), 400, 'validation_failed', pointer)
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

test('stopping Meydan ends running generations within seconds, reports 503 unavailable and refunds their credits', async () => {
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
    const started = Date.now()
    const [streamedText, answer] = await Promise.all([stream.text(), waiting, own.stopHttp()])
    expect(Date.now() - started).toBeLessThan(2500)
    expect(streamedText).toContain('"code":"unavailable"')
    expectProblem(answer, 503, 'unavailable')
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
