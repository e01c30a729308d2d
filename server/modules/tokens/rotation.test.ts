import { describe, expect, test } from 'vitest'
import { announcementsArrive } from '../../../test/announcements.ts'
import { testApp } from '../../../test/app.ts'
import { type Client, client } from '../../../test/client.ts'
import { expectStatus, memberOf, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem, withoutIds } from '../../../test/problem.ts'
import { buildApp } from '../../app.ts'
import { createDeps } from '../../deps.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const HOUR = 3600
const use = async (token: string, at = t.anyone) =>
  (await at.get('/api/v1/public/posts', { authorization: `Bearer ${token}` })).status
const rotate = (person: Client, id: string, body: unknown = {}, headers?: Record<string, string>) =>
  person.post(`/api/v1/api-tokens/${id}/rotate`, body, headers)
const make = (more = {}) => withToken(t, owner, ['posts:read'], more)
const row = (id: string) => t.deps.db.selectFrom('api_token').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('POST /api-tokens/:id/rotate', () => {
  test('200 returns a new secret for the same token, and the former one is valid until the overlap ends', async () => {
    const { id, token } = await make()
    const [before] = expectStatus(await owner.get('/api/v1/api-tokens?limit=1'), 200).body.data
    const now = t.clock.now()
    const { body, headers } = expectStatus(await rotate(owner, id, { overlap_seconds: HOUR }), 200)
    expect(body).toEqual({
      ...before,
      rotated_at: now.toISOString(),
      previous_expires_at: new Date(now.getTime() + HOUR * 1000).toISOString(),
      token: expect.stringMatching(/^meydan_pat_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}$/),
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.token.startsWith(`${body.prefix}_`)).toBe(true)
    expect(body.token).not.toBe(token)
    expect([await use(token), await use(body.token)]).toEqual([200, 200])
    t.clock.advance(HOUR * 1000 - 1)
    expect([await use(token), await use(body.token)]).toEqual([200, 200])
    t.clock.advance(1)
    expect([await use(token), await use(body.token)]).toEqual([401, 200])
  })

  test('the overlap is a day by default', async () => {
    const { id } = await make()
    const { body } = expectStatus(await rotate(owner, id), 200)
    expect(Date.parse(body.previous_expires_at) - t.clock.now().getTime()).toBe(24 * HOUR * 1000)
  })

  test('without an overlap the former secret is refused in the next call to the same node', async () => {
    const { id, token } = await make()
    expect(await use(token)).toBe(200)
    const { body } = expectStatus(await rotate(owner, id, { overlap_seconds: 0 }), 200)
    expect(body.previous_expires_at).toBeNull()
    expect([await use(token), await use(body.token)]).toEqual([401, 200])
    expect((await row(id)).previous_hashed_token).toBeNull()
  })

  test('a second rotation within the overlap ends the oldest secret', async () => {
    const { id, token: first } = await make()
    const second = expectStatus(await rotate(owner, id), 200).body.token
    const third = expectStatus(await rotate(owner, id), 200).body.token
    expect([await use(first), await use(second), await use(third)]).toEqual([401, 200, 200])
  })

  test('two concurrent rotations both succeed, one after the other, and leave the newest two secrets', async () => {
    const minute = { overlap_seconds: 60 }
    for (let round = 0; round < 10; round++) {
      const { id, token: first } = await make()
      const responses = await Promise.all([rotate(owner, id, minute), rotate(owner, id, minute)])
      const [a, b] = responses.map((response) => expectStatus(response, 200).body.token as string)
      expect(await use(first)).toBe(401)
      expect([await use(a ?? ''), await use(b ?? '')]).toEqual([200, 200])
      t.clock.advance(60_000)
      expect([await use(a ?? ''), await use(b ?? '')].sort()).toEqual([200, 401])
    }
  })

  test('a concurrent rotation and revocation leave no valid secret', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, token } = await make()
      const [rotated] = await Promise.all([rotate(owner, id), owner.delete(`/api/v1/api-tokens/${id}`)])
      if (rotated.status === 200) expect(await use(rotated.body.token)).toBe(401)
      else expectProblem(rotated, 409, 'invalid_transition')
      expect(await use(token)).toBe(401)
    }
  })

  test('revoking a token ends both secrets and deletes their hashes', async () => {
    const { id, token } = await make()
    const next = expectStatus(await rotate(owner, id), 200).body.token
    expect([await use(token), await use(next)]).toEqual([200, 200])
    expectStatus(await owner.delete(`/api/v1/api-tokens/${id}`), 204)
    expect([await use(token), await use(next)]).toEqual([401, 401])
    expect(await row(id)).toMatchObject({ previous_hashed_token: null, previous_expires_at: null })
  })

  test('the former secret expires together with the token', async () => {
    const expires_at = new Date(t.clock.now().getTime() + HOUR * 1000).toISOString()
    const { id, token } = await make({ expires_at })
    const { body } = expectStatus(await rotate(owner, id), 200)
    expect(body.expires_at).toBe(expires_at)
    t.clock.advance(HOUR * 1000)
    expect([await use(token), await use(body.token)]).toEqual([401, 401])
  })

  test('409 for a revoked and for an expired token, with that state', async () => {
    const revoked = await make()
    expectStatus(await owner.delete(`/api/v1/api-tokens/${revoked.id}`), 204)
    expect(expectProblem(await rotate(owner, revoked.id), 409, 'invalid_transition').state).toBe('revoked')
    const expired = await make({ expires_at: new Date(t.clock.now().getTime() + 1000).toISOString() })
    t.clock.advance(1000)
    expect(expectProblem(await rotate(owner, expired.id), 409, 'invalid_transition').state).toBe('expired')
  })

  test('403 for an admin of the workspace, who may revoke the token, and 404 for others', async () => {
    const member = await memberOf(t, owner.workspace_id, 'editor')
    const token = await withToken(t, member, ['posts:read'])
    expectProblem(await rotate(owner, token.id), 403, 'forbidden_role')
    const absent = await rotate(owner, '01890000-0000-7000-8000-000000000000')
    expectProblem(absent, 404, 'not_found')
    for (const person of [await memberOf(t, owner.workspace_id, 'viewer'), await withWorkspace(t)])
      expect(withoutIds(await rotate(person, token.id))).toEqual(withoutIds(absent))
    expect(await use(token.token)).toBe(200)
    expectStatus(await owner.delete(`/api/v1/api-tokens/${token.id}`), 204)
  })

  test('401 without credentials, 403 with a token, even with the token itself', async () => {
    const token = await withToken(t, owner)
    expectProblem(await rotate(t.anyone, token.id), 401, 'unauthenticated')
    expectProblem(await rotate(token, token.id), 403, 'token_not_accepted')
  })

  test.each([
    [{ overlap_seconds: -1 }, '/overlap_seconds'],
    [{ overlap_seconds: 604_801 }, '/overlap_seconds'],
    [{ overlap_seconds: 1.5 }, '/overlap_seconds'],
    [{ overlap_seconds: '60' }, '/overlap_seconds'],
    [{ overlap_seconds: null }, '/overlap_seconds'],
    [{ overlap: 60 }, '/overlap'],
  ])('400 for %j, and the token is unchanged', async (body, pointer) => {
    const { id, token } = await make()
    expectProblem(await rotate(owner, id, body), 400, 'validation_failed', pointer)
    expect(await use(token)).toBe(200)
    expect((await row(id)).rotated_at).toBeNull()
  })

  test('a call repeated with its Idempotency-Key rotates once and shows the secret once', async () => {
    const { id, token } = await make()
    const key = { 'idempotency-key': 'rotate-once' }
    const first = expectStatus(await rotate(owner, id, {}, key), 200)
    const again = expectStatus(await rotate(owner, id, {}, key), 200)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual({ ...first.body, token: null })
    expect([await use(token), await use(first.body.token)]).toEqual([200, 200])
    const kept = await t.deps.db.selectFrom('idempotency_key').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(first.body.token.slice(24))
  })

  test('the audit log records the rotation without a secret', async () => {
    const { id, token } = await make()
    const { body } = expectStatus(await rotate(owner, id, { overlap_seconds: 60 }), 200)
    const entries = await t.deps.db.selectFrom('audit_entry').selectAll().where('target_id', '=', id).execute()
    expect(entries.map(({ action }) => action)).toEqual(['token.created', 'token.rotated'])
    expect(entries[1]).toMatchObject({
      actor_id: owner.id,
      details: {
        name: 'test',
        before: { rotated_at: null },
        after: { rotated_at: body.rotated_at, previous_expires_at: body.previous_expires_at },
      },
    })
    for (const secret of [token, body.token]) expect(JSON.stringify(entries)).not.toContain(secret.slice(24, 50))
  })

  test('other nodes refuse the former secret after the announcement, which the commit sends', async () => {
    const deps = await createDeps(t.deps.config, t.database.connection, { clock: t.clock })
    const app = await buildApp(deps)
    try {
      await app.listen({ port: 0, host: '127.0.0.1' })
      const address = app.server.address()
      const there = client(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
      await deps.invalidationBus.started
      const { id, token } = await make()
      for (let call = 0; call < 3; call++) expect(await use(token, there)).toBe(200)
      const { body } = expectStatus(await rotate(owner, id, { overlap_seconds: 0 }), 200)
      await announcementsArrive(deps)
      expect([await use(token, there), await use(body.token, there)]).toEqual([401, 200])
    } finally {
      await app.close()
      await deps.close()
    }
  })
})
