import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  PASSWORD,
  type Person,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { invite } from '../../../test/people.ts'
import { expectProblem, withoutIds } from '../../../test/problem.ts'
import { webhookReceiver } from '../../../test/receiver.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { addJob } from '../../lib/runtime/jobs.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR
const absent = '01890000-0000-7000-8000-000000000000'

let owner: WorkspaceOwner
let workspace: { id: string; name: string; slug: string }
const t = await testApp()
beforeEach(async () => {
  owner = await withWorkspace(t)
  workspace = (await owner.get('/api/v1/workspace')).body
})

const remove = (who: Person = owner, name = workspace.name) =>
  who.call('DELETE', '/api/v1/workspace', { body: { name }, headers: { 'x-workspace-id': workspace.id } })
const restore = (who: Person = owner, id = workspace.id) => who.post(`/api/v1/workspaces/${id}/restore`)
const deletedOf = async (who: Person) => expectStatus(await who.get('/api/v1/workspaces/deleted'), 200).body.data
const here = (who: Pick<Person, 'get'>, name = workspace.id) => who.get('/api/v1/workspace', { 'x-workspace-id': name })
const erase = async () => {
  await inTransaction(t.deps.db, (tx) => addJob(tx, 'erase-deleted-workspaces', {}))
  await t.runJobs()
}
/** Lets time pass for the deleted workspace only, because sessions would expire. */
const expireDeletion = (ms: number) =>
  sql`update workspace set deleted_at = deleted_at - make_interval(secs => ${ms / 1000}) where id = ${workspace.id}`.execute(
    t.deps.db,
  )
const inHours = (hours: number) => new Date(t.clock.now().getTime() + hours * HOUR).toISOString()
const timeline = async () => (await owner.get('/api/v1/playground')).body.data

describe('DELETE /workspace', () => {
  test('400 at /name for another name, and nothing is deleted', async () => {
    for (const name of ['', `${workspace.name} `, workspace.name.toUpperCase(), workspace.slug])
      expectProblem(await remove(owner, name), 400, 'validation_failed', '/name')
    expectProblem(await owner.call('DELETE', '/api/v1/workspace', { body: {} }), 400, 'validation_failed', '/name')
    expectStatus(await here(owner), 200)
  })

  test('403 for members who are not owners, and for tokens', async () => {
    for (const role of ['viewer', 'admin'] as const)
      expectProblem(await remove(await memberOf(t, workspace.id, role)), 403, 'forbidden_role')
    const token = await withToken(t, owner)
    const response = await token.call('DELETE', '/api/v1/workspace', { body: { name: workspace.name } })
    expectProblem(response, 403, 'token_not_accepted')
  })

  test('one of ten concurrent deletions gets 204, and the others 404', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => remove()))
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)])
  })

  test('the name may be written with other code points for the same letters', async () => {
    expectStatus(await owner.patch('/api/v1/workspace', { name: `Çağrı ${workspace.slug}` }), 200)
    expectStatus(await remove(owner, `Çağrı ${workspace.slug}`.normalize('NFD')), 204)
  })
})

describe('a deleted workspace', () => {
  test('a deleted workspace gets the response of an unknown one, by id, by slug, and as the only or the chosen one', async () => {
    const member = await memberOf(t, workspace.id, 'admin')
    expectStatus(await member.patch('/api/v1/me', { workspace_id: workspace.id }), 200)
    expectStatus(await remove(), 204)
    const never = withoutIds(await here(owner, absent))
    for (const who of [owner, member]) {
      expect(withoutIds(await here(who))).toEqual(never)
      expect(withoutIds(await here(who, workspace.slug))).toEqual(never)
      expectProblem(await who.get('/api/v1/workspace'), 409, 'workspace_required')
      expect((await who.get('/api/v1/workspaces')).body.data).toEqual([])
      const choice = await who.patch('/api/v1/me', { workspace_id: workspace.id })
      expectProblem(choice, 400, 'validation_failed', '/workspace_id')
    }
    const { body } = expectStatus(await member.post('/api/v1/workspaces', { name: `After ${workspace.slug}` }), 201)
    expect((await member.get('/api/v1/workspace')).body.id).toBe(body.id)
  })

  test('tokens of a deleted workspace are refused until it is restored, and tokens for all workspaces get 404 for it', async () => {
    const bound = await withToken(t, owner, ['posts:read'])
    const free = await withToken(t, owner, [], { team_id: null })
    expectStatus(await bound.get('/api/v1/public/posts'), 200)
    expectStatus(await remove(), 204)
    expectProblem(await bound.get('/api/v1/public/posts'), 401, 'unauthenticated')
    expectProblem(await here(free), 404, 'not_found')
    expectStatus(await restore(), 200)
    expectStatus(await bound.get('/api/v1/public/posts'), 200)
    expectStatus(await here(free), 200)
  })

  test('invitations to a deleted workspace cannot be accepted', async () => {
    const guest = await signedIn(t)
    const { token } = await invite(t, owner, guest.email, 'viewer')
    expectStatus(await remove(), 204)
    expectProblem(await t.anyone.get(`/api/v1/invitations/${token}`), 404, 'not_found')
    expectProblem(await guest.post(`/api/v1/invitations/${token}/accept`), 404, 'not_found')
    expectStatus(await restore(), 200)
    expectStatus(await guest.post(`/api/v1/invitations/${token}/accept`), 200)
  })

  test('a deleted workspace keeps its name and slug', async () => {
    expectStatus(await remove(), 204)
    const { name, slug } = workspace
    expectProblem(await owner.post('/api/v1/workspaces', { name }), 409, 'workspace_name_taken')
    const response = await owner.post('/api/v1/workspaces', { name: `Other ${slug}`, slug })
    expectProblem(response, 409, 'workspace_slug_taken')
  })

  test('scheduled posts of a deleted workspace become drafts, and stay drafts after it is restored', async () => {
    const account = await playgroundAccount(owner)
    const { body: post } = expectStatus(
      await owner.post('/api/v1/posts', { content: 'Later', account_ids: [account], scheduled_at: inHours(1) }),
      201,
    )
    expectStatus(await remove(), 204)
    t.advance(2 * HOUR)
    await t.runJobs()
    expectStatus(await restore(), 200)
    await t.runJobs()
    expect(await timeline()).toEqual([])
    const { body: draft } = await owner.get(`/api/v1/posts/${post.id}`)
    expect(draft).toMatchObject({ status: 'draft', scheduled_at: null, targets: [{ status: 'pending' }] })
    expect(draft.updated_at > post.updated_at).toBe(true)
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { scheduled_at: inHours(1) }), 200)
    t.advance(2 * HOUR)
    await t.runJobs()
    expect(await timeline()).toHaveLength(1)
  })

  test('posts that are being published when the workspace is deleted fail with the reason', async () => {
    const account = await playgroundAccount(owner)
    const input = { content: 'Now', account_ids: [account], scheduled_at: inHours(1) }
    const { body: post } = expectStatus(await owner.post('/api/v1/posts', input), 201)
    // Another of its targets is done, and this one waits for a retry.
    await t.deps.db.updateTable('post').set({ status: 'publishing' }).where('id', '=', post.id).execute()
    expectStatus(await remove(), 204)
    t.advance(2 * HOUR)
    await t.runJobs()
    expectStatus(await restore(), 200)
    expect(await timeline()).toEqual([])
    const { body } = await owner.get(`/api/v1/posts/${post.id}`)
    expect(body).toMatchObject({ status: 'failed', targets: [{ status: 'failed', error_code: 'workspace_deleted' }] })
  })

  test('events from before the deletion are still delivered', async () => {
    const sink = await webhookReceiver()
    expectStatus(await owner.post('/api/v1/webhooks', { url: sink.url, events: ['post.created'] }), 201)
    expectStatus(await owner.post('/api/v1/posts', { content: 'Hello' }), 201)
    expectStatus(await remove(), 204)
    t.dispatch()
    await sink.until((received) => received.length >= 1)
    sink.close()
  })
})

describe('GET /workspaces/deleted', () => {
  test('200 lists deleted workspaces that the caller owns, with the time until which they can be restored', async () => {
    const second = await memberOf(t, workspace.id, 'owner')
    const admin = await memberOf(t, workspace.id, 'admin')
    const at = t.clock.now()
    expectStatus(await remove(), 204)
    for (const who of [owner, second])
      expect(await deletedOf(who)).toEqual([
        {
          ...{ id: workspace.id, name: workspace.name, slug: workspace.slug },
          deleted_at: at.toISOString(),
          restorable_until: new Date(at.getTime() + 30 * DAY).toISOString(),
        },
      ])
    expect(await deletedOf(admin)).toEqual([])
    await expireDeletion(30 * DAY)
    expect(await deletedOf(owner)).toEqual([])
  })
})

describe('POST /workspaces/:id/restore', () => {
  test('200 for any owner restores the workspace unchanged with a new version', async () => {
    const second = await memberOf(t, workspace.id, 'owner')
    const before = await here(owner)
    expectStatus(await remove(), 204)
    const { body, headers } = expectStatus(await restore(second), 200)
    expect(body).toEqual({ ...before.body, updated_at: body.updated_at })
    expect(headers.get('etag')).not.toBe(before.headers.get('etag'))
    expectStatus(await here(owner), 200)
    expect(await deletedOf(owner)).toEqual([])
    const entries = await t.deps.db
      .selectFrom('audit_entry')
      .select(['action', 'actor_id'])
      .where('target_id', '=', workspace.id)
      .orderBy('id')
      .execute()
    expect(entries).toEqual([
      { action: 'workspace.created', actor_id: owner.id },
      { action: 'workspace.deleted', actor_id: owner.id },
      { action: 'workspace.restored', actor_id: second.id },
    ])
  })

  test('404 for users who are not owners, and after 30 days', async () => {
    const admin = await memberOf(t, workspace.id, 'admin')
    const stranger = await withWorkspace(t)
    expectStatus(await remove(), 204)
    for (const who of [admin, stranger]) expectProblem(await restore(who), 404, 'not_found')
    expectProblem(await restore(owner, absent), 404, 'not_found')
    await expireDeletion(30 * DAY)
    expectProblem(await restore(), 404, 'not_found')
  })

  test('409 for a workspace that is not deleted', async () => {
    expect(expectProblem(await restore(), 409, 'invalid_transition').state).toBe('active')
    expectStatus(await remove(), 204)
    const responses = await Promise.all(Array.from({ length: 5 }, () => restore()))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  })

  test("an owner's account that is deleted during the restoration leaves no workspace without an owner", async () => {
    for (let round = 0; round < 5; round++) {
      const person = await withWorkspace(t)
      const { id, name } = (await person.get('/api/v1/workspace')).body
      expectStatus(await person.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
      const [restored, gone] = await Promise.all([
        restore(person, id),
        person.call('DELETE', '/api/v1/me', { body: { password: PASSWORD } }),
      ])
      expect([restored.status, gone.status].sort().slice(0, 1)).toEqual([restored.status === 200 ? 200 : 204])
      const { rows } = await sql`select from workspace where id = ${id} and deleted_at is null
        and not exists (select from workspace_member where workspace_id = workspace.id and role = 'owner')`.execute(
        t.deps.db,
      )
      expect(rows).toEqual([])
    }
  })
})

describe('30 days after the deletion', () => {
  test('the workspace is erased with all its data, and its audit log keeps who did what, and when', async () => {
    const account = await playgroundAccount(owner)
    const input = { content: 'Hello', account_ids: [account], publish_now: true }
    expectStatus(await owner.post('/api/v1/posts', input), 201)
    await t.runJobs()
    expect(await timeline()).toHaveLength(1)
    expectStatus(await owner.post('/api/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['*'] }), 201)
    expectStatus(await owner.post('/api/v1/workspace/invitations', { email: 'x@example.com', role: 'viewer' }), 201)
    await withToken(t, owner)
    expectStatus(await owner.patch('/api/v1/me', { workspace_id: workspace.id }), 200)
    const kept = await withWorkspace(t)
    const entries = () =>
      t.deps.db.selectFrom('audit_entry').selectAll().where('workspace_id', '=', workspace.id).orderBy('id').execute()
    expectStatus(await remove(), 204)
    const before = await entries()

    await expireDeletion(30 * DAY - 1000)
    await erase()
    expect(await deletedOf(owner)).toHaveLength(1)
    await expireDeletion(1000)
    await erase()
    const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name in ('workspace_id', 'team_id')
        and table_name not in ('user', 'audit_entry')`.execute(t.deps.db)
    expect(rows.length).toBeGreaterThan(6)
    for (const { name } of rows) {
      const column = sql.ref(['api_token', 'webhook'].includes(name) ? 'team_id' : 'workspace_id')
      const left = await sql`select from ${sql.table(name)} where ${column} = ${workspace.id}`.execute(t.deps.db)
      expect([name, left.rows.length]).toEqual([name, 0])
    }
    expect((await owner.get('/api/v1/me')).body.workspace_id).toBeNull()
    expect(await entries()).toEqual(before.map((entry) => ({ ...entry, ip: null, user_agent: null, details: {} })))
    expect(before.some(({ details }) => JSON.stringify(details) !== '{}')).toBe(true)
    const last = await t.deps.db.selectFrom('audit_entry').selectAll().orderBy('id', 'desc').limit(1).execute()
    expect(last).toMatchObject([
      { action: 'workspace.erased', target_id: workspace.id, workspace_id: null, actor_id: null, details: {} },
    ])
    expectStatus(await here(kept, kept.workspace_id), 200)
    expectStatus(await owner.post('/api/v1/workspaces', { name: workspace.name, slug: workspace.slug }), 201)
  })

  test('a workspace that cannot be erased delays no other and is tried again', async () => {
    const other = await withWorkspace(t)
    const { name } = (await other.get('/api/v1/workspace')).body
    expectStatus(await remove(), 204)
    expectStatus(await other.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
    await sql`update workspace set deleted_at = deleted_at - case when id = ${workspace.id} then interval '32 days'
      else interval '31 days' end where id in (${workspace.id}, ${other.workspace_id})`.execute(t.deps.db)
    const left = async () =>
      (
        await t.deps.db
          .selectFrom('workspace')
          .select('id')
          .where('id', 'in', [workspace.id, other.workspace_id])
          .execute()
      ).map(({ id }) => id)
    await sql`create function stand_in_the_way() returns trigger language plpgsql as
      $$ begin raise exception 'this one stays'; end $$`.execute(t.deps.db)
    await sql
      .raw(`create trigger stand_in_the_way before delete on workspace for each row
        when (old.id = '${workspace.id}') execute function stand_in_the_way()`)
      .execute(t.deps.db)
    await erase()
    expect(await left()).toEqual([workspace.id])
    const { rows } = await sql<{ last_error: string }>`select last_error from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = task_id
      where identifier = 'erase-deleted-workspaces'`.execute(t.deps.db)
    expect(rows).toEqual([{ last_error: expect.stringContaining(workspace.id) }])
    await sql`drop function stand_in_the_way cascade`.execute(t.deps.db)
    await erase()
    expect(await left()).toEqual([])
  })
})
