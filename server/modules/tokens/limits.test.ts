import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withToken, withWorkspace } from '../../../test/factories.ts'
import { whileDeleted } from '../../../test/people.ts'
import { expectProblem } from '../../../test/problem.ts'
import { tokenCalls } from '../../../test/tokens.ts'
import { scopes } from '../../lib/http/scopes.ts'

let owner: WorkspaceOwner
const t = await testApp()
owner = await withWorkspace(t)

const { create, bearer } = tokenCalls(() => ({ t }))
const use = async (token: string) => (await bearer(token)).status
const from = (ms: number) => new Date(t.clock.now().getTime() + ms).toISOString()

test('a member who is removed while creating tokens keeps no valid token', async () => {
  const owner = await withWorkspace(t)
  for (let round = 0; round < 5; round++) {
    const member = await memberOf(t, owner.workspace_id, 'viewer')
    await Promise.all([
      ...Array.from({ length: 5 }, () => member.post('/api/v1/api-tokens', { name: 'late', scopes: ['posts:read'] })),
      owner.delete(`/api/v1/workspace/members/${member.id}`),
      ...Array.from({ length: 5 }, () => member.post('/api/v1/api-tokens', { name: 'late', scopes: ['posts:read'] })),
    ])
    const live = await t.deps.db
      .selectFrom('api_token')
      .select('id')
      .where('user_id', '=', member.id)
      .where('revoked_at', 'is', null)
      .execute()
    expect(live).toEqual([])
  }
})

describe('expires_at', () => {
  test('a token is refused from expires_at on and stays in the list', async () => {
    const expires_at = from(60_000)
    const { id, token } = await withToken(t, owner, ['posts:read'], { expires_at })
    t.clock.advance(59_999)
    expect(await use(token)).toBe(200)
    t.clock.advance(1)
    const refused = await bearer(token)
    expectProblem(refused, 401, 'unauthenticated')
    const { body } = await owner.get('/api/v1/api-tokens?limit=1')
    expect(body.data[0]).toMatchObject({ id, expires_at, revoked_at: null })
  })

  test('a token without scopes expires too', async () => {
    const token = await withToken(t, owner, [], { expires_at: from(1000) })
    expectStatus(await token.get('/api/v1/me'), 200)
    t.clock.advance(1000)
    expectProblem(await token.get('/api/v1/me'), 401, 'unauthenticated')
  })

  test('expires_at accepts any offset, and null or absent means never', async () => {
    const zoned = from(3 * 3_600_000 + 60_000).replace('Z', '+03:00')
    expect(expectStatus(await create(owner, { expires_at: zoned }), 201).body.expires_at).toBe(from(60_000))
    expect(expectStatus(await create(owner, { expires_at: null }), 201).body.expires_at).toBeNull()
    expect(expectStatus(await create(owner), 201).body.expires_at).toBeNull()
  })

  test('400 for an expires_at that has passed, is more than five years away, or is no time', async () => {
    const inFiveYears = t.clock.now()
    inFiveYears.setUTCFullYear(inFiveYears.getUTCFullYear() + 5)
    expectStatus(await create(owner, { expires_at: inFiveYears.toISOString() }), 201)
    for (const expires_at of [
      from(0),
      from(-1),
      new Date(inFiveYears.getTime() + 1).toISOString(),
      '9999-12-31T23:59:59Z',
      '2027-02-30T00:00:00Z',
      '2027-01-01',
      '',
      0,
    ])
      expectProblem(await create(owner, { expires_at }), 400, 'validation_failed', '/expires_at')
  })
})

describe('the maximum number of tokens', () => {
  test('403 limit_exceeded for more than 200 valid tokens, also for concurrent calls', async () => {
    const person = await memberOf(t, owner.workspace_id, 'viewer')
    const { body: first } = expectStatus(await create(person), 201)
    await sql`insert into api_token (user_id, team_id, name, prefix, hashed_token, expires_at, revoked_at)
      select ${person.id}, ${owner.workspace_id}, 'filler', 'filler ' || n, '',
        case when n > 300 then ${t.clock.now()}::timestamptz end, case when n > 200 then now() end
      from generate_series(6, 400) n`.execute(t.deps.db)
    // 196 are live. Revoked and expired tokens do not count.
    const responses = await Promise.all(Array.from({ length: 10 }, () => create(person)))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(4)
    for (const response of responses.filter(({ status }) => status !== 201))
      expect(response).toMatchObject({
        status: 403,
        body: { code: 'limit_exceeded', meter: 'api_tokens', limit: 200, used: 200 },
      })
    expectStatus(await person.delete(`/api/v1/api-tokens/${first.id}`), 204)
    expectStatus(await create(person), 201)
    expectStatus(await create(owner), 201)
  })
})

test('401 for a user whose account is deleted during the call', async () => {
  const call = await whileDeleted(t, (who) => create(who), owner.workspace_id)
  expectProblem(call, 401, 'unauthenticated')
})

describe('Idempotency-Key', () => {
  test('a call repeated with its Idempotency-Key creates one token and shows it once', async () => {
    const key = { 'idempotency-key': 'create-once' }
    const first = expectStatus(await create(owner, { name: 'once' }, key), 201)
    const again = expectStatus(await create(owner, { name: 'once' }, key), 201)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual({ ...first.body, token: null })
    const { body } = await owner.get('/api/v1/api-tokens?limit=100')
    expect(body.data.filter(({ name }: { name: string }) => name === 'once')).toHaveLength(1)
  })
})

describe('GET /api-tokens/scopes', () => {
  test('200 lists every scope with what it permits and who may grant it', async () => {
    const { body } = expectStatus(await owner.get('/api/v1/api-tokens/scopes'), 200)
    expect(body.data.map(({ scope }: { scope: string }) => scope)).toEqual(Object.keys(scopes))
    for (const info of body.data)
      expect(info).toEqual({
        scope: expect.stringMatching(/^[a-z]+:(read|write)$/),
        description: expect.stringMatching(/\S/),
        role: expect.stringMatching(/^(viewer|author|editor|admin|owner)$/),
      })
  })

  test('each role can grant exactly the scopes that are listed for it', async () => {
    const { body } = await owner.get('/api/v1/api-tokens/scopes')
    const order = ['viewer', 'author', 'editor', 'admin', 'owner'] as const
    for (const role of order) {
      const person = await memberOf(t, owner.workspace_id, role)
      for (const { scope, role: least } of body.data)
        expect((await create(person, { scopes: [scope] })).status, `${role} grants ${scope}`).toBe(
          order.indexOf(role) >= order.indexOf(least) ? 201 : 400,
        )
    }
  })

  test('200 for every member and for tokens without scopes, and for nobody else', async () => {
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    expectStatus(await viewer.get('/api/v1/api-tokens/scopes'), 200)
    expectStatus(await (await withToken(t, viewer)).get('/api/v1/api-tokens/scopes'), 200)
    expectProblem(await t.anyone.get('/api/v1/api-tokens/scopes'), 401, 'unauthenticated')
  })
})

describe('GET /public/token', () => {
  test('200 for any token with a scope, with its name, scopes and owner', async () => {
    for (const scope of Object.keys(scopes)) {
      const expires_at = from(3_600_000)
      const token = await withToken(t, owner, [scope], { expires_at })
      expect(expectStatus(await token.get('/api/v1/public/token'), 200).body).toEqual({
        id: token.id,
        name: 'test',
        prefix: token.token.slice(0, 23),
        scopes: [scope],
        user: owner.id,
        team_id: owner.workspace_id,
        expires_at,
      })
    }
    const free = await withToken(t, owner, ['posts:read'], { team_id: null })
    expect((await free.get('/api/v1/public/token')).body).toMatchObject({ team_id: null, expires_at: null })
  })

  test('403 for a token without scopes, 401 for a session and without credentials', async () => {
    expectProblem(await (await withToken(t, owner)).get('/api/v1/public/token'), 403, 'insufficient_scope')
    expectProblem(await owner.get('/api/v1/public/token'), 401, 'unauthenticated')
    expectProblem(await t.anyone.get('/api/v1/public/token'), 401, 'unauthenticated')
    expectProblem(await owner.get('/api/v1/token'), 404, 'not_found')
  })
})

test('the audit log records a revocation with the owner of the token, and revoking again adds no entry', async () => {
  const member = await memberOf(t, owner.workspace_id, 'editor')
  const { id } = await withToken(t, member)
  for (let time = 0; time < 2; time++) expectStatus(await owner.delete(`/api/v1/api-tokens/${id}`), 204)
  const entries = await t.deps.db
    .selectFrom('audit_entry')
    .selectAll()
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
  expect(entries).toMatchObject([
    { action: 'token.created', actor_id: member.id },
    { action: 'token.revoked', actor_id: owner.id, details: { before: { name: 'test', user_id: member.id } } },
  ])
})
