import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { Client } from '../../../test/client.ts'
import { changeRole, expectStatus, memberOf, type Person, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem, withoutIds } from '../../../test/problem.ts'
import { rawRequest } from '../../../test/raw-http.ts'
import { tokenCalls } from '../../../test/tokens.ts'
import { scopes } from '../../lib/http/scopes.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const { create, bearer } = tokenCalls(() => ({ t }))

/** Computes the checksum of the decisions bit by bit: CRC-32 (IEEE 802.3), six digits of base62. */
function checksum(text: string) {
  let crc = 0xffffffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  let number = (crc ^ 0xffffffff) >>> 0
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.charAt(number % 62) + digits
    number = Math.floor(number / 62)
  }
  return digits
}

describe('POST /api-tokens', () => {
  test('201 returns a token with a prefix and a checksum that anybody can verify', async () => {
    const { body, headers } = expectStatus(await create(owner, { name: 'CI', scopes: ['posts:read'] }), 201)
    expect(body).toEqual({
      id: expect.any(String),
      user: owner.id,
      team_id: owner.workspace_id,
      name: 'CI',
      prefix: expect.stringMatching(/^meydan_pat_[0-9A-Za-z]{12}$/),
      scopes: ['posts:read'],
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      rotated_at: null,
      previous_expires_at: null,
      created_at: expect.any(String),
      token: expect.stringMatching(/^meydan_pat_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}$/),
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.token.startsWith(`${body.prefix}_`)).toBe(true)
    expect(body.token.slice(-6)).toBe(checksum(body.token.slice(0, -6)))
  })

  test('the token is shown once, only a hash is stored, and the hash is never shown', async () => {
    const { body } = expectStatus(await create(owner), 201)
    const secret = body.token.split('_').at(-1).slice(0, 30)
    const { hashed_token } = await t.deps.db
      .selectFrom('api_token')
      .select('hashed_token')
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow()
    expect(hashed_token).not.toContain(secret)
    const list = expectStatus(await owner.get('/api/v1/api-tokens'), 200)
    expect(list.body.data.map((token: { prefix: string }) => token.prefix)).toContain(body.prefix)
    for (const response of [JSON.stringify(body), JSON.stringify(list.body)]) {
      expect(response).not.toContain('hashed_token')
      expect(response).not.toContain(hashed_token)
    }
    expect(JSON.stringify(list.body)).not.toContain(secret)
    const audited = await t.deps.db.selectFrom('audit_entry').selectAll().where('target_id', '=', body.id).execute()
    expect(audited.map((entry) => entry.action)).toEqual(['token.created'])
    expect(JSON.stringify(audited)).not.toContain(secret)
  })

  test('the audit log has the name of a new token, and what it may do, where and until when', async () => {
    const expires_at = new Date(t.clock.now().getTime() + 86_400_000).toISOString()
    const { id } = expectStatus(await create(owner, { name: 'Audited', scopes: ['posts:read'], expires_at }), 201).body
    const path = '/api/v1/workspace/audit-log?action=token.created'
    const { data } = expectStatus(await owner.get(path), 200).body
    const entry = data.find(({ target_id }: { target_id: string }) => target_id === id)
    const after = { name: 'Audited', scopes: ['posts:read'], team_id: owner.workspace_id, expires_at }
    expect(entry.details).toEqual({ after })
  })

  test('201 without scopes creates a token without any, and a null team_id one for all workspaces', async () => {
    expect((await create(owner)).body).toMatchObject({ scopes: [], team_id: owner.workspace_id })
    expect((await create(owner, { team_id: null })).body.team_id).toBeNull()
    expect((await create(owner, { team_id: owner.workspace_id })).body.team_id).toBe(owner.workspace_id)
  })

  test.each(['', ' ', 'A\nB', 'A\u202eB', 'A\u200bB', '\u200d'])('400 for the name %j', async (name) => {
    expectProblem(await create(owner, { name }), 400, 'validation_failed', '/name')
  })

  test('400 for an unknown scope, which the message names', async () => {
    const response = await create(owner, { scopes: ['posts:read', 'posts:destroy'] })
    const { errors } = expectProblem(response, 400, 'validation_failed', '/scopes/1')
    expect(errors[0].message).toContain('posts:destroy')
    for (const scope of ['', 'posts', 'constructor', '__proto__', 'POSTS:READ', 'posts:read '])
      expectProblem(await create(owner, { scopes: [scope] }), 400, 'validation_failed', '/scopes/0')
  })

  test.each([
    [{ name: '' }, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: 'x'.repeat(81) }, '/name'],
    [{ scopes: 'posts:read' }, '/scopes'],
    [{ scopes: null }, '/scopes'],
    [{ scopes: ['posts:read', 'posts:read'] }, '/scopes'],
    [{ scopes: [1] }, '/scopes/0'],
    [{ team_id: 'mine' }, '/team_id'],
    [{ team_id: '01890000-0000-7000-8000-000000000000' }, '/team_id'],
    [{ expires: 'never' }, '/expires'],
  ])('400 for %j, with its pointer', async (body, pointer) => {
    expectProblem(await create(owner, body), 400, 'validation_failed', pointer)
  })

  test('400 for a scope that the role of a viewer cannot grant', async () => {
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    expectStatus(await create(viewer, { scopes: ['posts:read'] }), 201)
    const response = await create(viewer, { scopes: ['posts:read', 'posts:write'] })
    expectProblem(response, 400, 'validation_failed', '/scopes/1')
  })

  test('400 for a token without scopes when API_TOKEN_SCOPES_REQUIRED is set', async () => {
    const strict = await testApp({ API_TOKEN_SCOPES_REQUIRED: 'true' })
    try {
      const person = await withWorkspace(strict)
      for (const body of [{}, { scopes: [] }]) {
        const { errors } = expectProblem(await create(person, body), 400, 'validation_failed', '/scopes')
        expect(errors[0].code).toBe('required')
      }
      expectStatus(await create(person, { scopes: ['posts:read'] }), 201)
    } finally {
      await strict.close()
    }
  })

  test('401 without credentials, 403 with a token', async () => {
    expectProblem(await create(t.anyone), 401, 'unauthenticated')
    expectProblem(await create(await withToken(t, owner)), 403, 'token_not_accepted')
    expectProblem(await create(await withToken(t, owner, ['posts:write'])), 403, 'token_not_accepted')
  })
})

describe('the permissions of a token', () => {
  test('a scope permits its routes under /public, and write includes read but not the reverse', async () => {
    const reader = await withToken(t, owner, ['posts:read'])
    const writer = await withToken(t, owner, ['posts:write'])
    expectStatus(await reader.get('/api/v1/public/posts'), 200)
    expectStatus(await writer.get('/api/v1/public/posts'), 200)
    expectStatus(await writer.post('/api/v1/public/posts', { content: 'Hello' }), 201)
    expect(
      expectProblem(await reader.post('/api/v1/public/posts', { content: 'Hello' }), 403, 'insufficient_scope'),
    ).toMatchObject({ scope: 'posts:write', detail: expect.stringContaining('posts:write') })
    expect(expectProblem(await writer.get('/api/v1/public/accounts'), 403, 'insufficient_scope').scope).toBe(
      'accounts:read',
    )
  })

  test('a refusal says what the token lacks, or what accepts none', async () => {
    const person = await withWorkspace(t)
    const [scoped, bare] = [await withToken(t, person, ['posts:read']), await withToken(t, person)]
    const unbound = await withToken(t, person, [], { team_id: null })
    const second = expectStatus(await person.post('/api/v1/workspaces', { name: 'Of a refusal' }), 201).body
    for (const [response, code, detail] of [
      [await scoped.post('/api/v1/public/posts', {}), 'insufficient_scope', 'The token lacks the scope posts:write.'],
      [await bare.get('/api/v1/public/token'), 'insufficient_scope', 'The token has no scope.'],
      [
        await scoped.get('/api/v1/posts'),
        'token_not_accepted',
        'A token with scopes can only call paths under /api/v1/public.',
      ],
      [await bare.post('/api/v1/api-tokens', {}), 'token_not_accepted', 'This requires a signed-in session.'],
      [
        await bare.post('/api/v1/workspaces', { name: 'x' }),
        'token_not_accepted',
        'This token is bound to one workspace.',
      ],
      [
        await bare.get('/api/v1/posts', { 'x-workspace-id': second.id }),
        'token_not_accepted',
        'This token is bound to another workspace than the one that X-Workspace-Id names.',
      ],
    ] as const)
      expect(expectProblem(response, 403, code).detail).toBe(detail)
    const { detail } = expectProblem(await unbound.get('/api/v1/posts'), 409, 'workspace_required')
    expect(detail).toBe('Name a workspace in X-Workspace-Id, choose one with PATCH /api/v1/me, or create one.')
  })

  test('the scope is checked before the body, the id and the role', async () => {
    const reader = await withToken(t, owner, ['posts:read'])
    expectProblem(await reader.post('/api/v1/public/posts', '{not json'), 403, 'insufficient_scope')
    expectProblem(await reader.delete('/api/v1/public/posts/no-id'), 403, 'insufficient_scope')
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const response = await (await withToken(t, viewer, ['posts:read'])).post('/api/v1/public/posts', {})
    expectProblem(response, 403, 'insufficient_scope')
  })

  test('a token with scopes permits nothing outside /public', async () => {
    const token = await withToken(t, owner, Object.keys(scopes))
    for (const path of ['/api/v1/posts', '/api/v1/me', '/api/v1/workspace', '/api/v1/api-tokens'])
      expectProblem(await token.get(path), 403, 'token_not_accepted')
  })

  test('a token without scopes permits what a session of its owner does, and nothing under /public', async () => {
    const token = await withToken(t, owner)
    expectStatus(await token.get('/api/v1/posts'), 200)
    expectStatus(await token.post('/api/v1/posts', { content: 'Hello' }), 201)
    expect((await token.get('/api/v1/workspace')).body).toMatchObject({ id: owner.workspace_id, role: 'owner' })
    expect(expectProblem(await token.get('/api/v1/public/posts'), 403, 'insufficient_scope').scope).toBe('posts:read')
    expectProblem(await token.delete(`/api/v1/api-tokens/${token.id}`), 403, 'token_not_accepted')
  })

  test("a change of the owner's role applies to the token's next call", async () => {
    const member = await memberOf(t, owner.workspace_id, 'editor')
    const token = await withToken(t, member, ['posts:write'])
    const other = await withToken(t, member, ['accounts:write'])
    await changeRole(t, member, 'author')
    expectStatus(await token.post('/api/v1/public/posts', { content: 'Hello' }), 201)
    expectProblem(await other.post('/api/v1/public/accounts', { network: 'playground' }), 403, 'forbidden_role')
  })

  test('nobody can grant a scope above their own role', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const createWithScopes = (scopes: string[]) => author.post('/api/v1/api-tokens', { name: 'x', scopes })
    expectStatus(await createWithScopes(['posts:write', 'webhooks:read']), 201)
    expectProblem(await createWithScopes(['posts:read', 'webhooks:write']), 400, 'validation_failed', '/scopes/1')
  })

  test('a token of a workspace is refused when the header names another one', async () => {
    const { body: second } = expectStatus(await owner.post('/api/v1/workspaces', { name: 'The second of two' }), 201)
    const header = { 'x-workspace-id': second.id }
    const bound = await withToken(t, owner.with({ 'x-workspace-id': owner.workspace_id }))
    expectProblem(await bound.get('/api/v1/workspace', header), 403, 'token_not_accepted')
    const { slug } = expectStatus(await bound.get('/api/v1/workspace'), 200).body
    for (const own of [owner.workspace_id, slug])
      expectStatus(await bound.get('/api/v1/workspace', { 'x-workspace-id': own }), 200)
    for (const foreign of ['nobody', '01a1fe53-b69f-70d7-9809-5b92f6071600'])
      expectProblem(await bound.get('/api/v1/workspace', { 'x-workspace-id': foreign }), 403, 'token_not_accepted')
    expectProblem(await bound.post('/api/v1/workspaces', { name: 'A third' }), 403, 'token_not_accepted')
    const free = await withToken(t, owner.with(header), [], { team_id: null })
    expectProblem(await free.get('/api/v1/workspace'), 409, 'workspace_required')
    expect((await free.get('/api/v1/workspace', header)).body.id).toBe(second.id)
    const stranger = await withWorkspace(t)
    const foreign = await free.get('/api/v1/workspace', { 'x-workspace-id': stranger.workspace_id })
    expectProblem(foreign, 404, 'not_found')
    // Back to one workspace for the tests that follow.
    await t.deps.db.deleteFrom('workspace').where('id', '=', second.id).execute()
  })

  test('a session cookie permits nothing under /public', async () => {
    expectProblem(await owner.get('/api/v1/public/posts'), 401, 'unauthenticated')
  })

  test('cookies are ignored when there is an Authorization header', async () => {
    const stranger = await withToken(t, await withWorkspace(t))
    const both = await owner.get('/api/v1/me', { authorization: `Bearer ${stranger.token}` })
    expect(expectStatus(both, 200).body.id).not.toBe(owner.id)
    expectProblem(await owner.get('/api/v1/me', { authorization: 'Bearer wrong' }), 401, 'unauthenticated')
  })
})

describe('invalid credentials', () => {
  test('every kind of invalid token gets the same 401', async () => {
    const { token } = await withToken(t, owner, ['posts:read'])
    expectStatus(await bearer(token), 200)
    const signed = (body: string) => body + checksum(body)
    const [, , id = '', rest = ''] = token.split('_')
    const other = (digit: string) => (digit === 'A' ? 'B' : 'A')
    const reference = await bearer('x')
    expectProblem(reference, 401, 'unauthenticated')
    for (const wrong of [
      signed(`meydan_pat_${id}_${other(rest.charAt(0))}${rest.slice(1, 30)}`),
      signed(`meydan_pat_${other(id.charAt(0))}${id.slice(1)}_${rest.slice(0, 30)}`),
      token.slice(0, -1) + other(token.slice(-1)),
      token.slice(0, -1),
      `${token}0`,
      token.toLowerCase(),
      `meydan_pat_${id}`,
      signed('meydan_pat__'),
      token.replace('meydan', 'Meydan'),
      'x'.repeat(4000),
      '',
    ])
      expect(withoutIds(await bearer(wrong))).toEqual(withoutIds(reference))
  })

  test('the scheme Bearer is accepted in any letter case, and Basic counts as no credentials', async () => {
    const { token } = await withToken(t, owner, ['posts:read'])
    for (const scheme of ['bearer', 'BEARER', 'Bearer ', 'bEaReR'])
      expectStatus(await t.anyone.get('/api/v1/public/posts', { authorization: `${scheme} ${token}` }), 200)
    for (const authorization of [token, `Token ${token}`, `Bearer${token}`, `Bearer ${token} x`, 'Bearer', 'Bearer  '])
      expectProblem(await t.anyone.get('/api/v1/public/posts', { authorization }), 401, 'unauthenticated')
    const basic = { authorization: `Basic ${Buffer.from('proxy:password').toString('base64')}` }
    expectProblem(await t.anyone.get('/api/v1/public/posts', basic), 401, 'unauthenticated')
    expect(expectStatus(await owner.get('/api/v1/me', basic), 200).body.id).toBe(owner.id)
  })

  test('two Authorization headers are refused, even when both are valid', async () => {
    const { token } = await withToken(t, owner, ['posts:read'])
    const get = (...headers: string[]) =>
      rawRequest(t.url, ['GET /api/v1/public/posts HTTP/1.1', 'host: x', 'connection: close', ...headers, '', ''])
    const header = `Authorization: Bearer ${token}`
    expect((await get(header)).status).toBe(200)
    for (const second of [header, 'authorization: Bearer x', 'Authorization: Basic eDp4', 'Authorization:'])
      for (const headers of [
        [header, second],
        [second, header],
      ])
        expectProblem(await get(...headers), 401, 'unauthenticated')
  })
})

describe('GET /api-tokens', () => {
  const idsFor = async (person: Client, headers?: Record<string, string>) =>
    expectStatus(await person.get('/api/v1/api-tokens', headers), 200).body.data.map((row: { id: string }) => row.id)

  test("200 lists one's own tokens for this and for all workspaces, and for admins every token of this workspace", async () => {
    const boss = await withWorkspace(t)
    const people = {} as Record<'admin' | 'editor' | 'viewer', Person>
    for (const role of ['admin', 'editor', 'viewer'] as const) people[role] = await memberOf(t, boss.workspace_id, role)
    const { admin, editor, viewer } = people
    const bound = await withToken(t, editor)
    const free = await withToken(t, editor, [], { team_id: null })
    const bosss = await withToken(t, boss)
    await withToken(t, await withWorkspace(t))
    expect(await idsFor(editor)).toEqual([free.id, bound.id])
    expect(await idsFor(viewer)).toEqual([])
    expect(await idsFor(admin)).toEqual([bosss.id, bound.id])
    expect(await idsFor(boss)).toEqual([bosss.id, bound.id])
  })

  test("200 lists one's own tokens of another workspace in that workspace", async () => {
    const person = await withWorkspace(t)
    const first = await withToken(t, person)
    const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: 'Where tokens are listed' }), 201)
    const there = { 'x-workspace-id': body.id }
    const second = await withToken(t, person.with(there))
    expect(await idsFor(person, there)).toEqual([second.id])
    expect(await idsFor(person, { 'x-workspace-id': person.workspace_id })).toEqual([first.id])
  })
})

describe('last_used_at', () => {
  test('last_used_at is saved to the minute, in batches', async () => {
    const token = await withToken(t, owner, ['posts:read'])
    const lastUsed = async () =>
      (await owner.get('/api/v1/api-tokens')).body.data.find((row: { id: string }) => row.id === token.id).last_used_at
    t.clock.advance(60_000 - (t.clock.now().getTime() % 60_000) + 45_000)
    const minute = new Date(t.clock.now().getTime() - 45_000).toISOString()
    for (let call = 0; call < 3; call++) expectStatus(await bearer(token.token), 200)
    expect(await lastUsed()).toBeNull()
    await t.deps.lastUse.flush()
    expect(await lastUsed()).toBe(minute)
    t.clock.advance(60_000)
    expectStatus(await bearer(token.token), 200)
    await t.deps.lastUse.flush()
    expect(await lastUsed()).toBe(new Date(Date.parse(minute) + 60_000).toISOString())
  })

  test('last_used_at is not saved for a wrong secret or a revoked token', async () => {
    const token = await withToken(t, owner, ['posts:read'])
    const body = `${token.token.slice(0, 24)}${'0'.repeat(30)}`
    expectProblem(await bearer(body + checksum(body)), 401, 'unauthenticated')
    expectStatus(await owner.delete(`/api/v1/api-tokens/${token.id}`), 204)
    expectProblem(await bearer(token.token), 401, 'unauthenticated')
    await t.deps.lastUse.flush()
    expect((await owner.get('/api/v1/api-tokens?limit=1')).body.data[0]).toMatchObject({
      id: token.id,
      last_used_at: null,
    })
  })
})
