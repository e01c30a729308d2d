import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  PASSWORD,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { waiting } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { until } from '../../../../test/until.ts'
import { type Role, roles } from '../../../lib/http/roles.ts'

let owner: WorkspaceOwner
const t = await testApp()
owner = await withWorkspace(t)

const path = (id: string) => `/api/v1/workspace/members/${id}`
const absent = '01890000-0000-7000-8000-000000000000'
const member = (role: Role, workspace_id = owner.workspace_id) => memberOf(t, workspace_id, role)
const roleOf = async (id: string) => (await owner.get(path(id))).body.role
const change = (who: WorkspaceOwner, id: string, role: string, headers?: Record<string, string>) =>
  who.patch(path(id), { role }, { 'x-workspace-id': who.workspace_id, ...headers })
const remove = (who: WorkspaceOwner, id: string) => who.delete(path(id), { 'x-workspace-id': who.workspace_id })
const ownersOf = async (workspace_id: string) =>
  t.deps.db
    .selectFrom('workspace_member')
    .select('user_id')
    .where('workspace_id', '=', workspace_id)
    .where('role', '=', 'owner')
    .execute()
const entriesOf = (target_id: string) =>
  t.deps.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id', 'details'])
    .where('target_id', '=', target_id)
    .where('action', 'like', 'member.%')
    .orderBy('id')
    .execute()

describe('GET /workspace/members', () => {
  test('200 lists the members of this workspace for every member, page by page', async () => {
    const boss = await withWorkspace(t)
    const others = [await member('viewer', boss.workspace_id), await member('author', boss.workspace_id)]
    const [viewer] = others
    await withWorkspace(t)
    const first = expectStatus(await (viewer ?? boss).get('/api/v1/workspace/members?limit=2'), 200).body
    const rest = expectStatus(await boss.get(`/api/v1/workspace/members?limit=2&cursor=${first.next_cursor}`), 200).body
    expect(rest.next_cursor).toBeNull()
    const all = [...first.data, ...rest.data]
    expect(all.map(({ id }) => id).sort()).toEqual([boss, ...others].map(({ id }) => id).sort())
    expect(all.find(({ id }) => id === boss.id)).toEqual({
      id: boss.id,
      name: 'Ada',
      email: boss.email,
      role: 'owner',
      two_factor_enabled: false,
      created_at: expect.any(String),
    })
  })

  test('200 for a token with members:read', async () => {
    const token = await withToken(t, owner, ['members:read'])
    const { body } = expectStatus(await token.get('/api/v1/public/workspace/members'), 200)
    expect(body.data.map(({ id }: { id: string }) => id)).toContain(owner.id)
    expectStatus(await token.get(`/api/v1/public/workspace/members/${owner.id}`), 200)
  })

  test('404 for the member of another workspace, with the response of an unknown one', async () => {
    const stranger = await withWorkspace(t)
    for (const id of [stranger.id, absent]) {
      expectProblem(await owner.get(path(id)), 404, 'not_found')
      expectProblem(await change(owner, id, 'viewer'), 404, 'not_found')
      expectProblem(await remove(owner, id), 404, 'not_found')
    }
  })
})

describe('PATCH /workspace/members/:id', () => {
  test('200 for owners giving any role to any member, including themselves while there is another owner', async () => {
    const boss = await withWorkspace(t)
    const other = await member('viewer', boss.workspace_id)
    for (const role of [...roles].reverse()) {
      const { body } = expectStatus(await change(boss, other.id, role), 200)
      expect(body).toMatchObject({ id: other.id, role })
      expect((await boss.get(path(other.id))).body).toEqual(body)
    }
    expectStatus(await change(boss, other.id, 'owner'), 200)
    expectStatus(await change(boss, boss.id, 'editor'), 200)
    const { detail } = expectProblem(await change(boss, boss.id, 'owner'), 403, 'forbidden_role')
    expect(detail).toBe('This requires the role admin; yours is editor.')
    expect(await ownersOf(boss.workspace_id)).toEqual([{ user_id: other.id }])
  })

  test('200 for admins giving any role below owner to members who are not owners', async () => {
    const admin = await member('admin')
    for (const from of ['viewer', 'admin'] as const) {
      const other = await member(from)
      for (const role of ['author', 'editor', 'admin'] as const) expectStatus(await change(admin, other.id, role), 200)
      const { detail } = expectProblem(await change(admin, other.id, 'owner'), 403, 'forbidden_role')
      expect(detail).toBe('Only owners can make owners.')
      expect(await roleOf(other.id)).toBe('admin')
    }
    const second = await member('owner')
    for (const role of roles) expectProblem(await change(admin, second.id, role), 403, 'forbidden_role')
    const { detail } = (await change(admin, second.id, 'viewer')).body
    expect(detail).toBe('Only owners can change the role of an owner.')
    expectProblem(await change(admin, admin.id, 'owner'), 403, 'forbidden_role')
    expectStatus(await change(admin, admin.id, 'viewer'), 200)
    expect(await roleOf(second.id)).toBe('owner')
  })

  test('403 for members below admin, also for themselves, and for tokens', async () => {
    for (const role of ['viewer', 'author', 'editor'] as const) {
      const person = await member(role)
      expectProblem(await change(person, person.id, 'viewer'), 403, 'forbidden_role')
      expectProblem(await change(person, absent, 'viewer'), 403, 'forbidden_role')
    }
    const token = await withToken(t, owner)
    expectProblem(await token.patch(path(owner.id), { role: 'owner' }), 403, 'token_not_accepted')
  })

  test('400 for an unknown role', async () => {
    for (const role of ['', 'Owner', 'root', null])
      expectProblem(await owner.patch(path(owner.id), { role }), 400, 'validation_failed', '/role')
    expectProblem(await owner.patch(path('1'), { role: 'viewer' }), 400, 'validation_failed', '/id')
  })

  test('409 last_owner for another role of the last owner, 200 for the same role', async () => {
    const boss = await withWorkspace(t)
    expectProblem(await change(boss, boss.id, 'admin'), 409, 'last_owner')
    expectStatus(await change(boss, boss.id, 'owner'), 200)
  })

  test('412 when the member was changed meanwhile', async () => {
    const { id } = await member('viewer')
    const tag = (await owner.get(path(id))).headers.get('etag') ?? ''
    const changed = expectStatus(await change(owner, id, 'author', { 'if-match': tag }), 200)
    expect(changed.headers.get('etag')).not.toBe(tag)
    expectProblem(await change(owner, id, 'editor', { 'if-match': tag }), 412, 'version_conflict')
    expect(await roleOf(id)).toBe('author')
    expectStatus(await change(owner, id, 'editor', { 'if-match': changed.headers.get('etag') ?? '' }), 200)
  })

  test('the new role applies to the next call, also of a token', async () => {
    const editor = await member('editor')
    const token = await withToken(t, editor)
    const body = { content: 'Hello' }
    expectStatus(await token.post('/api/v1/posts', body), 201)
    expectStatus(await change(owner, editor.id, 'viewer'), 200)
    expectProblem(await token.post('/api/v1/posts', body), 403, 'forbidden_role')
    expectProblem(await editor.post('/api/v1/posts', body), 403, 'forbidden_role')
  })

  test('the audit log records the former and the new role, and no entry for the same role', async () => {
    const { id } = await member('viewer')
    expectStatus(await change(owner, id, 'author'), 200)
    expectStatus(await change(owner, id, 'author'), 200)
    expect(await entriesOf(id)).toEqual([
      {
        action: 'member.role_changed',
        actor_id: owner.id,
        details: { before: { role: 'viewer' }, after: { role: 'author' } },
      },
    ])
  })
})

describe('DELETE /workspace/members/:id', () => {
  test('204 for every member who leaves', async () => {
    for (const role of roles) {
      const person = await member(role)
      expectStatus(await remove(person, person.id.toUpperCase()), 204)
      expectProblem(await owner.get(path(person.id)), 404, 'not_found')
      expectProblem(await person.get('/api/v1/workspace', { 'x-workspace-id': owner.workspace_id }), 404, 'not_found')
      expect(await entriesOf(person.id)).toMatchObject([{ action: 'member.left', actor_id: person.id }])
    }
  })

  test('204 for admins who remove others and owners who remove owners, and 404 for a removed member', async () => {
    const [admin, boss] = [await member('admin'), await member('owner')]
    for (const role of ['viewer', 'admin'] as const) {
      const { id } = await member(role)
      expectStatus(await remove(admin, id), 204)
      expectProblem(await remove(admin, id), 404, 'not_found')
      expect(await entriesOf(id)).toEqual([
        { action: 'member.removed', actor_id: admin.id, details: { before: { role } } },
      ])
    }
    const { detail } = expectProblem(await remove(admin, boss.id), 403, 'forbidden_role')
    expect(detail).toBe('Only owners can remove owners.')
    expectStatus(await remove(owner, boss.id), 204)
  })

  test('403 for members below admin, and for tokens', async () => {
    const other = await member('viewer')
    for (const role of ['viewer', 'author', 'editor'] as const)
      for (const id of [other.id, absent]) expectProblem(await remove(await member(role), id), 403, 'forbidden_role')
    expectProblem(await (await withToken(t, owner)).delete(path(other.id)), 403, 'token_not_accepted')
  })

  test('409 last_owner when the only other owner is banned', async () => {
    const owner = await withWorkspace(t)
    const other = await memberOf(t, owner.workspace_id, 'owner')
    const root = await signedIn(t, { instanceAdmin: true })
    expectStatus(await root.post(`/api/v1/admin/users/${other.id}/ban`, {}), 200)
    const path = `/api/v1/workspace/members/${owner.id}`
    expectProblem(await owner.delete(path), 409, 'last_owner')
    expectProblem(await owner.patch(path, { role: 'admin' }), 409, 'last_owner')
    expectProblem(await owner.call('DELETE', '/api/v1/me', { body: { password: PASSWORD } }), 409, 'last_owner')
    expectStatus(await root.post(`/api/v1/admin/users/${other.id}/unban`), 200)
    expectStatus(await owner.delete(path), 204)
  })

  test('409 last_owner for the last owner, whatever other members there are', async () => {
    const boss = await withWorkspace(t)
    await member('admin', boss.workspace_id)
    const { detail } = expectProblem(await remove(boss, boss.id), 409, 'last_owner')
    expect(detail).toBe('Make another member an owner first.')
  })

  test("204 revokes the member's tokens for the workspace, and those for all workspaces lose access to it", async () => {
    const person = await member('editor')
    const bound = await withToken(t, person)
    const free = await withToken(t, person, [], { team_id: null })
    const here = { 'x-workspace-id': owner.workspace_id }
    for (const token of [bound, free]) expectStatus(await token.get('/api/v1/workspace', here), 200)
    expectStatus(await remove(owner, person.id), 204)
    expectProblem(await bound.get('/api/v1/workspace'), 401, 'unauthenticated')
    expectProblem(await free.get('/api/v1/workspace', here), 404, 'not_found')

    await t.deps.db
      .insertInto('workspace_member')
      .values({ workspace_id: owner.workspace_id, user_id: person.id, role: 'editor' })
      .execute()
    expectProblem(await bound.get('/api/v1/workspace'), 401, 'unauthenticated')
    expectStatus(await free.get('/api/v1/workspace', here), 200)
  })

  test('the audit log records each revoked token, and its secret hash is deleted', async () => {
    const person = await member('editor')
    const [rotated, revoked] = [await withToken(t, person), await withToken(t, person)]
    const free = await withToken(t, person, [], { team_id: null })
    expectStatus(await person.post(`/api/v1/api-tokens/${rotated.id}/rotate`, {}), 200)
    expectStatus(await person.delete(`/api/v1/api-tokens/${revoked.id}`), 204)
    expectStatus(await remove(owner, person.id), 204)
    const rows = await t.deps.db
      .selectFrom('api_token')
      .select(['id', 'revoked_at', 'previous_hashed_token', 'previous_expires_at'])
      .where('user_id', '=', person.id)
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id: rotated.id, revoked_at: expect.any(Date), previous_hashed_token: null, previous_expires_at: null },
      { id: revoked.id, revoked_at: expect.any(Date), previous_hashed_token: null, previous_expires_at: null },
      { id: free.id, revoked_at: null, previous_hashed_token: null, previous_expires_at: null },
    ])
    const entries = await t.deps.db
      .selectFrom('audit_entry')
      .select(['target_id', 'actor_id', 'details'])
      .where('action', '=', 'token.revoked')
      .where(
        'target_id',
        'in',
        rows.map(({ id }) => id),
      )
      .orderBy('id')
      .execute()
    const details = { before: { name: 'test', user_id: person.id } }
    expect(entries).toEqual([
      { target_id: revoked.id, actor_id: person.id, details },
      { target_id: rotated.id, actor_id: owner.id, details },
    ])
  })
})

describe('posts during a change of members', () => {
  test.each(['change', 'restore'])('writing a post does not wait for a concurrent %s', async (what) => {
    const boss = await withWorkspace(t)
    const { name } = (await boss.get('/api/v1/workspace')).body
    const { id } = await member('viewer', boss.workspace_id)
    const held = what === 'change' ? 'workspace_member' : 'workspace'
    const { promise: letGo, resolve } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
    if (what === 'restore') {
      expectStatus(await boss.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
    }
    // The call waits for this lock after it has locked the workspace.
    const holder = t.deps.db.transaction().execute(async (tx) => {
      await (held === 'workspace_member'
        ? sql`select from workspace_member where user_id = ${id} for update`.execute(tx)
        : sql`lock audit_entry in share mode`.execute(tx))
      hold()
      await letGo
    })
    await isHeld
    const call =
      what === 'change' ? change(boss, id, 'author') : boss.post(`/api/v1/workspaces/${boss.workspace_id}/restore`)
    try {
      await until(async () => expect(await waiting(t)).toBe(1))
      // The lock that every foreign key takes.
      await sql`select from workspace where id = ${boss.workspace_id} for key share nowait`.execute(t.deps.db)
      if (what === 'change') {
        const post = boss.post('/api/v1/posts', { content: 'Hello' })
        const stuck = until(async () => expect(await waiting(t)).toBe(2))
        expect(await Promise.race([post, stuck])).toMatchObject({ status: 201 })
      }
    } finally {
      resolve()
      await holder
      expectStatus(await call, 200)
    }
  })
})

describe('concurrent changes of owners', () => {
  const demote = (who: WorkspaceOwner, whom: WorkspaceOwner) => change(who, whom.id, 'viewer')
  const expel = (who: WorkspaceOwner, whom: WorkspaceOwner) => remove(who, whom.id)
  const deleteAccount = (who: WorkspaceOwner, _whom: WorkspaceOwner) =>
    who.call('DELETE', '/api/v1/me', { body: { password: PASSWORD } })
  const acts = { demote, expel, deleteAccount }
  type Act = keyof typeof acts

  const owners = async (count: number) => {
    const first = await withWorkspace(t)
    const more = await Promise.all(Array.from({ length: count - 1 }, () => member('owner', first.workspace_id)))
    return [first, ...more]
  }
  /** Runs each action by and on every owner, all at once. */
  const race = async (count: number, names: Act[], onSelf: boolean) => {
    const people = await owners(count)
    const calls = people.flatMap((who, index) =>
      names.map((name) => acts[name](who, (!onSelf && people[(index + 1) % count]) || who)),
    )
    const responses = await Promise.all(calls)
    for (const { status, body } of responses)
      if (![200, 204, 401, 403, 404, 409].includes(status)) throw new Error(`${status}: ${JSON.stringify(body)}`)
    const left = await ownersOf(people[0]?.workspace_id ?? '')
    return { left: left.length, done: responses.filter(({ status }) => status < 300).length }
  }
  const mixes: Act[][] = [
    ['demote'],
    ['expel'],
    ['deleteAccount'],
    ['demote', 'expel'],
    ['demote', 'expel', 'deleteAccount'],
  ]

  test.each(mixes.flatMap((mix) => [2, 3].map((count) => [mix.join(' and '), count, mix] as const)))(
    'after a concurrent %s by each of %i owners on themselves, exactly one owner is left',
    async (_, count, mix) => {
      for (let round = 0; round < 3; round++) expect((await race(count, [...mix], true)).left).toBe(1)
    },
  )

  test.each([['demote' as const], ['expel' as const]])(
    'after a concurrent %s by each of three owners on the next one, an owner is left',
    async (act) => {
      for (let round = 0; round < 3; round++) {
        const { left, done } = await race(3, [act], false)
        expect(left).toBeGreaterThan(0)
        expect(left + done).toBe(3)
      }
    },
  )

  test('ten concurrent calls that demote one of two owners leave one owner, and each refusal has its reason', async () => {
    const [a, b] = await owners(2)
    if (!a || !b) throw new Error('two owners were made')
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? demote(a, a) : index % 4 ? expel(b, b) : demote(b, b))),
    )
    expect(await ownersOf(a.workspace_id)).toHaveLength(1)
    for (const response of responses) if (response.status === 409) expectProblem(response, 409, 'last_owner')
    expect(responses.filter(({ status }) => status === 409).length).toBeGreaterThan(0)
  })

  test('a caller who loses the role while waiting for the lock is refused', async () => {
    const [a, b] = await owners(2)
    const third = await member('viewer', a?.workspace_id)
    if (!a || !b) throw new Error('two owners were made')
    const [demoted, made] = await Promise.all([demote(a, b), change(b, third.id, 'owner')])
    expectStatus(demoted, 200)
    const ids = (await ownersOf(a.workspace_id)).map(({ user_id }) => user_id)
    expect(ids.includes(third.id)).toBe(made.status === 200)
    if (made.status !== 200) expectProblem(made, 403, 'forbidden_role')
  })

  test('a user without workspaces can delete the account', async () => {
    expectStatus(await deleteAccount({ ...(await signedIn(t)), workspace_id: '' }, owner), 204)
  })
})
