import { agentOf } from '../../server/modules/agents/runs/runs.fixture.ts'
import { enabledAgent, readyAgent } from '../agents.ts'
import { expectStatus } from '../factories.ts'
import { modelAt } from '../stand-ins/ai.ts'
import { asOwner, type Recipe, type RecipeContext } from './recipe-context.ts'

const editorOf = (context: RecipeContext) => {
  const { client, headers } = asOwner(context)
  return client.with({ 'x-workspace-id': headers['x-workspace-id'] })
}
export const headersOf = (context: RecipeContext, credentials: 'session' | 'token') =>
  credentials === 'session' ? asOwner(context).headers : context.callers.current().callers.allScopes.headers

/** A workspace can have a few agents only, so the former ones are deleted. */
export async function makeRoom(context: RecipeContext) {
  const editor = editorOf(context)
  const { data } = expectStatus(await editor.get('/api/v1/agents?limit=100'), 200).body
  for (const { id } of data) await editor.delete(`/api/v1/agents/${id}`)
  return editor
}

const creating =
  (credentials: 'session' | 'token'): Recipe =>
  async (context) => {
    await makeRoom(context)
    return { headers: headersOf(context, credentials), body: { name: 'Dish of the day' } }
  }

const onAgent =
  (credentials: 'session' | 'token', body?: object, make = readyAgent): Recipe =>
  async (context) => {
    const { id } = await make(await makeRoom(context))
    return { headers: headersOf(context, credentials), path: { id }, ...(body && { body }) }
  }

const enabling =
  (credentials: 'session' | 'token'): Recipe =>
  async (context) => {
    await modelAt(context.admin, 'openai', 'chat', context.providers.text)
    return onAgent(credentials)(context)
  }

const onEnabled =
  (credentials: 'session' | 'token'): Recipe =>
  async (context) => {
    await modelAt(context.admin, 'openai', 'chat', context.providers.text)
    return onAgent(credentials, undefined, enabledAgent)(context)
  }

async function runnable(context: RecipeContext, more: { text_model_id?: number } = {}) {
  const editor = await makeRoom(context)
  const { owner } = context.callers.current()
  return { editor, id: await agentOf(context.t, { ...owner, ...editor }, more) }
}

/** With a model of its own: the first one of the instance can be any that was made at random. */
const onPreviewable =
  (credentials: 'session' | 'token'): Recipe =>
  async (context) => {
    const model = await modelAt(context.admin, 'custom', 'chat', context.providers.text)
    const { id } = await runnable(context, { text_model_id: Number(model.id) })
    return { headers: headersOf(context, credentials), path: { id } }
  }

const onPreviewed =
  (credentials: 'session' | 'token'): Recipe =>
  async (context) => {
    const model = await modelAt(context.admin, 'custom', 'chat', context.providers.text)
    const { id } = await runnable(context)
    const body = { agent_id: id, model_id: model.id_secure, system_prompt: 'Write about one dish.' }
    return { headers: headersOf(context, credentials), body }
  }

const onRunnable =
  (credentials: 'session' | 'token'): Recipe =>
  async (context) => ({ headers: headersOf(context, credentials), path: { id: (await runnable(context)).id } })

const onRun =
  (credentials: 'session' | 'token'): Recipe =>
  async (context) => {
    const { editor, id } = await runnable(context)
    const { body } = expectStatus(await editor.post(`/api/v1/agents/${id}/run`), 201)
    return { headers: headersOf(context, credentials), path: { id, run_id: body.id } }
  }

const newSource = { kind: 'text', label: 'Menu', text: 'Lentil soup' }

const onSource =
  (credentials: 'session' | 'token', body?: object): Recipe =>
  async (context) => {
    const editor = await makeRoom(context)
    const { id } = await readyAgent(editor)
    const made = expectStatus(await editor.post(`/api/v1/agents/${id}/sources`, newSource), 201)
    return { headers: headersOf(context, credentials), path: { id, source_id: made.body.id }, ...(body && { body }) }
  }

const newRule = { text: 'No exclamation marks.' }

const onRule =
  (credentials: 'session' | 'token', body?: object): Recipe =>
  async (context) => {
    const editor = await makeRoom(context)
    const { id } = await readyAgent(editor)
    const made = expectStatus(await editor.post(`/api/v1/agents/${id}/rules`, newRule), 201)
    return { headers: headersOf(context, credentials), path: { id, rule_id: made.body.id }, ...(body && { body }) }
  }

export const agentRecipes: Record<string, Recipe> = {
  createAgent: creating('session'),
  publicCreateAgent: creating('token'),
  readAgent: onAgent('session'),
  publicReadAgent: onAgent('token'),
  changeAgent: onAgent('session', { name: 'Changed' }),
  publicChangeAgent: onAgent('token', { name: 'Changed' }),
  deleteAgent: onAgent('session'),
  publicDeleteAgent: onAgent('token'),
  enableAgent: enabling('session'),
  publicEnableAgent: enabling('token'),
  disableAgent: onEnabled('session'),
  publicDisableAgent: onEnabled('token'),
  listAgentSources: onAgent('session'),
  publicListAgentSources: onAgent('token'),
  createAgentSource: onAgent('session', newSource),
  publicCreateAgentSource: onAgent('token', newSource),
  changeAgentSource: onSource('session', { label: 'Menus' }),
  publicChangeAgentSource: onSource('token', { label: 'Menus' }),
  deleteAgentSource: onSource('session'),
  publicDeleteAgentSource: onSource('token'),
  listAgentRules: onAgent('session'),
  publicListAgentRules: onAgent('token'),
  createAgentRule: onAgent('session', newRule),
  publicCreateAgentRule: onAgent('token', newRule),
  changeAgentRule: onRule('session', { is_enabled: false }),
  publicChangeAgentRule: onRule('token', { is_enabled: false }),
  deleteAgentRule: onRule('session'),
  publicDeleteAgentRule: onRule('token'),
  runAgent: onRunnable('session'),
  publicRunAgent: onRunnable('token'),
  previewAgent: onPreviewable('session'),
  publicPreviewAgent: onPreviewable('token'),
  previewUnsavedAgent: onPreviewed('session'),
  publicPreviewUnsavedAgent: onPreviewed('token'),
  listAgentRuns: onRun('session'),
  publicListAgentRuns: onRun('token'),
  getAgentRun: onRun('session'),
  publicGetAgentRun: onRun('token'),
}
