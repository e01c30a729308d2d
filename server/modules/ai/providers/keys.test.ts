import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import type { ApiResponse } from '../../../../test/client.ts'
import { expectStatus, signedIn, withWorkspace } from '../../../../test/factories.ts'
import { auditOf } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import {
  type Kind,
  modelAt,
  newKey,
  type ProviderName,
  providerNames,
  providerServer,
} from '../../../../test/stand-ins/ai.ts'
import type { AiServer, Failure } from '../../../../test/stand-ins/ai-server.ts'
import { until } from '../../../../test/until.ts'
import type { Problem } from '../../../errors.ts'
import { readCallableModel } from '../models/models.ts'
import { modelFor } from './providers.ts'

const logged: string[] = []
const servers = {} as Record<ProviderName, AiServer>
const log = pino(
  { level: 'trace' },
  new Writable({
    write: (chunk, _, done) => {
      logged.push(String(chunk))
      done()
    },
  }),
)
const t = await testApp({}, { log })
const admin = await signedIn(t, { instanceAdmin: true })
const owner = await withWorkspace(t)
for (const provider of providerNames) servers[provider] = await providerServer(provider)
beforeEach(async () => {
  // The tests make more calls than the limit per minute.
  t.advance(60_000)
  for (const server of Object.values(servers)) server.reset()
  for (const provider of providerNames) await setGlobal(provider, null)
  await setDefault('openai')
})
afterAll(async () => {
  for (const server of Object.values(servers)) server.close()
  await t.close()
})

const setOption = (key: string, value: unknown) => admin.call('PUT', `/api/v1/options/${key}`, { body: { value } })
const setDefault = async (provider: ProviderName) => expectStatus(await setOption('ai.default_provider', provider), 200)
const setGlobal = async (provider: ProviderName, key: string | null) =>
  key === null
    ? expectStatus(await admin.delete(`/api/v1/options/${provider}_api_key`), 204)
    : expectStatus(await setOption(`${provider}_api_key`, key), 200)
const setOwn = (id: number | string, api_key: unknown) => admin.put(`/api/v1/ai-models/${id}/api-key`, { api_key })
const runTest = (id: number) => admin.post(`/api/v1/options/test/ai-model/${id}`)
const tested = async (id: number) => expectStatus(await runTest(id), 200).body
const sentTo = (provider: ProviderName) =>
  servers[provider].calls.map(
    ({ headers }) => headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization,
  )
const credentialOf = (provider: ProviderName, key: string) =>
  provider === 'anthropic' || provider === 'google' ? key : `Bearer ${key}`
const needsNoKey = (provider: ProviderName) => provider === 'ollama' || provider === 'custom'

describe.each(providerNames.map((provider): [ProviderName] => [provider]))('the key of a model of %s', (provider) => {
  const kind: Kind = 'chat'
  const key = () => servers[provider].key ?? 'a-key-of-ollama-0001'

  test("the model's own key is used, also when there is a global key", async () => {
    await setDefault(provider)
    await setGlobal(provider, newKey(provider))
    const { id } = await modelAt(admin, provider, kind, servers[provider], { key: key() })
    expect(await tested(id)).toMatchObject({ ok: true, key_source: 'model', key_last4: key().slice(-4) })
    expect(sentTo(provider)).toEqual([credentialOf(provider, key())])
  })

  test('the global key is used when the model has none and its provider is the default', async () => {
    await setDefault(provider)
    await setGlobal(provider, key())
    const { id } = await modelAt(admin, provider, kind, servers[provider], { key: null })
    expect(await tested(id)).toMatchObject({ ok: true, key_source: 'global', key_last4: key().slice(-4) })
    expect(sentTo(provider)).toEqual([credentialOf(provider, key())])
  })

  test('the key is missing when the provider is not the default, and the provider is not called', async () => {
    const other = provider === 'openai' ? 'mistral' : 'openai'
    await setDefault(other)
    await setGlobal(other, newKey(other))
    await setGlobal(provider, key())
    const { id } = await modelAt(admin, provider, kind, servers[provider], { key: null })
    if (needsNoKey(provider)) {
      expect(await tested(id)).toMatchObject({ key_source: 'none', key_last4: null })
      expect(sentTo(provider)).toEqual([undefined])
      return
    }
    expectProblem(await runTest(id), 409, 'model_key_missing')
    expect(servers[provider].calls).toEqual([])
  })

  test('the key is missing when the provider is the default and has no global key either', async () => {
    await setDefault(provider)
    const { id } = await modelAt(admin, provider, kind, servers[provider], { key: null })
    if (needsNoKey(provider)) expect(await tested(id)).toMatchObject({ key_source: 'none' })
    else expectProblem(await runTest(id), 409, 'model_key_missing')
  })

  test("the global key does not replace a model's own key that the provider refuses", async () => {
    await setDefault(provider)
    await setGlobal(provider, key())
    const wrong = newKey(provider)
    servers[provider].changeKey(key())
    const { id } = await modelAt(admin, provider, kind, servers[provider], { key: wrong })
    expect(await tested(id)).toMatchObject({
      ...{ ok: false, error_code: 'unauthorized', key_source: 'model', key_last4: wrong.slice(-4) },
    })
    expectProblem(await owner.post('/api/v1/ai/generate/text', { prompt: 'Hi', model: id }), 409, 'model_key_refused')
    expect(sentTo(provider)).toEqual([credentialOf(provider, wrong), credentialOf(provider, wrong)])
  })

  test('setting, changing and removing a key takes effect at once', async () => {
    await setDefault(provider)
    await setGlobal(provider, newKey(provider))
    const { id } = await modelAt(admin, provider, kind, servers[provider], { key: newKey(provider) })
    servers[provider].changeKey(key())
    expect((await tested(id)).ok).toBe(false)
    expectStatus(await setOwn(id, key()), 204)
    expect(await tested(id)).toMatchObject({ ok: true, key_source: 'model' })
    expectStatus(await setOwn(id, null), 204)
    expect(await tested(id)).toMatchObject({ ok: false, key_source: 'global' })
  })
})

describe('keys and servers', () => {
  const move = (id: number, changes: object) => admin.put(`/api/v1/ai-models/${id}`, changes)
  const refused = (response: ApiResponse, pointer: string) => expectProblem(response, 400, 'validation_failed', pointer)

  test('400 for moving a model with its own key to another server, by address, port or provider', async () => {
    const { url } = servers.openai
    const { id } = await modelAt(admin, 'openai', 'chat', servers.openai)
    for (const base_url of [servers.custom.url, 'https://models.example.com/v1', url.replace('127.0.0.1', 'localhost')])
      refused(await move(id, { api_params: { base_url } }), '/api_params/base_url')
    refused(await move(id, { api_params: {} }), '/api_params/base_url')
    expect(await tested(id)).toMatchObject({ ok: true, key_source: 'model' })
    // The server stays the same, so the key reaches no other.
    expectStatus(await move(id, { provider: 'custom', name: 'Mine', api_params: { base_url: `${url}/` } }), 200)

    const plain = expectStatus(
      await admin.post('/api/v1/ai-models', { provider: 'openai', model_key: 'gpt-4o-mini', name: 'Plain' }),
      201,
    ).body
    expectStatus(await setOwn(plain.id, newKey('openai')), 204)
    refused(await move(plain.id, { provider: 'mistral' }), '/provider')
    expectStatus(await setOwn(plain.id, null), 204)
    expectStatus(await move(plain.id, { provider: 'mistral' }), 200)
  })

  test('no node sends a removed key to the server that the model was moved to afterwards', async () => {
    const other = await testApp({}, { beside: t })
    try {
      const { id } = await modelAt(admin, 'custom', 'chat', servers.openai)
      expect(await modelOn(other, id)).toMatchObject({ key_source: 'model' })
      expectStatus(await setOwn(id, null), 204)
      expectStatus(await move(id, { api_params: { base_url: servers.custom.url } }), 200)
      expect(await modelOn(other, id)).toMatchObject({ key_source: 'none' })
    } finally {
      await other.close()
    }
  })
  const modelOn = async ({ deps }: TestApp, id: number) => modelFor(deps, await readCallableModel(deps.db, String(id)))

  test.each(providerNames.filter((provider) => provider !== 'custom'))(
    "the global key of %s is sent only to the provider and into the allowed ranges, whatever the model's base_url",
    async (provider) => {
      await setDefault(provider)
      await setGlobal(provider, key(provider))
      const sourceAt = async (base_url: string | null) => {
        const { id } = await modelAt(admin, provider, 'chat', servers[provider], {
          key: null,
          api_params: { base_url },
        })
        return modelOn(t, id).then(
          ({ key_source }) => key_source,
          (error: Problem) => error.code,
        )
      }
      const none = needsNoKey(provider) ? 'none' : 'model_key_missing'
      expect(await sourceAt(null)).toBe('global')
      expect(await sourceAt(servers[provider].url)).toBe('global')
      for (const own of [
        'https://127.0.0.1:8443/v1',
        'https://[::1]/v1',
        'https://localhost/v1',
        'http://models.lan/v1',
      ])
        expect(await sourceAt(own)).toBe('global')
      expect(await sourceAt('https://models.example.com/v1')).toBe(none)
      expect(await sourceAt('https://api.openai.com.example.com/v1')).toBe(none)
      expect(await sourceAt('https://1.1.1.1/v1')).toBe(none)
    },
  )
  const key = (provider: ProviderName) => servers[provider].key ?? 'a-key-of-ollama-0001'
})

describe('PUT /ai-models/:id/api-key', () => {
  test('204 sets a key of which only the last four characters are shown, and the ETag stays the same', async () => {
    const { id, id_secure, name } = await modelAt(admin, 'openai', 'chat', servers.openai, { key: null })
    const response = await setOwn(id_secure, '  sk-a-long-enough-key-9876 ')
    expect([response.status, response.body]).toEqual([204, ''])
    const model = await admin.get(`/api/v1/ai-models/${id}`)
    expect(model.body.api_key).toEqual({ set: true, last4: '9876' })
    expect(model.headers.get('etag')).toBe('"1"')
    expectStatus(await setOwn(id, 'short'), 204)
    expect((await admin.get(`/api/v1/ai-models/${id}`)).body.api_key).toEqual({ set: true, last4: null })
    expectStatus(await setOwn(id, null), 204)
    expectStatus(await setOwn(id, null), 204)
    expect((await admin.get(`/api/v1/ai-models/${id}`)).body.api_key).toEqual({ set: false, last4: null })
    const entries = (await auditOf(t, admin.id)).filter(({ target_id }) => target_id === id_secure)
    expect(entries.slice(1).map(({ action, details }) => [action, details])).toEqual([
      ['ai_model.key_set', { name, before: { set: false, last4: null }, after: { set: true, last4: '9876' } }],
      ['ai_model.key_set', { name, before: { set: true, last4: '9876' }, after: { set: true, last4: null } }],
      ['ai_model.key_removed', { name, before: { set: true, last4: null }, after: { set: false, last4: null } }],
    ])
  })

  test.each([
    ['empty', ''],
    ['two lines long', 'sk-1\r\nx-evil: 1'],
    ['not valid in a header', 'sk-ğ'],
    ['too long', 'x'.repeat(2001)],
    ['not a text', 7],
    ['absent', undefined],
  ])('400 for a key that is %s', async (_, key) => {
    const { id } = await modelAt(admin, 'openai', 'chat', servers.openai, { key: null })
    const response = await setOwn(id, key)
    expectProblem(response, 400, 'validation_failed', '/api_key')
    if (typeof key === 'string' && key !== '') expect(JSON.stringify(response.body)).not.toContain(key.slice(0, 20))
  })

  test('204 for concurrent calls, and one of their keys is stored whole', async () => {
    const { id } = await modelAt(admin, 'openai', 'chat', servers.openai, { key: null })
    const keys = Array.from({ length: 8 }, () => newKey('openai'))
    for (const { status } of await Promise.all(keys.map((key) => setOwn(id, key)))) expect(status).toBe(204)
    const { key_last4 } = await tested(id)
    expect(keys.map((key) => key.slice(-4))).toContain(key_last4)
  })

  test('429 for the sixth test within a minute, counted for each admin', async () => {
    const { id } = await modelAt(admin, 'openai', 'chat', servers.openai)
    for (let n = 0; n < 5; n++) await tested(id)
    const response = await runTest(id)
    expectProblem(response, 429, 'too_many_requests')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = await signedIn(t, { instanceAdmin: true })
    expectStatus(await other.post(`/api/v1/options/test/ai-model/${id}`), 200)
  })
})

describe('secrecy of keys', () => {
  const failures: Failure[] = [
    { kind: 'status', status: 400 },
    { kind: 'status', status: 401 },
    { kind: 'status', status: 429 },
    { kind: 'status', status: 500 },
    { kind: 'garbage' },
    { kind: 'wrong_shape' },
    { kind: 'hang_up' },
    { kind: 'cut' },
  ]

  test.each(providerNames.map((provider): [ProviderName] => [provider]))(
    'a key of %s appears in no response, log line, error, audit entry or mail, whatever went wrong',
    async (provider) => {
      const printed: string[] = []
      const spies = (['log', 'warn', 'error', 'info', 'debug'] as const).map((name) =>
        vi
          .spyOn(console, name)
          .mockImplementation((...parts: unknown[]) => void printed.push(parts.map(String).join(' '))),
      )
      logged.length = 0
      const own = newKey(provider)
      const global = newKey(provider)
      await setDefault(provider)
      await setGlobal(provider, global)
      servers[provider].changeKey(undefined)
      const responses: unknown[] = []
      for (const key of [own, null]) {
        const { id } = await modelAt(admin, provider, 'chat', servers[provider], { key })
        for (const failure of failures) {
          t.advance(60_000)
          servers[provider].failAlways(failure)
          for (const response of [
            await runTest(id),
            await owner.post('/api/v1/ai/generate/text', { prompt: 'Hi', model: id }),
            await owner.post('/api/v1/ai/generate/text', { prompt: 'Hi', model: id }, { accept: 'text/event-stream' }),
          ])
            responses.push(response.status, [...response.headers], response.body)
        }
        servers[provider].failAlways()
        for (const path of ['', '/active', `/${id}`]) responses.push((await admin.get(`/api/v1/ai-models${path}`)).body)
        responses.push((await put(id, { model_key: 'x y' })).body, (await put(id, { name: 'Other' })).body)
        responses.push((await admin.delete(`/api/v1/ai-models/${id}`)).body)
      }
      responses.push((await admin.get('/api/v1/options')).body, (await owner.get('/api/v1/ai/generations')).body)
      expect(sentTo(provider).filter(Boolean).length).toBeGreaterThanOrEqual(failures.length * 2)
      const kept = [
        await t.deps.db.selectFrom('audit_entry').selectAll().execute(),
        await t.deps.db.selectFrom('mail').selectAll().execute(),
        await t.deps.db.selectFrom('option').selectAll().execute(),
        await t.deps.db.selectFrom('ai_model').selectAll().execute(),
        await t.deps.db.selectFrom('ai_generation').selectAll().execute(),
        await t.deps.db.selectFrom('event').selectAll().execute(),
        await t.deps.db.selectFrom('idempotency_key').selectAll().execute(),
      ]
      for (const spy of spies) spy.mockRestore()
      expect(logged.length).toBeGreaterThan(20)
      const everything = JSON.stringify([responses, kept, logged, printed])
      // No key and no part of one beyond its last four characters.
      for (const key of [own, global])
        for (const part of [key, key.slice(0, -8), key.slice(-8)]) expect(everything).not.toContain(part)
    },
  )
})

test('a client that disconnects during a stream is not logged as an error', async () => {
  const { id } = await modelAt(admin, 'openai', 'chat', servers.openai)
  servers.openai.failAlways({ kind: 'pause' })
  logged.length = 0
  const left = new AbortController()
  const { body } = await owner.open('POST', '/api/v1/ai/generate/text', {
    body: { prompt: 'Hi', model: id },
    headers: { accept: 'text/event-stream' },
    signal: left.signal,
  })
  await body?.getReader().read()
  left.abort()
  await until(() => expect(servers.openai.abortedCalls()).toBe(1))
  await until(async () => {
    const { body } = await owner.get('/api/v1/ai/generations?limit=1')
    expect(body.data).toMatchObject([{ state: 'canceled' }])
  })
  expect(logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})

const put = (id: number, body: object) => admin.call('PUT', `/api/v1/ai-models/${id}`, { body })
