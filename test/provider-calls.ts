import { readCallableModel } from '../server/modules/ai/models/models.ts'
import { modelFor } from '../server/modules/ai/providers/providers.ts'
import type { TestApp } from './app.ts'
import { expectStatus, type Person } from './factories.ts'
import { type Kind, modelAt, modelKeys, type ProviderName, providerNames } from './stand-ins/ai.ts'
import type { AiServer } from './stand-ins/ai-server.ts'

export const kinds = providerNames.flatMap((provider) =>
  (Object.keys(modelKeys[provider]) as Kind[]).map((kind): [ProviderName, Kind] => [provider, kind]),
)
export const chats = providerNames.map((provider): [ProviderName] => [provider])

type More = Parameters<typeof modelAt>[4]

/** Calls that tests of providers share. `servers`: a server of each provider. `now`: the test app, and an instance admin. */
export function providerCalls(servers: Record<ProviderName, AiServer>, now: () => { t: TestApp; admin: Person }) {
  /** Calls the endpoint. */
  const runTest = async (id: number, body: object = {}) =>
    expectStatus(await now().admin.post(`/api/v1/options/test/ai-model/${id}`, body), 200).body
  const testModel = async (provider: ProviderName, kind: Kind, more: More = {}) => {
    const { id } = await modelAt(now().admin, provider, kind, servers[provider], more)
    return runTest(id, { prompt: 'Say hello.' })
  }
  /** Returns the model as generations get it. */
  async function ready(
    provider: ProviderName,
    kind: Kind,
    { deps = now().t.deps, ...more }: More & { deps?: Parameters<typeof modelFor>[0] } = {},
  ) {
    const { id } = await modelAt(now().admin, provider, kind, servers[provider], more)
    return modelFor(deps, await readCallableModel(now().t.deps.db, String(id)))
  }
  const language = async (...args: Parameters<typeof ready>) => {
    const { language, settings } = await ready(...args)
    if (!language) throw new Error('no language model')
    return { ...settings, model: language, prompt: 'Say hello.' }
  }
  return { runTest, testModel, ready, language }
}
