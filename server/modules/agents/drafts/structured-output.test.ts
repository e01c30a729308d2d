import { afterAll, beforeEach, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { signedIn, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { modelAt, type ProviderName, providerServer } from '../../../../test/stand-ins/ai.ts'
import { agentOf, draftText, lastRun, runAtNextTime } from '../runs/runs.fixture.ts'
import { providerSchema } from './draft.ts'

const t = await testApp({}, { origin: new Date() })
const admin = await signedIn(t, { instanceAdmin: true })
afterAll(() => t.close())

let owner: WorkspaceOwner
beforeEach(async () => {
  await t.deps.db.updateTable('agent').set({ is_active: false }).execute()
  owner = await withWorkspace(t)
})

/** An agent with a model of this provider. The server replies in this order, and then with the last reply. */
async function agentAt(provider: ProviderName, api_params: object, replies: string[]) {
  const server = await providerServer(provider)
  const model = await modelAt(admin, provider, 'chat', server, { api_params })
  server.script.reply = () => (replies.length > 1 ? replies.shift() : replies[0]) ?? ''
  return { server, agent: await agentOf(t, owner, { posts_per_run: 1, text_model_id: model.id }) }
}

test.each(['ollama', 'custom'] as const)('a model of %s gets the schema of a draft', async (provider) => {
  const { server, agent } = await agentAt(provider, {}, [draftText()])
  try {
    expect(await runAtNextTime(t, agent)).toMatchObject({ status: 'completed', made: 1 })
    expect(server.calls[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: { required: providerSchema.required, additionalProperties: false } },
    })
  } finally {
    server.close()
  }
})

test.each(['ollama', 'custom'] as const)(
  'a model of %s that takes no schema is asked for JSON, which is checked, and asked again',
  async (provider) => {
    const { server, agent } = await agentAt(provider, { structured_outputs: false }, [
      'Here it is: {"topic": "Bread"}',
      `Sure!\n\`\`\`json\n${draftText()}\n\`\`\``,
    ])
    try {
      expect(await runAtNextTime(t, agent)).toMatchObject({ status: 'completed', made: 1, credits: 2 })
      expect(server.calls).toHaveLength(2)
      for (const { body } of server.calls) expect(body.response_format).toEqual({ type: 'json_object' })
      const asked = JSON.stringify(server.calls[1]?.body)
      expect(asked).toContain('Your previous text was refused')
    } finally {
      server.close()
    }
  },
)

test('a model whose server refuses the schema is asked for JSON in the same call', async () => {
  const { server, agent } = await agentAt('custom', {}, [draftText()])
  try {
    const message = "'response_format.type' must be 'text' or 'json_object'"
    server.failNext({ kind: 'status', status: 400, body: { error: { message } } })
    expect(await runAtNextTime(t, agent)).toMatchObject({ status: 'completed', made: 1, credits: 1 })
    expect(server.calls.map(({ body }) => body.response_format.type)).toEqual(['json_schema', 'json_object'])
  } finally {
    server.close()
  }
})

test('a model that never writes what can be read is not asked for ever', async () => {
  const { server, agent } = await agentAt('custom', { structured_outputs: false }, ['No JSON today.'])
  try {
    await runAtNextTime(t, agent)
    expect(await lastRun(t, agent)).toMatchObject({ status: 'failed', reason: 'checks_failed', made: 0 })
    expect(server.calls.length).toBeLessThanOrEqual(3)
  } finally {
    server.close()
  }
})
