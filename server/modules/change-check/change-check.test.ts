import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { readyAgent } from '../../../test/agents.ts'
import { testApp } from '../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  type Person,
  playgroundAccount,
  signedIn,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { failingNetwork, LIST, seenBy } from '../notifications/notifications.fixture.ts'

const t = await testApp()
const network = await failingNetwork(t)
afterAll(() => network.close())

const pulseOf = async (person: Person, workspace_id?: string) => {
  const { body, headers } = expectStatus(
    await person.get(`/api/v1/me/pulse${workspace_id ? `?workspace_id=${workspace_id}` : ''}`),
    200,
  )
  return { ...body, etag: headers.get('etag') ?? '' }
}

/** The parts of a pulse that an action changes. */
async function changedBy(person: Person, workspace_id: string, act: () => Promise<unknown>) {
  const before = (await pulseOf(person, workspace_id)).workspace
  await act()
  const after = (await pulseOf(person, workspace_id)).workspace
  return Object.keys(after).filter((part) => after[part] !== before[part])
}

describe('GET /me/pulse', () => {
  test('is 304 until something changes', async () => {
    const owner = await withWorkspace(t)
    const path = `/api/v1/me/pulse?workspace_id=${owner.workspace_id}`
    const { etag } = await pulseOf(owner, owner.workspace_id)
    const same = await owner.get(path, { 'if-none-match': etag })
    expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, '', etag])
    expect((await owner.get(path, { 'if-none-match': `W/${etag}` })).status).toBe(304)
    expectStatus(await owner.post('/api/v1/posts', { content: 'Hello' }), 201)
    expectStatus(await owner.get(path, { 'if-none-match': etag }), 200)
  })

  test('tells which lists of the workspace changed', async () => {
    const owner = await withWorkspace(t)
    const { workspace_id } = owner
    const create = () => owner.post('/api/v1/posts', { content: 'Hello' })
    expect(await changedBy(owner, workspace_id, create)).toEqual(['posts'])
    const { id } = expectStatus(await create(), 201).body
    const change = () => owner.patch(`/api/v1/posts/${id}`, { content: 'Good morning' })
    expect(await changedBy(owner, workspace_id, change)).toEqual(['posts'])
    expect(await changedBy(owner, workspace_id, () => owner.delete(`/api/v1/posts/${id}`))).toEqual(['posts'])
    expect(await changedBy(owner, workspace_id, () => playgroundAccount(owner))).toEqual(['accounts'])
    const ask = () => owner.put('/api/v1/workspace/approval-policy', { mode: 'one' })
    expect(await changedBy(owner, workspace_id, ask)).toContain('reviews')
    expect(await changedBy(owner, workspace_id, () => owner.get('/api/v1/posts'))).toEqual([])
  })

  test('tells when agents, webhooks, their deliveries and tokens changed', async () => {
    const owner = await withWorkspace(t)
    const { workspace_id } = owner
    const changed = (act: () => Promise<unknown>) => changedBy(owner, workspace_id, act)
    const webhook = { url: 'http://127.0.0.1:1/', events: ['post.created'] }
    expect(await changed(() => owner.post('/api/v1/webhooks', webhook))).toEqual(['webhooks'])
    expect(await changed(() => owner.post('/api/v1/posts', { content: 'Hello' }))).toEqual(['posts', 'webhooks'])
    const { rows } = await sql<{ id: string }>`select id from webhook where team_id = ${workspace_id}`.execute(
      t.deps.db,
    )
    const attempt = () =>
      sql`insert into webhook_health (webhook_id, failure_count) values (${rows[0]?.id}, 1)
        on conflict (webhook_id) do update set failure_count = webhook_health.failure_count + 1`.execute(t.deps.db)
    expect(await changed(attempt)).toEqual(['webhooks'])
    const move = (state: string) => () =>
      sql`update delivery set state = ${state}::delivery_state where webhook_id = ${rows[0]?.id}`.execute(t.deps.db)
    for (const state of ['failed', 'waiting', 'held']) expect(await changed(move(state))).toEqual(['webhooks'])
    expect(await changed(() => withToken(t, owner))).toEqual(['tokens'])
    const token = await withToken(t, owner)
    expect(await changed(() => owner.delete(`/api/v1/api-tokens/${token.id}`))).toEqual(['tokens'])
    expect(await changed(() => readyAgent(owner))).toContain('agents')
  })

  test('tells instance admins when a mail is written or sent, and nobody else', async () => {
    const admin = await signedIn(t, { instanceAdmin: true })
    const mails = async () => (await pulseOf(admin)).outbox as string
    const before = await mails()
    await sql`insert into mail (to_address, key, locale, subject, body_text, body_html, state)
      values ('ada@example.com', 'test', 'en', '', '', '', 'queued')`.execute(t.deps.db)
    const written = await mails()
    await sql`update mail set state = 'sent' where key = 'test'`.execute(t.deps.db)
    expect(new Set([before, written, await mails()]).size).toBe(3)
    expect((await pulseOf(await signedIn(t))).outbox).toBeNull()
  })

  test('counts groups with unread notifications, of all workspaces', async () => {
    const { owner, editor, fail } = await network.team()
    expect((await pulseOf(editor)).notifications).toEqual({ unread: 0, newest_id: null })
    await fail('One')
    await fail('Two')
    const [group] = await seenBy(editor)
    expect((await pulseOf(editor)).notifications).toEqual({ unread: 1, newest_id: group.id })
    expectStatus(await editor.post(`${LIST}/${group.id}/read`), 204)
    expect((await pulseOf(editor)).notifications.unread).toBe(0)
    expect((await pulseOf(owner)).notifications.unread).toBe(1)
  })

  test('says nothing about a workspace of others', async () => {
    const owner = await withWorkspace(t)
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const stranger = await signedIn(t)
    expect((await pulseOf(viewer, owner.workspace_id)).workspace.id).toBe(owner.workspace_id)
    expect((await pulseOf(stranger, owner.workspace_id)).workspace).toBeNull()
  })

  test('is for sessions only', async () => {
    const owner = await withWorkspace(t)
    expectProblem(await (await withToken(t, owner)).get('/api/v1/me/pulse'), 403, 'token_not_accepted')
    expectProblem(await t.anyone.get('/api/v1/me/pulse'), 401, 'unauthenticated')
  })
})
