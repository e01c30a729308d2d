import {
  embed,
  generateImage,
  generateText,
  experimental_startVideo as startVideo,
  experimental_getVideoStatus as statusOf,
  streamText,
} from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, PASSWORD, type Person, sessionCookie, signedIn } from '../../../../test/factories.ts'
import {
  type Kind,
  modelAt,
  modelKeys,
  newKey,
  type ProviderName,
  providerNames,
  providerServer,
} from '../../../../test/stand-ins/ai.ts'
import type { AiServer, Failure } from '../../../../test/stand-ins/ai-server.ts'
import { type GuardedAgent, guardedAgent } from '../../../lib/outbound/safe-http.ts'
import { readCallableModel } from '../models.ts'
import { providerFetch } from './provider-fetch.ts'
import { providerProblem } from './provider-problem.ts'
import { modelFor } from './providers.ts'

/** Time limit of a model test. */
const TEST_MS = 15_000

let t: TestApp
let admin: Person
let dispatcher: GuardedAgent
const servers = {} as Record<ProviderName, AiServer>
beforeAll(async () => {
  t = await testApp()
  admin = await signedIn(t, { instanceAdmin: true })
  for (const provider of providerNames) servers[provider] = await providerServer(provider)
  dispatcher = guardedAgent({ allow: t.deps.config.AI_ALLOW_CIDRS, allowHttp: false })
})
beforeEach(() => {
  // The tests make more calls than the limit per minute.
  t.advance(60_000)
  for (const server of Object.values(servers)) server.reset()
})
afterAll(async () => {
  for (const server of Object.values(servers)) server.close()
  await dispatcher.destroy()
  await t.close()
})

type More = Parameters<typeof modelAt>[4]
const kinds = providerNames.flatMap((provider) =>
  (Object.keys(modelKeys[provider]) as Kind[]).map((kind): [ProviderName, Kind] => [provider, kind]),
)
const chats = providerNames.map((provider): [ProviderName] => [provider])
/** Calls the endpoint. */
const runTest = async (id: number, body: object = {}) =>
  expectStatus(await admin.post(`/api/v1/options/test/ai-model/${id}`, body), 200).body
const testModel = async (provider: ProviderName, kind: Kind, more: More = {}) => {
  const { id } = await modelAt(admin, provider, kind, servers[provider], more)
  return runTest(id, { prompt: 'Say hello.' })
}
/** Returns the model as generations get it. */
async function ready(
  provider: ProviderName,
  kind: Kind,
  { deps = t.deps, ...more }: More & { deps?: Parameters<typeof modelFor>[0] } = {},
) {
  const { id } = await modelAt(admin, provider, kind, servers[provider], more)
  return modelFor(deps, await readCallableModel(t.deps.db, String(id)))
}
const language = async (...args: Parameters<typeof ready>) => {
  const { language, settings } = await ready(...args)
  if (!language) throw new Error('no language model')
  return { ...settings, model: language, prompt: 'Say hello.' }
}
const problemOf = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => providerProblem(error, new Date()),
  )

const credential = (provider: ProviderName, key = servers[provider].key) =>
  provider === 'anthropic'
    ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    : provider === 'google'
      ? { 'x-goog-api-key': key }
      : key === undefined
        ? {}
        : { authorization: `Bearer ${key}` }
const credentialNames = ['authorization', 'x-api-key', 'x-goog-api-key', 'anthropic-version']
const credentialsIn = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => credentialNames.includes(name)))

const say = [{ role: 'user', content: 'Say hello.' }]
/** Expected requests by provider, without credentials. */
const expected: Record<string, { method?: string; url: string; body?: object }> = {
  'openai chat': {
    url: '/chat/completions',
    body: { model: 'gpt-4o-mini', messages: say, max_tokens: 64, temperature: 0.7 },
  },
  'openai completion': {
    url: '/completions',
    body: {
      ...{ model: 'gpt-3.5-turbo-instruct', max_tokens: 64, temperature: 0.7 },
      ...{ prompt: 'user:\nSay hello.\n\nassistant:\n', stop: ['\nuser:'] },
    },
  },
  'openai embedding': {
    url: '/embeddings',
    body: { model: 'text-embedding-3-small', input: ['Say hello.'], encoding_format: 'float' },
  },
  'openai image': { url: '/images/generations', body: { model: 'gpt-image-1', prompt: 'Say hello.', n: 1 } },
  'anthropic chat': {
    url: '/messages',
    body: {
      ...{ model: 'claude-haiku-4-5', max_tokens: 64, temperature: 0.7 },
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Say hello.' }] }],
    },
  },
  'google chat': {
    url: '/models/gemini-2.5-flash:generateContent',
    body: {
      generationConfig: { maxOutputTokens: 64, temperature: 0.7 },
      contents: [{ role: 'user', parts: [{ text: 'Say hello.' }] }],
    },
  },
  'google embedding': {
    url: '/models/gemini-embedding-001:embedContent',
    body: { model: 'models/gemini-embedding-001', content: { parts: [{ text: 'Say hello.' }] } },
  },
  'google image': {
    url: '/models/gemini-2.5-flash-image:generateContent',
    body: {
      generationConfig: { responseModalities: ['IMAGE'] },
      contents: [{ role: 'user', parts: [{ text: 'Say hello.' }] }],
    },
  },
  'google video': { method: 'GET', url: '/models' },
  'xai chat': {
    url: '/responses',
    body: {
      ...{ model: 'grok-4-fast', max_output_tokens: 64, temperature: 0.7 },
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Say hello.' }] }],
    },
  },
  'xai image': {
    url: '/images/generations',
    body: { model: 'grok-imagine-image', prompt: 'Say hello.', n: 1, response_format: 'b64_json' },
  },
  'xai video': { method: 'GET', url: '/models' },
  'mistral chat': {
    url: '/chat/completions',
    body: {
      ...{ model: 'mistral-small-latest', max_tokens: 64, temperature: 0.7 },
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Say hello.' }] }],
    },
  },
  'mistral embedding': {
    url: '/embeddings',
    body: { model: 'mistral-embed', input: ['Say hello.'], encoding_format: 'float' },
  },
  'ollama chat': {
    url: '/chat/completions',
    body: { model: 'llama3.2', messages: say, max_tokens: 64, temperature: 0.7 },
  },
  'ollama completion': {
    url: '/completions',
    body: {
      ...{ model: 'llama3.2', max_tokens: 64, temperature: 0.7 },
      ...{ prompt: 'user:\nSay hello.\n\nassistant:\n', stop: ['\nuser:'] },
    },
  },
  'ollama embedding': {
    url: '/embeddings',
    body: { model: 'nomic-embed-text', input: ['Say hello.'], encoding_format: 'float' },
  },
  'custom chat': {
    url: '/chat/completions',
    body: { model: 'my-model', messages: say, max_tokens: 64, temperature: 0.7 },
  },
  'custom completion': {
    url: '/completions',
    body: {
      ...{ model: 'my-model', max_tokens: 64, temperature: 0.7 },
      ...{ prompt: 'user:\nSay hello.\n\nassistant:\n', stop: ['\nuser:'] },
    },
  },
  'custom embedding': {
    url: '/embeddings',
    body: { model: 'my-embedding', input: ['Say hello.'], encoding_format: 'float' },
  },
  'custom image': {
    url: '/images/generations',
    body: { model: 'my-painter', prompt: 'Say hello.', n: 1 },
  },
}

describe('tests of models', () => {
  test.each(kinds)(
    'the test of a %s %s model sends one documented request and returns the result',
    async (provider, kind) => {
      const { key, calls } = servers[provider]
      const { latency_ms, ...answer } = await testModel(provider, kind)
      const isText = kind === 'chat' || kind === 'completion'
      expect(answer).toEqual({
        ok: true,
        text: isText ? 'Hello, world.' : null,
        usage: isText
          ? { input_tokens: 11, output_tokens: 4 }
          : kind === 'embedding' && provider !== 'google'
            ? { input_tokens: 11, output_tokens: 0 }
            : null,
        key_source: key === undefined ? 'none' : 'model',
        key_last4: key?.slice(-4) ?? null,
        ...{ error_code: null, detail: null, retry_after_s: null },
      })
      expect(latency_ms).toBeGreaterThanOrEqual(0)
      expect(calls).toHaveLength(1)
      const [call] = calls
      const { method = 'POST', url, body } = expected[`${provider} ${kind}`] ?? { url: '' }
      expect({ method: call?.method, url: call?.url, body: call?.body }).toEqual({ method, url, body })
      expect(credentialsIn(call?.headers ?? {})).toEqual(credential(provider))
      if (body) expect(call?.headers['content-type']).toBe('application/json')
    },
  )
})

describe('streamed texts', () => {
  test.each(kinds.filter(([, kind]) => kind === 'chat' || kind === 'completion'))(
    '%s %s streams the text in the parts that the provider sends',
    async (provider, kind) => {
      const { textStream, usage, finishReason } = streamText(await language(provider, kind))
      const parts: string[] = []
      for await (const part of textStream) parts.push(part)
      expect(parts).toEqual(['Hello', ', ', 'world', '.'])
      expect(await usage).toMatchObject({ inputTokens: 11, outputTokens: 4 })
      expect(await finishReason).toBe('stop')
      const [call] = servers[provider].calls
      expect(call?.url).toBe(
        provider === 'google'
          ? '/models/gemini-2.5-flash:streamGenerateContent?alt=sse'
          : expected[`${provider} ${kind}`]?.url,
      )
      if (provider !== 'google') expect(call?.body.stream).toBe(true)
      expect(credentialsIn(call?.headers ?? {})).toEqual(credential(provider))
    },
  )

  test.each(chats)('%s streams the first part while the provider still writes the last', async (provider) => {
    servers[provider].setPace(40)
    const { textStream } = streamText(await language(provider, 'chat'))
    const times: number[] = []
    for await (const _ of textStream) times.push(performance.now())
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(80)
  })
})

test("instructions and settings are sent in each provider's own fields", async () => {
  const instructions = 'Be brief.'
  const of = async (provider: ProviderName, api_params: object) => {
    await generateText({ ...(await language(provider, 'chat', { api_params })), system: instructions })
    return servers[provider].calls.at(-1)?.body
  }
  const params = { max_tokens: 99, temperature: 0.1, top_p: 0.5 }
  expect(await of('openai', params)).toMatchObject({
    ...params,
    messages: [{ role: 'system', content: instructions }, ...say],
  })
  expect(await of('anthropic', { ...params, top_p: undefined })).toMatchObject({
    ...{ max_tokens: 99, temperature: 0.1 },
    system: [{ type: 'text', text: instructions }],
  })
  expect(await of('google', params)).toMatchObject({
    generationConfig: { maxOutputTokens: 99, temperature: 0.1, topP: 0.5 },
    systemInstruction: { parts: [{ text: instructions }] },
  })
  expect(await of('xai', params)).toMatchObject({
    ...{ max_output_tokens: 99, temperature: 0.1, top_p: 0.5 },
    input: [{ role: 'system', content: instructions }, {}],
  })
  expect(await of('mistral', params)).toMatchObject({
    ...params,
    messages: [{ role: 'system', content: instructions }, {}],
  })
  for (const provider of ['ollama', 'custom'] as const)
    expect(await of(provider, params)).toMatchObject({ ...params, messages: [{ role: 'system' }, ...say] })
})

test.each(chats)('parameters that api_params sets to null are not sent to %s', async (provider) => {
  await generateText(await language(provider, 'chat', { api_params: { temperature: null, max_tokens: null } }))
  const text = JSON.stringify(servers[provider].calls[0]?.body)
  expect(text).not.toContain('temperature')
  // Anthropic requires max_tokens: its package knows the maximum of each model.
  if (provider !== 'anthropic') expect(text).not.toMatch(/max_?(output_?)?tokens/i)
})

test('provider_options are passed to the package of the provider', async () => {
  const options = (provider_options: object) => ({ api_params: { provider_options } })
  await generateText(await language('openai', 'chat', options({ user: 'someone' })))
  expect(servers.openai.calls[0]?.body).toMatchObject({ user: 'someone' })
  await generateText(await language('custom', 'chat', options({ my_own: 1 })))
  expect(servers.custom.calls[0]?.body).toMatchObject({ my_own: 1 })
  await generateText(await language('mistral', 'chat', options({ safePrompt: true })))
  expect(servers.mistral.calls[0]?.body).toMatchObject({ safe_prompt: true })
})

test.each(kinds.filter(([, kind]) => kind === 'embedding'))('%s embeds a text', async (provider, kind) => {
  const { embedding: model } = await ready(provider, kind)
  if (!model) throw new Error('no embedding model')
  expect((await embed({ model, value: 'Say hello.', maxRetries: 0 })).embedding).toEqual([0.1, -0.2, 0.3])
})

describe('images', () => {
  test.each(kinds.filter(([, kind]) => kind === 'image'))(
    '%s makes two images with the exact bytes',
    async (provider, kind) => {
      const { image: model, mediaSettings } = await ready(provider, kind)
      if (!model) throw new Error('no image model')
      const { images } = await generateImage({ ...mediaSettings, model, prompt: 'A boat', n: 2 })
      expect(images.map(({ uint8Array }) => Buffer.from(uint8Array))).toEqual([
        servers[provider].script.image,
        servers[provider].script.image,
      ])
      expect(images[0]?.mediaType).toBe('image/png')
    },
  )

  test('dall-e-2 is tested with its smallest size', async () => {
    expect(await testModel('openai', 'image', { model_key: 'dall-e-2' })).toMatchObject({ ok: true })
    expect(servers.openai.calls[0]?.body).toEqual({
      ...{ model: 'dall-e-2', prompt: 'Say hello.', n: 1, size: '256x256', response_format: 'b64_json' },
    })
  })
})

describe('videos', () => {
  test.each(kinds.filter(([, kind]) => kind === 'video'))(
    '%s starts a video, polls it until it is ready, and downloads it',
    async (provider, kind) => {
      const { video: model, mediaSettings } = await ready(provider, kind)
      if (!model) throw new Error('no video model')
      const { calls, script, url } = servers[provider]
      const { operation } = await startVideo({
        ...mediaSettings,
        model,
        prompt: 'A boat',
        aspectRatio: '16:9',
        duration: 5,
      })
      expect(calls[0]).toMatchObject(
        provider === 'google'
          ? {
              url: '/models/veo-3.1-generate-preview:predictLongRunning',
              body: {
                instances: [{ prompt: 'A boat' }],
                parameters: { aspectRatio: '16:9', durationSeconds: 5, sampleCount: 1 },
              },
            }
          : {
              url: '/videos/generations',
              body: { model: 'grok-imagine-video', prompt: 'A boat', aspect_ratio: '16:9', duration: 5 },
            },
      )
      // The stored form between the steps of a job.
      const kept = JSON.parse(JSON.stringify(operation))
      expect((await statusOf(model, { operation: kept, maxRetries: 0 })).status).toBe('pending')
      const done = await statusOf(model, { operation: kept, maxRetries: 0 })
      expect(done.status).toBe('completed')
      const address = 'videos' in done && done.videos[0]?.type === 'url' ? done.videos[0].url : ''
      expect(address.startsWith(url)).toBe(true)
      const file = await t.deps.aiFetch(
        address,
        provider === 'xai' ? { headers: credential(provider) as Record<string, string> } : {},
      )
      expect(Buffer.from(await file.arrayBuffer())).toEqual(script.video)
      for (const call of calls.slice(0, 3)) expect(credentialsIn(call.headers)).toEqual(credential(provider))
    },
  )
})

describe('failures at the provider are reported by kind, after one call', () => {
  const faults: [string, Failure, object][] = [
    ['400', { kind: 'status', status: 400 }, { error_code: 'bad_request' }],
    ['401', { kind: 'status', status: 401 }, { error_code: 'unauthorized' }],
    ['403', { kind: 'status', status: 403 }, { error_code: 'forbidden' }],
    ['404', { kind: 'status', status: 404 }, { error_code: 'not_found' }],
    ['429', { kind: 'status', status: 429 }, { error_code: 'rate_limited', retry_after_s: null }],
    [
      '429 with Retry-After',
      { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
      { error_code: 'rate_limited', retry_after_s: 7 },
    ],
    ['500', { kind: 'status', status: 500 }, { error_code: 'vendor_error' }],
    [
      '503 with a date',
      { kind: 'status', status: 503, headers: { 'retry-after': new Date(Date.now() + 86_400_000 * 9).toUTCString() } },
      { error_code: 'vendor_error', retry_after_s: 86_400 },
    ],
    ['529', { kind: 'status', status: 529 }, { error_code: 'vendor_error' }],
    ['500 without JSON', { kind: 'status', status: 500, body: 'x' }, { error_code: 'vendor_error' }],
    ['an HTML page', { kind: 'garbage' }, { error_code: 'garbage' }],
    ['JSON of another shape', { kind: 'wrong_shape' }, { error_code: 'garbage' }],
    ['a closed connection', { kind: 'hang_up' }, { error_code: 'unreachable' }],
  ]
  describe.each(kinds.filter(([provider, kind]) => kind === 'chat' || provider !== 'ollama'))(
    'failures of %s %s',
    (provider, kind) => {
      test.each(faults)(
        'the failure "%s" is reported by its error code, after one call',
        async (_, failure, wanted) => {
          // For a video only the key is checked, and any JSON passes.
          if (kind === 'video' && failure.kind === 'wrong_shape') return
          servers[provider].failNext(failure)
          const answer = await testModel(provider, kind)
          expect(answer).toMatchObject({ ok: false, text: null, usage: null, ...wanted })
          expect(answer.detail).toMatch(/^[A-Z].*[.)]$/)
          expect(servers[provider].calls).toHaveLength(1)
        },
      )
    },
  )

  test.each(chats)('a redirect from %s is an error and is not followed', async (provider) => {
    const other = await providerServer(provider, servers[provider].key)
    servers[provider].failNext({ kind: 'redirect', to: `${other.url}/chat/completions` })
    expect(await testModel(provider, 'chat')).toMatchObject({ ok: false, error_code: 'vendor_error' })
    expect(other.calls).toEqual([])
    other.close()
  })

  test('a refused connection is reported as unreachable', async () => {
    const gone = await providerServer('openai')
    gone.close()
    const { id } = await modelAt(admin, 'openai', 'chat', gone)
    expect(await runTest(id)).toMatchObject({ ok: false, error_code: 'unreachable' })
  })

  test('an unknown host is reported as unreachable', async () => {
    const { id } = await modelAt(admin, 'custom', 'chat', { url: 'https://nothing.invalid/v1', key: undefined })
    expect(await runTest(id)).toMatchObject({ ok: false, error_code: 'unreachable' })
  })

  test('a wrong key is reported as unauthorized for each provider', async () => {
    for (const provider of providerNames.filter((name) => name !== 'ollama')) {
      t.advance(60_000)
      expect(await testModel(provider, 'chat', { key: newKey(provider) })).toMatchObject({
        ...{ ok: false, error_code: 'unauthorized', key_source: 'model' },
      })
    }
  })
})

describe('slow and endless responses', () => {
  test.each(chats)('aborting a call to %s closes its connection', async (provider) => {
    for (const kind of ['hang', 'stall', 'drip'] as const) {
      servers[provider].reset()
      servers[provider].failNext({ kind })
      const call = generateText({ ...(await language(provider, 'chat')), abortSignal: AbortSignal.timeout(200) })
      expect(await problemOf(call)).toMatchObject({ code: 'timeout' })
      await vi.waitFor(() => expect(servers[provider].abortedCalls()).toBe(1))
    }
  })

  test.each(chats)('an endless response from %s is cut at the size limit', async (provider) => {
    servers[provider].failNext({ kind: 'endless' })
    const deps = { ...t.deps, aiFetch: providerFetch(dispatcher, { maxJsonBytes: 2_000_000 }) }
    expect(await problemOf(generateText(await language(provider, 'chat', { deps })))).toMatchObject({ code: 'garbage' })
    await vi.waitFor(() => expect(servers[provider].abortedCalls()).toBe(1))
  })

  test('responses are read up to 64 MB, and texts that are not streamed up to 8 MB', async () => {
    for (const kind of ['chat', 'image'] as const) {
      servers.openai.reset()
      servers.openai.failNext({ kind: 'endless' })
      expect(await testModel('openai', kind)).toMatchObject({ ok: false, error_code: 'garbage' })
    }
    servers.openai.reset()
    servers.openai.script.parts = ['x'.repeat(9_000_000)]
    expect(await testModel('openai', 'chat')).toMatchObject({ ok: false, error_code: 'garbage' })
    servers.openai.script.parts = ['x'.repeat(1_000_000)]
    expect(await testModel('openai', 'chat')).toMatchObject({ ok: true })
  })

  test.each(chats)(
    'a stream from %s that breaks, stalls or never ends is reported with its error code',
    async (provider) => {
      const errorOf = async (failure: Failure, deps = t.deps) => {
        const call = new AbortController()
        servers[provider].reset()
        servers[provider].failNext(failure)
        const errors: unknown[] = []
        const { stream } = streamText({
          ...(await language(provider, 'chat', { deps })),
          abortSignal: call.signal,
          onError: ({ error }) => void errors.push(error),
        })
        const parts: string[] = []
        let aborted = false
        try {
          for await (const part of stream) {
            if (part.type === 'text-delta') {
              parts.push(part.text)
              // Nothing else would end a stream that stalls.
              if (failure.kind === 'pause') call.abort()
            }
            if (part.type === 'abort') aborted = true
          }
        } catch (error) {
          errors.push(error)
        }
        return { parts, aborted, code: errors[0] && providerProblem(errors[0], new Date()).code }
      }
      expect(await errorOf({ kind: 'cut' })).toEqual({ parts: ['Hello'], aborted: false, code: 'unreachable' })
      expect(await errorOf({ kind: 'pause' })).toMatchObject({ parts: ['Hello'], aborted: true })
      await vi.waitFor(() => expect(servers[provider].abortedCalls()).toBe(1))
      const narrow = { ...t.deps, aiFetch: providerFetch(dispatcher, { maxJsonBytes: 2_000_000 }) }
      expect(await errorOf({ kind: 'endless' }, narrow)).toMatchObject({ code: 'garbage' })
    },
  )

  test('a call ends after the maximum time, even without a limit of the caller', async () => {
    servers.openai.failNext({ kind: 'drip' })
    const deps = { ...t.deps, aiFetch: providerFetch(dispatcher, { maxMs: 300 }) }
    expect(await problemOf(generateText(await language('openai', 'chat', { deps })))).toMatchObject({ code: 'timeout' })
  })

  test('a test of a model ends after 15 seconds and delays no other', { timeout: TEST_MS + 10_000 }, async () => {
    servers.openai.failNext({ kind: 'hang' })
    servers.mistral.failNext({ kind: 'drip' })
    const slow = Promise.all([testModel('openai', 'chat'), testModel('mistral', 'chat')])
    await Promise.all([servers.openai.called(1), servers.mistral.called(1)])
    const quick = await testModel('anthropic', 'chat')
    expect(quick).toMatchObject({ ok: true })
    expect(quick.latency_ms).toBeLessThan(5000)
    for (const answer of await slow) {
      expect(answer).toMatchObject({ ok: false, error_code: 'timeout' })
      expect(answer.latency_ms).toBeGreaterThan(TEST_MS - 100)
    }
  })

  test('a client that disconnects during a test aborts the call to the provider', async () => {
    servers.openai.failNext({ kind: 'hang' })
    const { id } = await modelAt(admin, 'openai', 'chat', servers.openai)
    const { headers } = await t.anyone.post('/api/auth/sign-in/email', { email: admin.email, password: PASSWORD })
    const gone = new AbortController()
    const call = fetch(`${t.url}/api/v1/options/test/ai-model/${id}`, {
      method: 'POST',
      headers: { cookie: sessionCookie(headers) },
      signal: gone.signal,
    })
    await servers.openai.called(1)
    gone.abort()
    await expect(call).rejects.toThrow()
    await vi.waitFor(() => expect(servers.openai.abortedCalls()).toBe(1))
  })
})

describe('the address check', () => {
  test('an address that is not allowed is not called, for any provider', async () => {
    const closed = guardedAgent({ allow: [], allowHttp: false })
    const deps = { ...t.deps, aiFetch: providerFetch(closed) }
    for (const provider of providerNames) {
      expect(await problemOf(generateText(await language(provider, 'chat', { deps })))).toMatchObject({
        code: 'refused_url',
      })
      expect(servers[provider].calls).toEqual([])
    }
    await closed.destroy()
  })
})

test('keys and addresses in environment variables of the packages are ignored', async () => {
  const stray = await providerServer('openai', 'stray-key-of-the-environment')
  vi.stubEnv('OPENAI_API_KEY', stray.key ?? '')
  vi.stubEnv('OPENAI_BASE_URL', stray.url)
  vi.stubEnv('MISTRAL_API_KEY', stray.key ?? '')
  try {
    expect(await testModel('custom', 'chat', { key: null })).toMatchObject({ ok: false, key_source: 'none' })
    expect(credentialsIn(servers.custom.calls[0]?.headers ?? {})).toEqual({})
    expect(await testModel('ollama', 'chat')).toMatchObject({ ok: true, key_source: 'none' })
    expect(credentialsIn(servers.ollama.calls[0]?.headers ?? {})).toEqual({})
    expect(await testModel('openai', 'chat')).toMatchObject({ ok: true })
    expect(stray.calls).toEqual([])
  } finally {
    vi.unstubAllEnvs()
    stray.close()
  }
})
