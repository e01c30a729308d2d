import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, signedIn, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem, withoutIds } from '../../../test/problem.ts'
import { tokenCalls } from '../../../test/tokens.ts'
import { inTransaction } from '../../lib/db/database.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const { bearer } = tokenCalls(() => ({ t }))

describe('DELETE /api-tokens/:id', () => {
  test('a token that was just used is refused in the next call', async () => {
    for (let round = 0; round < 50; round++) {
      const { id, token } = await withToken(t, owner, ['posts:read'])
      for (let call = 0; call < 2; call++) expectStatus(await bearer(token), 200)
      expectStatus(await owner.delete(`/api/v1/api-tokens/${id}`), 204)
      expectProblem(await bearer(token), 401, 'unauthenticated')
    }
  })

  test('204 revokes the token at once, 204 again, and it stays in the list with the time', async () => {
    const token = await withToken(t, owner, ['posts:read'])
    expectStatus(await bearer(token.token), 200)
    expect((await owner.delete(`/api/v1/api-tokens/${token.id}`)).status).toBe(204)
    expectProblem(await bearer(token.token), 401, 'unauthenticated')
    const { body } = await owner.get('/api/v1/api-tokens?limit=1')
    expect(body.data[0]).toMatchObject({ id: token.id, revoked_at: t.clock.now().toISOString() })
    t.clock.advance(1000)
    expect((await owner.delete(`/api/v1/api-tokens/${token.id}`)).status).toBe(204)
    expect((await owner.get('/api/v1/api-tokens?limit=1')).body).toEqual(body)
  })

  test('404 for a token that the caller cannot see, with the response of an unknown one', async () => {
    const [stranger, viewer] = [await withWorkspace(t), await memberOf(t, owner.workspace_id, 'viewer')]
    const token = await withToken(t, owner, ['posts:read'])
    const absent = await owner.delete('/api/v1/api-tokens/01890000-0000-7000-8000-000000000000')
    expectProblem(absent, 404, 'not_found')
    for (const person of [stranger, viewer])
      expect(withoutIds(await person.delete(`/api/v1/api-tokens/${token.id}`))).toEqual(withoutIds(absent))
    expectStatus(await bearer(token.token), 200)
  })

  test('an admin of the workspace can revoke tokens of its members, except those for all workspaces', async () => {
    const member = await memberOf(t, owner.workspace_id, 'author')
    const admin = await memberOf(t, owner.workspace_id, 'admin')
    const [bound, free] = [await withToken(t, member), await withToken(t, member, [], { team_id: null })]
    expectStatus(await admin.delete(`/api/v1/api-tokens/${bound.id}`), 204)
    expectProblem(await bound.get('/api/v1/me'), 401, 'unauthenticated')
    expectProblem(await admin.delete(`/api/v1/api-tokens/${free.id}`), 404, 'not_found')
    expectStatus(await free.get('/api/v1/me'), 200)
  })

  test('400 for an invalid id, 401 without credentials, 403 with a token', async () => {
    expectProblem(await owner.delete('/api/v1/api-tokens/1'), 400, 'validation_failed', '/id')
    const token = await withToken(t, owner)
    expectProblem(await t.anyone.delete(`/api/v1/api-tokens/${token.id}`), 401, 'unauthenticated')
    expectProblem(await token.delete(`/api/v1/api-tokens/${token.id}`), 403, 'token_not_accepted')
  })
})

describe('tokens of removed members', () => {
  test('removing a member revokes their tokens for the workspace, also cached ones', async () => {
    const member = await memberOf(t, owner.workspace_id, 'editor')
    const bound = await withToken(t, member, ['posts:read'])
    const free = await withToken(t, member, ['posts:read'], { team_id: null })
    for (const { token } of [bound, free, bound, free]) expectStatus(await bearer(token), 200)
    await inTransaction(t.deps.db, async (tx) => {
      await tx.deleteFrom('workspace_member').where('user_id', '=', member.id).execute()
      await t.deps.invalidationBus.invalidate(tx, 'access')
    })
    expectProblem(await bearer(bound.token), 401, 'unauthenticated')
    expectProblem(await bearer(free.token), 409, 'workspace_required')
    const named = await free.get('/api/v1/public/posts', { 'x-workspace-id': owner.workspace_id })
    expectProblem(named, 404, 'not_found')
  })

  test('a token of a deleted user is refused', async () => {
    const person = await signedIn(t)
    expectStatus(await person.post('/api/v1/workspaces', { name: 'Of somebody who leaves' }), 201)
    const token = await withToken(t, person, ['posts:read'])
    await t.deps.db.deleteFrom('user').where('id', '=', person.id).execute()
    expectProblem(await bearer(token.token), 401, 'unauthenticated')
  })
})
