import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { announcementsArrive } from '../../../test/announcements.ts'
import { testApp } from '../../../test/app.ts'
import { type Client, client } from '../../../test/client.ts'
import { expectStatus, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { tokenCalls } from '../../../test/tokens.ts'
import { until } from '../../../test/until.ts'
import { buildApp } from '../../app.ts'
import { createDeps } from '../../deps.ts'
import type { Deps } from '../../lib/deps.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const { bearer } = tokenCalls(() => ({ t }))

describe('tokens on a second node', () => {
  let node: { call: (token: string) => Promise<number>; deps: Deps; close: () => Promise<void> }
  beforeAll(async () => {
    const deps = await createDeps(t.deps.config, t.database.connection, { clock: t.clock })
    const app = await buildApp(deps)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const address = app.server.address()
    const there = client(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
    await deps.invalidationBus.started
    node = {
      deps,
      call: async (token) => (await there.get('/api/v1/public/posts', { authorization: `Bearer ${token}` })).status,
      close: async () => {
        await app.close()
        await deps.close()
      },
    }
  })
  afterAll(() => node.close())

  /** Calls until the node has cached the token, so that it does not see unannounced changes. */
  async function withCachedToken(person: Client) {
    const token = await withToken(t, person, ['posts:read'])
    for (let call = 0; call < 5; call++) expect(await node.call(token.token)).toBe(200)
    return token
  }

  test('a change without an invalidation is not seen at once, which shows that the cache is used', async () => {
    // A beat that comes late switches the cache off for a moment.
    await until(async () => {
      const token = await withCachedToken(owner)
      await t.deps.db.updateTable('api_token').set({ revoked_at: new Date() }).where('id', '=', token.id).execute()
      expect(await node.call(token.token)).toBe(200)
    })
  })

  test('a revoked token is refused on another node by every request after the announcement, which the commit sends', async () => {
    const token = await withCachedToken(owner)
    expectStatus(await owner.delete(`/api/v1/api-tokens/${token.id}`), 204)
    expectProblem(await bearer(token.token), 401, 'unauthenticated')
    await announcementsArrive(node.deps)
    expect(await node.call(token.token)).toBe(401)
  })

  test('a node that is not connected to the invalidation bus reads each token again', async () => {
    const token = await withCachedToken(owner)
    const { isConnected } = node.deps.invalidationBus
    node.deps.invalidationBus.isConnected = () => false
    try {
      await t.deps.db.updateTable('api_token').set({ revoked_at: new Date() }).where('id', '=', token.id).execute()
      expect(await node.call(token.token)).toBe(401)
    } finally {
      node.deps.invalidationBus.isConnected = isConnected
    }
  })

  test('a token that was revoked while the node had no connection for invalidations is refused by it', async () => {
    const token = await withCachedToken(owner)
    const { rows } = await t.deps.pool.query(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
        where application_name = 'meydan-pulse' and datname = current_database()`,
    )
    expect(rows.map((row) => row.ended)).toEqual([true, true])
    expectStatus(await owner.delete(`/api/v1/api-tokens/${token.id}`), 204)
    await announcementsArrive(node.deps)
    expect(await node.call(token.token)).toBe(401)
    expectProblem(await bearer(token.token), 401, 'unauthenticated')
  })

  test('a call that began before the revocation does not put the token back into the cache', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => withToken(t, owner, ['posts:read'])))
    await Promise.all(
      tokens.map(async ({ id, token }) => {
        const calls = Array.from({ length: 5 }, () => node.call(token))
        expectStatus(await owner.delete(`/api/v1/api-tokens/${id}`), 204)
        await Promise.all([...calls, announcementsArrive(node.deps)])
        expect([await node.call(token), await node.call(token)]).toEqual([401, 401])
      }),
    )
  })
})
