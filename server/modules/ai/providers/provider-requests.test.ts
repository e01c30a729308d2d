import {
  embed,
  generateImage,
  generateText,
  experimental_startVideo as startVideo,
  experimental_getVideoStatus as statusOf,
  streamText,
} from 'ai'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { signedIn } from '../../../../test/factories.ts'
import { chats, kinds, providerCalls } from '../../../../test/provider-calls.ts'
import { type ProviderName, providerNames, providerServer } from '../../../../test/stand-ins/ai.ts'
import type { AiServer } from '../../../../test/stand-ins/ai-server.ts'

const servers = {} as Record<ProviderName, AiServer>
const t = await testApp()
const admin = await signedIn(t, { instanceAdmin: true })
for (const provider of providerNames) servers[provider] = await providerServer(provider)
beforeEach(() => {
  // The tests make more calls than the limit per minute.
  t.advance(60_000)
  for (const server of Object.values(servers)) server.reset()
})
afterAll(async () => {
  for (const server of Object.values(servers)) server.close()
  await t.close()
})

const { language, ready, testModel } = providerCalls(servers, () => ({ t, admin }))

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
      const { latency_ms, ...response } = await testModel(provider, kind)
      const isText = kind === 'chat' || kind === 'completion'
      expect(response).toEqual({
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

  test.each(chats)('%s streams each part before the provider sends the next', async (provider) => {
    const sendNext = servers[provider].holdParts()
    const { textStream } = streamText(await language(provider, 'chat'))
    const texts: string[] = []
    for await (const text of textStream) {
      texts.push(text)
      sendNext()
    }
    expect(texts).toEqual(servers[provider].script.parts)
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
