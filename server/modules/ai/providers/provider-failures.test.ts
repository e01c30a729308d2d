import { generateText, streamText } from 'ai'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { PASSWORD, sessionCookie, signedIn } from '../../../../test/factories.ts'
import { headersRead, piecesRead } from '../../../../test/outbound.ts'
import { chats, kinds, providerCalls } from '../../../../test/provider-calls.ts'
import { modelAt, newKey, type ProviderName, providerNames, providerServer } from '../../../../test/stand-ins/ai.ts'
import type { AiServer, Failure } from '../../../../test/stand-ins/ai-server.ts'
import { holdTimers, stopPerformanceClock } from '../../../../test/timers.ts'
import { until } from '../../../../test/until.ts'
import { guardedAgent } from '../../../lib/outbound/safe-http.ts'
import { providerFetch } from './provider-fetch.ts'
import { providerProblem } from './provider-problem.ts'

/** Time limit of a model test. */
const TEST_MS = 15_000

const servers = {} as Record<ProviderName, AiServer>
// Responses have the real date.
const t = await testApp({}, { origin: new Date() })
const admin = await signedIn(t, { instanceAdmin: true })
for (const provider of providerNames) servers[provider] = await providerServer(provider)
const dispatcher = guardedAgent({ allow: t.deps.config.AI_ALLOW_CIDRS, allowHttp: false })
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

const { language, runTest, testModel } = providerCalls(servers, () => ({ t, admin }))

const problemOf = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => providerProblem(error, new Date()),
  )

describe('failures at the provider are reported by kind, after one call', () => {
  const inNineDays = new Date(t.clock.now().getTime() + 9 * 86_400_000)
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
      { kind: 'status', status: 503, headers: { 'retry-after': inNineDays.toUTCString() } },
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
          const response = await testModel(provider, kind)
          expect(response).toMatchObject({ ok: false, text: null, usage: null, ...wanted })
          expect(response.detail).toMatch(/^[A-Z].*[.)]$/)
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
      const late = new AbortController()
      const model = await language(provider, 'chat')
      const call = problemOf(generateText({ ...model, abortSignal: late.signal }))
      // Nothing is read of a call that hangs.
      await (kind === 'hang' ? servers[provider].called(1) : headersRead(servers[provider].url))
      late.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
      expect(await call).toMatchObject({ code: 'timeout' })
      await until(() => expect(servers[provider].abortedCalls()).toBe(1))
    }
  })

  test.each(chats)('an endless response from %s is cut at the size limit', async (provider) => {
    servers[provider].failNext({ kind: 'endless' })
    const deps = { ...t.deps, aiFetch: providerFetch(dispatcher, { maxJsonBytes: 2_000_000 }) }
    expect(await problemOf(generateText(await language(provider, 'chat', { deps })))).toMatchObject({ code: 'garbage' })
    await until(() => expect(servers[provider].abortedCalls()).toBe(1))
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
      await until(() => expect(servers[provider].abortedCalls()).toBe(1))
      const narrow = { ...t.deps, aiFetch: providerFetch(dispatcher, { maxJsonBytes: 2_000_000 }) }
      expect(await errorOf({ kind: 'endless' }, narrow)).toMatchObject({ code: 'garbage' })
    },
  )

  test('a call ends after the maximum time, even without a limit of the caller', async () => {
    const limit = holdTimers(300)
    servers.openai.failNext({ kind: 'drip' })
    const deps = { ...t.deps, aiFetch: providerFetch(dispatcher, { maxMs: 300 }) }
    const call = problemOf(generateText(await language('openai', 'chat', { deps })))
    await piecesRead(servers.openai.url)
    limit.expire()
    expect(await call).toMatchObject({ code: 'timeout' })
  })

  test('a test of a model ends after 15 seconds and delays no other', async () => {
    const advance = stopPerformanceClock()
    const limits = holdTimers(TEST_MS)
    servers.openai.failNext({ kind: 'hang' })
    servers.mistral.failNext({ kind: 'drip' })
    const slow = Promise.all([testModel('openai', 'chat'), testModel('mistral', 'chat')])
    await Promise.all([servers.openai.called(1), servers.mistral.called(1)])
    expect(await testModel('anthropic', 'chat')).toMatchObject({ ok: true, latency_ms: 0 })
    advance(TEST_MS)
    limits.expire()
    for (const response of await slow)
      expect(response).toMatchObject({ ok: false, error_code: 'timeout', latency_ms: TEST_MS })
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
    await until(() => expect(servers.openai.abortedCalls()).toBe(1))
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
