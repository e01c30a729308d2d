import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { enabledAgent, newAgent, readyAgent } from '../../../test/agents.ts'
import { testApp } from '../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { actionsOf } from '../../../test/people.ts'
import { expectProblem } from '../../../test/problem.ts'
import { modelAt, providerServer } from '../../../test/stand-ins/ai.ts'
import { agentOf } from './runs/runs.fixture.ts'

const path = '/api/v1/agents'

let owner: WorkspaceOwner
const t = await testApp()
const admin = await signedIn(t, { instanceAdmin: true })
const openai = await providerServer('openai')
await modelAt(admin, 'openai', 'chat', openai)
beforeEach(async () => {
  owner = await withWorkspace(t)
})
afterAll(() => openai.close())

/** Notes decisions of members on posts of the agent, the oldest first. */
async function decided(agent_id: string, ...statuses: ('approved' | 'rejected')[]) {
  const { db } = t.deps
  const { id: run_id } = await db
    .insertInto('agent_run')
    .values({
      ...{ workspace_id: owner.workspace_id, agent_id, trigger: 'manual', slot: `m:${Math.random()}` },
      ...{ status: 'completed', wanted: statuses.length, day: '2026-03-01' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [position, status] of statuses.entries())
    await db
      .insertInto('agent_item')
      .values({ run_id, position, status, updated_at: new Date(Date.now() + position) })
      .execute()
}

describe('POST /agents', () => {
  test('201 with an inactive agent that members read and others do not', async () => {
    const account = await playgroundAccount(owner)
    const { body } = expectStatus(await owner.post(path, { ...newAgent, account_ids: [account] }), 201)
    expect(body).toMatchObject({
      ...newAgent,
      ...{ account_ids: [account], is_active: false, next_run_at: null, last_run: null, disabled_reason: null },
      ...{ autonomy_level: 'approve', auto_available: false, category: 'other', model_id: null },
      acts_for: { id: owner.id, name: 'Ada' },
    })
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const response = expectStatus(await viewer.get(`${path}/${body.id}`), 200)
    expect(response.body).toEqual(body)
    expect(response.headers.get('etag')).toBe('"1"')
    expect(expectStatus(await viewer.get(path), 200).body.data).toEqual([body])
    expectProblem(await (await withWorkspace(t)).get(`${path}/${body.id}`), 404, 'not_found')
    expect(await actionsOf(t, owner.id)).toContain('agent.created')
  })

  test('an agent with a name alone has the time zone of the workspace and runs by hand', async () => {
    const { body } = expectStatus(await owner.post(path, { name: 'By hand' }), 201)
    const { body: workspace } = expectStatus(await owner.get('/api/v1/workspace'), 200)
    expect(body).toMatchObject({ schedule_cron: null, timezone: workspace.timezone, account_ids: [] })
  })

  test.each([
    ['/name', { name: '' }],
    ['/system_prompt', { system_prompt: 'x'.repeat(8001) }],
    ['/schedule_cron', { schedule_cron: '* * * * *' }],
    ['/schedule_cron', { schedule_cron: 'every day' }],
    ['/timezone', { timezone: 'Mars/Olympus' }],
    ['/posts_per_run', { posts_per_run: 11 }],
    ['/daily_limit', { daily_limit: 0 }],
    ['/autonomy_level', { autonomy_level: 'free' }],
    ['/account_ids/0', { account_ids: ['01993a4c-2f10-7000-9000-000000000000'] }],
    ['/model_id', { model_id: '01993a4c-2f10-7000-9000-000000000000' }],
    ['/link_domains/0', { link_domains: ['https://cafe.example'] }],
    ['/quiet_until', { quiet_from: '22:00' }],
    ['/owner', { owner: 'me' }],
  ])('400 with %s when it is out of bounds, unknown, or of another workspace: %j', async (pointer, wrong) => {
    const { errors } = expectProblem(await owner.post(path, { ...newAgent, ...wrong }), 400, 'validation_failed')
    expect(errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
  })

  test('spellings of one tag are one tag', async () => {
    const tags = ['çay', 'c\u0327ay', 'ÇAY', 'İndirim', 'indirim']
    const { body } = expectStatus(await owner.post('/api/v1/agents', { ...newAgent, tags }), 201)
    expect(body.tags).toEqual(['çay', 'İndirim'])
    const changed = await owner.patch(`/api/v1/agents/${body.id}`, { tags: ['Simit', 'simit'] })
    expect(expectStatus(changed, 200).body.tags).toEqual(['Simit'])
  })

  test('an account of another workspace is unknown', async () => {
    const account = await playgroundAccount(await withWorkspace(t))
    const response = await owner.post(path, { ...newAgent, account_ids: [account] })
    expect(expectProblem(response, 400, 'validation_failed').errors[0].pointer).toBe('/account_ids/0')
  })

  test('a workspace has at most 100 agents, also when calls are concurrent', async () => {
    for (let n = 0; n < 97; n++) await agentOf(t, owner, {}, [])
    const responses = await Promise.all(Array.from({ length: 6 }, (_, n) => owner.post(path, { name: `Agent ${n}` })))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3)
    for (const response of responses.filter(({ status }) => status !== 201))
      expect(expectProblem(response, 403, 'limit_exceeded')).toMatchObject({ meter: 'agents', limit: 100 })
  })

  test('403 for authors, for tokens with agents:read, and without the feature ai.agents', async () => {
    expectProblem(await (await memberOf(t, owner.workspace_id, 'author')).post(path, newAgent), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['agents:read'])
    expectProblem(await reader.post('/api/v1/public/agents', newAgent), 403, 'insufficient_scope')
    const without = await testApp({}, { plan: [] })
    try {
      expectProblem(await (await withWorkspace(without)).post(path, newAgent), 403, 'feature_not_available')
    } finally {
      await without.close()
    }
  })
})

describe('PATCH /agents/:id', () => {
  test('changes what it names, and the agent acts for who changed it', async () => {
    const agent = await readyAgent(owner)
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const { body } = expectStatus(await editor.patch(`${path}/${agent.id}`, { voice: 'Short', tags: ['soup'] }), 200)
    expect(body).toEqual({
      ...agent,
      ...{ voice: 'Short', tags: ['soup'], acts_for: { id: editor.id, name: 'Ada' }, updated_at: body.updated_at },
    })
  })

  test('412 when the version is another one', async () => {
    const { id } = await readyAgent(owner)
    const stale = await owner.call('PATCH', `${path}/${id}`, { body: { voice: 'x' }, headers: { 'if-match': '"9"' } })
    expectProblem(stale, 412, 'version_conflict')
  })

  test('another schedule moves the next run of an active agent', async () => {
    const agent = await enabledAgent(owner, { timezone: 'UTC' })
    const { body } = expectStatus(await owner.patch(`${path}/${agent.id}`, { schedule_cron: '15 4 * * *' }), 200)
    expect(body.next_run_at).toMatch(/T04:15:00/)
    expect(
      expectStatus(await owner.patch(`${path}/${agent.id}`, { schedule_cron: null }), 200).body.next_run_at,
    ).toBeNull()
  })

  test('auto is refused until ten posts in a row were approved', async () => {
    const { id } = await readyAgent(owner)
    const wanted = { autonomy_level: 'auto' }
    expectProblem(await owner.patch(`${path}/${id}`, wanted), 409, 'agent_not_trusted')
    expectProblem(await owner.post(path, { ...newAgent, ...wanted }), 409, 'agent_not_trusted')
    await decided(id, ...Array.from({ length: 9 }, () => 'approved' as const))
    expectProblem(await owner.patch(`${path}/${id}`, wanted), 409, 'agent_not_trusted')
    await decided(id, 'approved')
    expect(expectStatus(await owner.get(`${path}/${id}`), 200).body.auto_available).toBe(true)
    expect(expectStatus(await owner.patch(`${path}/${id}`, wanted), 200).body.autonomy_level).toBe('auto')
  })

  test('a rejection among the last ten keeps auto away, unless the option allows it from the start', async () => {
    const { id } = await readyAgent(owner)
    await decided(id, ...Array.from({ length: 9 }, () => 'approved' as const), 'rejected')
    expectProblem(await owner.patch(`${path}/${id}`, { autonomy_level: 'auto' }), 409, 'agent_not_trusted')
    const option = '/api/v1/options/ai.agents_auto_from_start'
    expectStatus(await admin.put(option, { value: true }), 200)
    try {
      expectStatus(await owner.patch(`${path}/${id}`, { autonomy_level: 'auto' }), 200)
    } finally {
      expectStatus(await admin.delete(option), 204)
    }
  })
})

describe('enabling and disabling', () => {
  test('an enabled agent has its next run by its schedule, and a disabled one has none', async () => {
    const { id } = await readyAgent(owner, { schedule_cron: '0 9 * * *', timezone: 'Europe/Istanbul' })
    const enabled = expectStatus(await owner.post(`${path}/${id}/enable`), 200).body
    expect(enabled).toMatchObject({ is_active: true })
    expect(enabled.next_run_at).toMatch(/T06:00:00/)
    expect(expectStatus(await owner.post(`${path}/${id}/enable`), 200).body).toEqual(enabled)
    const disabled = expectStatus(await owner.post(`${path}/${id}/disable`), 200).body
    expect(disabled).toMatchObject({ is_active: false, next_run_at: null, disabled_reason: null })
    expect(await actionsOf(t, owner.id)).toEqual(expect.arrayContaining(['agent.enabled', 'agent.disabled']))
  })

  test('409 names everything that an agent lacks', async () => {
    const { body } = expectStatus(
      await owner.post(path, { name: 'Empty', generate_image: true, design: true, video: true }),
      201,
    )
    const { detail, missing } = expectProblem(await owner.post(`${path}/${body.id}/enable`), 409, 'agent_not_ready')
    expect(detail).toMatch(/connected account.*instructions.*image model.*video model/)
    expect(missing).toEqual(['account', 'system_prompt', 'image_model', 'video_model'])
  })

  test('disabling all stops every agent of the workspace and no other', async () => {
    const other = await withWorkspace(t)
    const theirs = await enabledAgent(other)
    for (const _ of [1, 2]) await enabledAgent(owner)
    await readyAgent(owner)
    expect(expectStatus(await owner.post(`${path}/disable-all`), 200).body).toEqual({ disabled: 2, held_posts: 0 })
    expect(expectStatus(await owner.get(`${path}?is_active=true`), 200).body.data).toEqual([])
    expect(expectStatus(await owner.get(`${path}?is_active=false`), 200).body.data).toHaveLength(3)
    expect(expectStatus(await other.get(`${path}/${theirs.id}`), 200).body.is_active).toBe(true)
  })

  test('the agents of a member who leaves are disabled', async () => {
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const { id } = await enabledAgent(editor)
    expectStatus(await owner.delete(`/api/v1/workspace/members/${editor.id}`), 204)
    expect(expectStatus(await owner.get(`${path}/${id}`), 200).body).toMatchObject({
      ...{ is_active: false, disabled_reason: 'owner_gone' },
    })
  })
})

test('a deleted agent is gone', async () => {
  const { id } = await enabledAgent(owner)
  expectStatus(await owner.delete(`${path}/${id}`), 204)
  expectProblem(await owner.get(`${path}/${id}`), 404, 'not_found')
  expect(await actionsOf(t, owner.id)).toContain('agent.deleted')
})
