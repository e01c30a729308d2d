import { afterAll, describe, expect, test } from 'vitest'
import { accountCalls } from '../../../../test/accounts.ts'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { saveCredentials } from '../accounts.ts'

const t = await testApp()
const bluesky = await blueskyServer()
const owner = await withWorkspace(t)
afterAll(() => bluesky.close())

const { connectBluesky } = accountCalls(() => ({ owner, bluesky }))

describe('POST /accounts/:id/check', () => {
  const check = (id: string, person = owner) => person.post(`/api/v1/accounts/${id}/check`)
  const connected = async (person = owner) => {
    const fields = bluesky.addAccount()
    return { fields, account: expectStatus(await connectBluesky(fields, person), 201).body }
  }
  const disconnections = async ({ workspace_id }: WorkspaceOwner) => {
    const rows = await t.deps.db
      .selectFrom('event')
      .select('payload')
      .where('workspace_id', '=', workspace_id)
      .where('type', '=', 'account.disconnected')
      .execute()
    return rows.map(({ payload }) => JSON.parse(payload.toString()).data.account)
  }

  test('200 keeps an account connected that the network accepts, and saves the time of the check', async () => {
    const { account } = await connected()
    for (const id of [await playgroundAccount(owner), account.id]) {
      const before = (await owner.get(`/api/v1/accounts/${id}`)).body
      const { body } = expectStatus(await check(id), 200)
      expect(body).toEqual({ ...before, checked_at: t.clock.now().toISOString() })
      expect((await owner.get(`/api/v1/accounts/${id}`)).body).toEqual(body)
    }
  })

  test('200 renews an expired session and saves the new one', async () => {
    const { account } = await connected()
    bluesky.expireAccess()
    expect(expectStatus(await check(account.id), 200).body.status).toBe('connected')
    const renewals = bluesky.count('refreshSession')
    expect(expectStatus(await check(account.id), 200).body.status).toBe('connected')
    expect(bluesky.count('refreshSession')).toBe(renewals)
  })

  test('200 disconnects an account that the network refuses, with one event', async () => {
    const person = await withWorkspace(t)
    const { account, fields } = await connected(person)
    bluesky.changePassword(fields.handle)
    const { body } = expectStatus(await check(account.id, person), 200)
    expect(body).toMatchObject({
      status: 'disconnected',
      status_detail: 'Invalid identifier or password',
      checked_at: t.clock.now().toISOString(),
    })
    t.advance(1000)
    expect(expectStatus(await check(account.id, person), 200).body).toEqual({
      ...body,
      checked_at: t.clock.now().toISOString(),
    })
    expect(await disconnections(person)).toEqual([body])
  })

  test('200 treats credentials that cannot be decrypted as refused', async () => {
    const { account } = await connected()
    await t.deps.db.updateTable('account').set({ credentials: 'v1.gone.AAAA' }).where('id', '=', account.id).execute()
    expect(expectStatus(await check(account.id), 200).body.status).toBe('disconnected')
  })

  test('200 reconnects an account that the network accepts again, and failed posts wait for a retry', async () => {
    const { account, fields } = await connected()
    bluesky.changePassword(fields.handle)
    const post = { content: 'Late', account_ids: [account.id], publish_now: true }
    const { id } = expectStatus(await owner.post('/api/v1/posts', post), 201).body
    await t.runJobs()
    expect((await owner.get(`/api/v1/accounts/${account.id}`)).body.status).toBe('disconnected')
    const credentials = { service: bluesky.url, ...fields, app_password: 'another' }
    await saveCredentials(t.deps.db, t.deps, account.id, JSON.stringify(credentials))
    expect(expectStatus(await check(account.id), 200).body).toMatchObject({ status: 'connected', status_detail: null })
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('failed')
    expectStatus(await owner.post(`/api/v1/posts/${id}/retry`), 200)
  })

  test('200 leaves an account connected that was reconnected during the check, whatever the network says of the old credentials', async () => {
    const person = await withWorkspace(t)
    const { account, fields } = await connected(person)
    bluesky.changePassword(fields.handle)
    const { safeFetch } = t.deps
    t.deps.safeFetch = async (...request) => {
      t.deps.safeFetch = safeFetch
      await t.deps.db.updateTable('account').set({ status: 'disconnected' }).where('id', '=', account.id).execute()
      expectStatus(await connectBluesky({ ...fields, app_password: 'another' }, person), 201)
      return safeFetch(...request)
    }
    const { body } = expectStatus(await check(account.id, person), 200)
    expect(body).toMatchObject({ status: 'connected', checked_at: null })
    expect(await disconnections(person)).toEqual([])
  })

  test('200 does not overwrite the session of a later connection with one renewed from the old credentials', async () => {
    const person = await withWorkspace(t)
    const { account, fields } = await connected(person)
    const stored = async () =>
      (await t.deps.db.selectFrom('account').select('credentials').where('id', '=', account.id).executeTakeFirst())
        ?.credentials
    bluesky.expireAccess()
    let newer: string | null | undefined
    const { safeFetch } = t.deps
    t.deps.safeFetch = async (...request) => {
      const response = await safeFetch(...request)
      if (!String(request[0]).includes('refreshSession')) return response
      t.deps.safeFetch = safeFetch
      expectStatus(await person.delete(`/api/v1/accounts/${account.id}`), 204)
      expectStatus(await connectBluesky(fields, person), 201)
      newer = await stored()
      return response
    }
    expectStatus(await check(account.id, person), 200)
    expect(newer).toMatch(/./)
    expect(await stored()).toBe(newer)
  })

  test.each([
    ['is not JSON', { kind: 'garbage' }],
    ['never ends', { kind: 'flood' }],
    ['is a server error', { kind: 'response', status: 500 }],
    ['is a rate limit', { kind: 'response', status: 429 }],
    ['is cut off', { kind: 'hang_up', arrives: false }],
  ] as const)('400 account_unreachable when the response %s, and nothing is saved', async (_, failure) => {
    const { account } = await connected()
    bluesky.failAlways(failure)
    const response = await check(account.id)
    bluesky.failAlways()
    expectProblem(response, 400, 'account_unreachable')
    expect((await owner.get(`/api/v1/accounts/${account.id}`)).body).toEqual(account)
  })

  test('403 for viewers and authors, and for tokens that may only read', async () => {
    const id = await playgroundAccount(owner)
    expectProblem(await check(id, await memberOf(t, owner.workspace_id, 'author')), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['accounts:read'])
    expectProblem(await reader.post(`/api/v1/public/accounts/${id}/check`), 403, 'insufficient_scope')
  })

  test('404 for an account that was disconnected in Meydan, and for one of another workspace', async () => {
    const [gone, foreign] = [await playgroundAccount(owner), await playgroundAccount(await withWorkspace(t))]
    expectStatus(await owner.delete(`/api/v1/accounts/${gone}`), 204)
    for (const id of [gone, foreign]) expectProblem(await check(id), 404, 'not_found')
  })
})
