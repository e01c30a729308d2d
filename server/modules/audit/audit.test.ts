import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { ApiResponse, Client } from '../../../test/client.ts'
import {
  expectStatus,
  memberOf,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { audit, system } from '../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../lib/db/database.ts'
import type { User } from '../../lib/http/access.ts'
import { exportMe } from '../auth/account/export.ts'
import { listEntries } from './audit.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const root = await signedIn(t, { instanceAdmin: true })

const path = '/api/v1/workspace/audit-log'
type Entry = { id: string; action: string; at: string; actor: { id: string } | null; details: object }
const read = async (person: Client, query = '', from = path): Promise<Entry[]> =>
  expectStatus(await person.get(`${from}${query}`), 200).body.data
const actions = async (person: Client, query = '') => (await read(person, query)).map((entry) => entry.action)
/** Writes entries as the functions that change something do. */
const write = (person: { id: string; workspace_id: string }, ...names: string[]) =>
  inTransaction(t.deps.db, async (tx) => {
    for (const name of names) await audit(tx, { user_id: person.id, workspace_id: person.workspace_id }, name, null)
  })

describe('GET /workspace/audit-log', () => {
  test('200 shows the actor, the address, the client, the action, the target and the details', async () => {
    const boss = await withWorkspace(t)
    const chrome = { 'user-agent': 'Chrome' }
    const { body } = expectStatus(await boss.post('/api/v1/api-tokens', { name: 'CI' }, chrome), 201)
    expect((await read(boss))[0]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: { id: boss.id, name: 'Ada', email: boss.email },
      token_id: null,
      action: 'token.created',
      target_id: body.id,
      details: { after: { name: 'CI', scopes: [], team_id: boss.workspace_id, expires_at: null } },
      ip: '127.0.0.1',
      user_agent: 'Chrome',
    })
  })

  test('200 names the token that an action was done with', async () => {
    const boss = await withWorkspace(t)
    const token = await withToken(t, boss, ['posts:write'])
    expectStatus(await token.post('/api/v1/public/posts', { content: 'Hello' }), 201)
    expect((await read(boss, '?action=post.created'))[0]).toMatchObject({ token_id: token.id, actor: { id: boss.id } })
  })

  test('200 has no actor for actions of Meydan, and the id of a deleted user', async () => {
    const boss = await withWorkspace(t)
    const gone = await memberOf(t, boss.workspace_id, 'editor')
    await write(gone, 'something.done')
    await t.deps.db.deleteFrom('user').where('id', '=', gone.id).execute()
    await inTransaction(t.deps.db, (tx) => audit(tx, system(boss.workspace_id), 'something.noticed', null))
    const [noticed, done] = await read(boss)
    expect(noticed).toMatchObject({ action: 'something.noticed', actor: null })
    expect(done).toMatchObject({ action: 'something.done', actor: { id: gone.id, name: null, email: null } })
  })

  test('200 shows no entries of another workspace', async () => {
    const [one, other] = [await withWorkspace(t), await withWorkspace(t)]
    await write(other, 'theirs.done')
    expect(await actions(one)).toEqual(['workspace.created'])
    expect(await actions(one, `?actor=${other.id}`)).toEqual([])
    expect(await actions(one, '?action=theirs.*')).toEqual([])
  })

  test('200 in pages, newest first, which stay the same while entries are added', async () => {
    const boss = await withWorkspace(t)
    const names = 'abcdefghi'.split('').map((letter) => `test.${letter}`)
    await write(boss, ...names)
    for (const filter of ['', '&action=test.*', `&actor=${boss.id}`, `&actor=${boss.id}&action=test.*`]) {
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { body }: ApiResponse = expectStatus(
          await boss.get(`${path}?limit=2${filter}${cursor && `&cursor=${cursor}`}`),
          200,
        )
        expect(body.data.length).toBeLessThanOrEqual(2)
        seen.push(...body.data.map((entry: Entry) => entry.action))
        cursor = body.next_cursor
        await write(boss, 'test.meanwhile')
      }
      expect(seen.filter((name) => names.includes(name))).toEqual(names.toReversed())
    }
  })
})

describe('filters', () => {
  let boss: WorkspaceOwner
  let member: WorkspaceOwner
  beforeAll(async () => {
    boss = await withWorkspace(t)
    member = await memberOf(t, boss.workspace_id, 'editor')
    await write(boss, 'post.created', 'post.deleted', 'posture.changed', 'webhook.created')
    await write(member, 'post.created', 'webhook.deleted')
  })

  test('the actor filter finds what this user did', async () => {
    expect(await actions(boss, `?actor=${member.id}`)).toEqual(['webhook.deleted', 'post.created'])
    expect(await actions(boss, `?actor=${member.id.toUpperCase()}`)).toHaveLength(2)
    expect(await actions(boss, `?actor=${root.id}`)).toEqual([])
  })

  test('the action filter finds exactly this action, or with .* every action of its subject', async () => {
    expect(await actions(boss, '?action=post.created')).toEqual(['post.created', 'post.created'])
    expect(await actions(boss, '?action=post.*')).toEqual(['post.created', 'post.deleted', 'post.created'])
    expect(await actions(boss, `?action=post.*&actor=${member.id}`)).toEqual(['post.created'])
    for (const none of ['post', 'post.creat', 'created', 'nothing.*'])
      expect(await actions(boss, `?action=${none}`)).toEqual([])
  })

  test('since is inclusive and until is exclusive, in any offset', async () => {
    const all = await read(boss)
    const times = [...new Set(all.map((entry) => entry.at))].sort()
    for (const at of times) {
      const sinceThen = all.filter((entry) => entry.at >= at).map((entry) => entry.id)
      const ids = async (query: string) => (await read(boss, query)).map((entry) => entry.id)
      expect(await ids(`?since=${at}`)).toEqual(sinceThen)
      expect(await ids(`?until=${at}`)).toEqual(all.map((entry) => entry.id).slice(sinceThen.length))
      const zoned = `${new Date(Date.parse(at) + 3 * 3_600_000).toISOString().slice(0, -1)}%2B03:00`
      expect(await ids(`?since=${zoned}`)).toEqual(sinceThen)
    }
    expect(await actions(boss, '?since=9999-12-31T23:59:59Z')).toEqual([])
    expect(await actions(boss, '?until=0001-01-01T00:00:00Z')).toEqual([])
    expect(await actions(boss, '?since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z')).toHaveLength(all.length)
  })

  test.each([
    ['actor=me', '/actor'],
    ['action=', '/action'],
    ['action=*', '/action'],
    ['action=post*', '/action'],
    ['action=post.*.x', '/action'],
    ['action=POST.CREATED', '/action'],
    ['action=%25', '/action'],
    ['since=yesterday', '/since'],
    ['until=2026-02-30T00:00:00Z', '/until'],
    ['limit=101', '/limit'],
    ['cursor=x', '/cursor'],
    ['workspace_id=x', '/workspace_id'],
  ])('400 for %s, with its pointer', async (query, pointer) => {
    expectProblem(await boss.get(`${path}?${query}`), 400, 'validation_failed', pointer)
  })
})

describe('access to the audit log', () => {
  test('200 for owners and admins of the workspace and their tokens without scopes, and for nobody else', async () => {
    const admin = await memberOf(t, owner.workspace_id, 'admin')
    for (const person of [owner, admin, await withToken(t, admin)]) expectStatus(await person.get(path), 200)
    for (const role of ['editor', 'author', 'viewer'] as const)
      expectProblem(await (await memberOf(t, owner.workspace_id, role)).get(path), 403, 'forbidden_role')
    expectProblem(await t.anyone.get(path), 401, 'unauthenticated')
    expectProblem(await (await withToken(t, owner, ['workspace:write'])).get(path), 403, 'token_not_accepted')
    expectProblem(await root.get(path, { 'x-workspace-id': owner.workspace_id }), 404, 'not_found')
  })

  test('403 feature_not_available when the plan does not include it, checked after the role and before the query', async () => {
    const small = await testApp({}, { plan: [] })
    try {
      const boss = await withWorkspace(small)
      expect(expectProblem(await boss.get(path), 403, 'feature_not_available').feature).toBe('audit_log')
      expectProblem(await boss.get(`${path}?limit=x`), 403, 'feature_not_available')
      const viewer = await memberOf(small, boss.workspace_id, 'viewer')
      expectProblem(await viewer.get(path), 403, 'forbidden_role')
      const admin = await signedIn(small, { instanceAdmin: true })
      expectStatus(await admin.get('/api/v1/admin/audit-log'), 200)
    } finally {
      await small.close()
    }
  })
})

describe('GET /admin/audit-log', () => {
  const admin = '/api/v1/admin/audit-log'

  test('200 lists entries without a workspace, with the same filters', async () => {
    await inTransaction(t.deps.db, async (tx) => {
      await audit(tx, { user_id: root.id }, 'plan.created', null)
      await audit(tx, system(), 'plan.deleted', null)
    })
    await write(owner, 'plan.chosen')
    expect((await read(root, '?action=plan.*', admin)).map((entry) => entry.action)).toEqual([
      'plan.deleted',
      'plan.created',
    ])
    const own = await read(root, `?action=plan.*&actor=${root.id}&since=2020-01-01T00:00:00Z`, admin)
    expect(own.map((entry) => entry.action)).toEqual(['plan.created'])
    expect(own[0]).not.toHaveProperty('workspace_id')
  })

  test('403 for tokens and users who are not instance admins, 401 without credentials', async () => {
    expectProblem(await owner.get(admin), 403, 'forbidden_role')
    const boss = await signedIn(t, { instanceAdmin: true })
    expectStatus(await boss.post('/api/v1/workspaces', { name: 'Of an instance admin' }), 201)
    expectProblem(await (await withToken(t, boss)).get(admin), 403, 'token_not_accepted')
    expectProblem(await t.anyone.get(admin), 401, 'unauthenticated')
  })
})

describe('100,000 entries', () => {
  const people = Array.from({ length: 20 }, (_, n) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`)
  const at = (day: number) => new Date(Date.UTC(2025, 0, 1 + day)).toISOString()
  let boss: WorkspaceOwner
  beforeAll(async () => {
    boss = await withWorkspace(t)
    for (const workspace_id of [boss.workspace_id, null])
      await sql`insert into audit_entry (id, at, workspace_id, actor_id, action)
        select uuidv7(at - now()), at, ${workspace_id}::uuid, (${people}::uuid[])[1 + n % 20],
          case when n % 10000 = 0 then 'rare.act' else 'common.act_' || chr(97 + n % 7) end
        from (select n, timestamptz '2025-01-01Z' + n * interval '5 minutes' as at from generate_series(0, 49999) n)`.execute(
        t.deps.db,
      )
    // From every row: plans by a sample differ from run to run.
    await inTransaction(t.deps.db, async (tx) => {
      await sql`set local default_statistics_target = 1000`.execute(tx)
      await sql`analyze audit_entry`.execute(tx)
    })
  })

  const counters = async (tx: Tx) => {
    const { rows } = await sql<{ scans: number; fetched: number }>`
      select seq_scan::int as scans, coalesce(idx_tup_fetch, 0)::int as fetched
      from pg_stat_xact_user_tables where relname = 'audit_entry'`.execute(tx)
    return rows[0] ?? { scans: 0, fetched: 0 }
  }
  /** The number of entries on a page, and how much of the table is read for it. */
  const reads = (workspace_id: string | null, query: object) =>
    inTransaction(t.deps.db, async (tx) => {
      const before = await counters(tx)
      const { data } = await listEntries(tx, workspace_id, query)
      const after = await counters(tx)
      return { found: data.length, scans: after.scans - before.scans, rows: after.fetched - before.fetched }
    })

  test.each([
    ['no filter', {}, 25],
    ['an actor', { actor: people[3] }, 25],
    ['a common action', { action: 'common.act_b' }, 25],
    ['a rare action', { action: 'rare.act' }, 5],
    ['a common subject', { action: 'common.*' }, 25],
    ['a rare subject', { action: 'rare.*' }, 5],
    ['an unknown subject', { action: 'absent.*' }, 0],
    ['an actor without entries', { actor: '01890000-0000-7000-8000-0000000000ff' }, 0],
    ['a day long ago', { since: at(10), until: at(11) }, 25],
    ['a day long ago and a subject', { since: at(10), until: at(11), action: 'common.*' }, 25],
    ['a day before all entries', { until: at(-2) }, 0],
    ['a day long ago and an actor', { since: at(10), until: at(11), actor: people[1] }, 15],
    ['half a year', { since: at(0), until: at(170) }, 25],
    ['half a year and an actor', { since: at(0), until: at(170), actor: people[3] }, 25],
  ])('a page reads only its own rows, by an index: %s', async (_, query, found) => {
    // Repeats until PostgreSQL changes from plans for the exact values to its generic plan.
    for (const workspace_id of [boss.workspace_id, null])
      for (let time = 0; time < 7; time++) {
        const page = await reads(workspace_id, query)
        expect(page.scans).toBe(0)
        expect(page.rows).toBeLessThan(600)
        expect(page.found).toBe(found)
      }
  })

  test('exporting and blanking the entries of one user reads no entries of others', async () => {
    const user_id = boss.id
    const nowhere = { ip: null, user_agent: null, session_id: null, token: null, workspace_id: null }
    const caller: User = { user_id, email: boss.email, is_instance_admin: false, ...nowhere }
    const spent = await inTransaction(t.deps.db, async (tx) => {
      const before = await counters(tx)
      // Repeats until PostgreSQL changes to its generic plan.
      for (let time = 0; time < 7; time++) {
        await (await exportMe(tx, t.deps.lifecycle.exportParts, caller, new Date())).toArray()
        await sql`select blank_audit_entries(null, ${user_id}::uuid)`.execute(tx)
      }
      const after = await counters(tx)
      return { scans: after.scans - before.scans, rows: after.fetched - before.fetched }
    })
    expect(spent.scans).toBe(0)
    expect(spent.rows).toBeLessThan(300)
  })

  test('a page at the end reads no more rows than the first one', async () => {
    const [deep] = (
      await sql<{ id: string }>`select id from audit_entry where workspace_id = ${boss.workspace_id}
        order by id limit 1 offset 500`.execute(t.deps.db)
    ).rows
    const cursor = Buffer.from(deep?.id ?? '').toString('base64url')
    for (const query of [{}, { action: 'common.*' }, { actor: people[3] }, { until: at(200) }]) {
      const page = await reads(boss.workspace_id, { ...query, cursor })
      expect(page).toMatchObject({ scans: 0, found: 25 })
      expect(page.rows).toBeLessThan(600)
    }
  })
})
