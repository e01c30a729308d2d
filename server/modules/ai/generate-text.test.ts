import { afterAll, beforeEach, describe, expect, test } from 'vitest'
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
import { generationApp, generationCalls, TEXT } from '../../../test/generations.ts'
import { expectProblem } from '../../../test/problem.ts'
import { modelAt, providerServer } from '../../../test/stand-ins/ai.ts'
import type { AiServer } from '../../../test/stand-ins/ai-server.ts'
import { until } from '../../../test/until.ts'

let t: TestApp
let admin: Person
let owner: WorkspaceOwner
let openai: AiServer
let model: { id: number; id_secure: string; name: string }
let painter: { id: number; id_secure: string; name: string }
let close: () => Promise<void>

;({ t, admin, openai, model, painter, close } = await generationApp())
beforeEach(async () => {
  openai.reset()
  owner = await withWorkspace(t)
})
afterAll(() => close())

const { generateText, list, startCall, usedCredits } = generationCalls(() => ({ t, owner }))

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
        cost_usd: null,
        is_cost_estimated: false,
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
      const response = await generateText()
      expectProblem(response, status, code)
      expect(JSON.stringify(response.body)).not.toContain(openai.key)
      expect(JSON.stringify(response.body)).not.toMatch(/may not do this|Welcome/)
      if (status === 429) expect(response.headers.get('retry-after')).toBe('17')
      if (status === 503) expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
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
    let response: () => void = () => undefined
    openai.holdUntil(new Promise((resolve) => (response = resolve)))
    const key = { 'idempotency-key': 'lost' }
    const call = startCall(TEXT, { prompt: 'x' }, key)
    await openai.called(1)
    call.leave()
    expectProblem(await generateText(owner, { prompt: 'x' }, key), 409, 'idempotency_key_in_use')
    response()
    await until(async () => expect((await list())[0].state).toBe('succeeded'))
    const again = await until(async () => expectStatus(await generateText(owner, { prompt: 'x' }, key), 200))
    expect([again.headers.get('idempotent-replayed'), openai.calls.length, await usedCredits()]).toEqual(['true', 1, 1])
  })
})

describe('streamed texts', () => {
  const readStream = async (more: object = {}, headers: Record<string, string> = {}) => {
    const response = await owner.open('POST', TEXT, {
      body: { prompt: 'x', ...more },
      headers: { accept: 'text/event-stream', ...headers },
    })
    const body = await response.text()
    const events = body
      .split('\n\n')
      .filter(Boolean)
      .map((part) => {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
        return { event, data: JSON.parse(data ?? 'null') }
      })
    return { response, events, body }
  }

  test('a stream sends delta events and one done event, with headers that prevent buffering', async () => {
    const { response, events } = await readStream()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
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

  test('each delta is sent before the provider sends the next', async () => {
    const sendNext = openai.holdParts()
    const response = await owner.open('POST', TEXT, { body: { prompt: 'x' }, headers: { accept: 'text/event-stream' } })
    // The provider sends a part only when the one before has arrived here.
    const pieces: string[] = []
    for await (const piece of response.body ?? []) {
      pieces.push(Buffer.from(piece).toString())
      sendNext()
    }
    expect(pieces.filter((piece) => piece.startsWith('event: delta'))).toHaveLength(openai.script.parts.length)
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
      const { response, events, body } = await readStream()
      expect(response.status).toBe(200)
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

  test('no text is lost when the client reads slowly', async () => {
    openai.script.parts = ['Hello', ...Array.from({ length: 3000 }, () => 'x'.repeat(1000))]
    const response = await owner.open('POST', TEXT, { body: { prompt: 'x' }, headers: { accept: 'text/event-stream' } })
    let size = 0
    let pauses = 20
    for await (const piece of response.body ?? []) {
      size += piece.length
      // Other calls are made and get their responses meanwhile.
      if (pauses-- > 0) await list()
    }
    expect(size).toBeGreaterThan(3_000_000)
    expect(await list()).toMatchObject([{ state: 'succeeded' }])
  })
})
