import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { type Client, client } from '../../../test/client.ts'
import { expectStatus, type WorkspaceOwner, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { tokenCalls } from '../../../test/tokens.ts'
import { buildApp } from '../../app.ts'
import { createDeps } from '../../deps.ts'

let t: TestApp
let owner: WorkspaceOwner
beforeAll(async () => {
  t = await testApp()
  owner = await withWorkspace(t)
})
afterAll(() => t.close())

const { bearer } = tokenCalls(() => ({ t }))

describe('tokens on a second node', () => {
  let node: { call: (token: string) => Promise<number>; close: () => Promise<void> }
  beforeAll(async () => {
    const deps = await createDeps(t.deps.config, t.database.connection, { clock: t.clock })
    const app = await buildApp(deps)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const address = app.server.address()
    const there = client(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
    await deps.invalidationBus.started
    node = {
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
  /** Measures how long the node still accepts a token, in milliseconds. */
  async function timeUntilRefused(token: string) {
    const start = performance.now()
    await vi.waitFor(async () => expect(await node.call(token)).toBe(401), { timeout: 5000, interval: 5 })
    return performance.now() - start
  }

  test('a change without an invalidation is not seen at once, which shows that the cache is used', async () => {
    const token = await withCachedToken(owner)
    await t.deps.db.updateTable('api_token').set({ revoked_at: new Date() }).where('id', '=', token.id).execute()
    expect(await node.call(token.token)).toBe(200)
  })

  test('a revoked token is refused on another node within a second', async () => {
    const token = await withCachedToken(owner)
    expectStatus(await owner.delete(`/api/v1/api-tokens/${token.id}`), 204)
    expectProblem(await bearer(token.token), 401, 'unauthenticated')
    expect(await timeUntilRefused(token.token)).toBeLessThan(1000)
  })

  test('a revoked token is refused within a second, even when the node lost its connection for invalidations', async () => {
    const token = await withCachedToken(owner)
    const { rows } = await t.deps.pool.query(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
        where application_name = 'meydan-pulse' and datname = current_database()`,
    )
    expect(rows.map((row) => row.ended)).toEqual([true, true])
    expectStatus(await owner.delete(`/api/v1/api-tokens/${token.id}`), 204)
    expect(await timeUntilRefused(token.token)).toBeLessThan(1000)
    expectProblem(await bearer(token.token), 401, 'unauthenticated')
  })

  test('a call that began before the revocation does not put the token back into the cache', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => withToken(t, owner, ['posts:read'])))
    await Promise.all(
      tokens.map(async ({ id, token }) => {
        const calls = Array.from({ length: 5 }, () => node.call(token))
        expectStatus(await owner.delete(`/api/v1/api-tokens/${id}`), 204)
        await Promise.all(calls)
        expect(await timeUntilRefused(token)).toBeLessThan(1000)
        expect(await node.call(token)).toBe(401)
      }),
    )
  })
})
