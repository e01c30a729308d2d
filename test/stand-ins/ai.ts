import { randomBytes } from 'node:crypto'
import { expectStatus, type Person } from '../factories.ts'
import { anthropic } from './ai-anthropic.ts'
import { google } from './ai-google.ts'
import { mistral, ollama, openai } from './ai-openai.ts'
import { type AiServer, aiServer } from './ai-server.ts'
import { xai } from './ai-xai.ts'

export const providerNames = ['openai', 'anthropic', 'google', 'xai', 'mistral', 'ollama', 'custom'] as const
export type ProviderName = (typeof providerNames)[number]

const protocols = {
  openai: () => openai,
  anthropic: () => anthropic,
  google,
  xai,
  mistral: () => mistral,
  ollama: () => ollama,
  custom: () => openai,
}

/** A key in this provider's format, valid nowhere. */
export const newKey = (provider: ProviderName) =>
  `${provider}-test-${randomBytes(18).toString('base64url').replaceAll('-', 'x')}`

/** A server with this provider's protocol. It accepts one key; Ollama needs none. */
export const providerServer = (provider: ProviderName, key = provider === 'ollama' ? undefined : newKey(provider)) =>
  aiServer(protocols[provider](), key)

/** Model names in each provider's format. */
export const modelKeys: Record<
  ProviderName,
  Partial<Record<'chat' | 'completion' | 'embedding' | 'image' | 'video', string>>
> = {
  openai: {
    chat: 'gpt-4o-mini',
    completion: 'gpt-3.5-turbo-instruct',
    embedding: 'text-embedding-3-small',
    image: 'gpt-image-1',
  },
  anthropic: { chat: 'claude-haiku-4-5' },
  google: {
    chat: 'gemini-2.5-flash',
    embedding: 'gemini-embedding-001',
    image: 'gemini-2.5-flash-image',
    video: 'veo-3.1-generate-preview',
  },
  xai: { chat: 'grok-4-fast', image: 'grok-imagine-image', video: 'grok-imagine-video' },
  mistral: { chat: 'mistral-small-latest', embedding: 'mistral-embed' },
  ollama: { chat: 'llama3.2', completion: 'llama3.2', embedding: 'nomic-embed-text' },
  custom: { chat: 'my-model', completion: 'my-model', embedding: 'my-embedding', image: 'my-painter' },
}

export type Kind = keyof (typeof modelKeys)[ProviderName]

/** Creates a model of this kind at `server`, with that server's key unless `key` is set. */
export async function modelAt(
  admin: Pick<Person, 'post' | 'put'>,
  provider: ProviderName,
  kind: Kind,
  server: Pick<AiServer, 'url' | 'key'>,
  {
    key = server.key,
    api_params = {},
    ...more
  }: { key?: string | null | undefined; api_params?: object } & Record<string, unknown> = {},
) {
  const isText = kind !== 'image' && kind !== 'video'
  const { body } = expectStatus(
    await admin.post('/api/v1/ai-models', {
      provider: provider,
      model_key: modelKeys[provider][kind] ?? 'a-model',
      name: `${provider} ${kind}`,
      category: isText ? 'text' : kind,
      ...(isText && { api_type: kind }),
      api_params: { base_url: server.url, ...api_params },
      ...more,
    }),
    201,
  )
  if (key) expectStatus(await admin.put(`/api/v1/ai-models/${body.id}/api-key`, { api_key: key }), 204)
  return body as { id: number; id_secure: string; name: string }
}
