import { agentOf } from '../../server/modules/agents/runs/runs.fixture.ts'
import { newAgent, readyAgent } from '../agents.ts'
import { expectStatus } from '../factories.ts'
import type { Fixture } from './fixture.ts'
import type { Make } from './resources.ts'

const agent: Make = async ({ owner }) => ({ id: (await readyAgent(owner)).id })

async function run({ t, owner }: Fixture) {
  const id = await agentOf(t, owner)
  const { body } = expectStatus(await owner.post(`/api/v1/agents/${id}/run`), 201)
  return { id, within: body.id as string }
}

async function source(fixture: Fixture) {
  const { id } = await readyAgent(fixture.owner)
  const input = { kind: 'text', label: 'Menu', text: 'Lentil soup' }
  const { body } = expectStatus(await fixture.owner.post(`/api/v1/agents/${id}/sources`, input), 201)
  return { id, within: body.id as string }
}

async function rule(fixture: Fixture) {
  const { id } = await readyAgent(fixture.owner)
  const input = { text: 'No exclamation marks.' }
  const { body } = expectStatus(await fixture.owner.post(`/api/v1/agents/${id}/rules`, input), 201)
  return { id, within: body.id as string }
}

export const agentResources: Record<string, Make> = { agents: agent }

export const agentSamples: Record<string, Make> = {
  'POST /agents': () => ({ body: newAgent }),
  'GET /agents/sources/find': () => ({ query: '?url=http://127.0.0.1:1/' }),
  'POST /agents/preview': () => ({ body: { ...newAgent, name: 'Soup of the day' } }),
  'POST /agents/estimate': () => ({ body: { schedule_cron: '0 9 * * *', generate_image: true } }),
  'PATCH /agents/:id': async (fixture) => ({ ...(await agent(fixture)), body: { name: 'Soup of the day' } }),
  'POST /agents/:id/sources': async (fixture) => ({
    ...(await agent(fixture)),
    body: { kind: 'text', label: 'Menu', text: 'Lentil soup' },
  }),
  'GET /agents/:id/sources': source,
  'PATCH /agents/:id/sources/:source_id': async (fixture) => ({ ...(await source(fixture)), body: { label: 'Menus' } }),
  'DELETE /agents/:id/sources/:source_id': source,
  'POST /agents/:id/rules': async (fixture) => ({ ...(await agent(fixture)), body: { text: 'No exclamation marks.' } }),
  'GET /agents/:id/rules': rule,
  'PATCH /agents/:id/rules/:rule_id': async (fixture) => ({ ...(await rule(fixture)), body: { is_enabled: false } }),
  'DELETE /agents/:id/rules/:rule_id': rule,
  'GET /agents/:id/runs': run,
  'GET /agents/:id/runs/:run_id': run,
}
