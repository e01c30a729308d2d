import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'

const HOUR = 3_600_000

const t = await testApp()
const owner = await withWorkspace(t)

const createWebhook = async (): Promise<string> =>
  expectStatus(await owner.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] }), 201).body.id
const stats = (id: string, query = '', person = owner) => person.get(`/api/v1/webhooks/${id}/stats${query}`)
const count = (webhook_id: string, hour: Date, more: object) =>
  t.deps.db
    .insertInto('webhook_stat')
    .values({ webhook_id, hour, ...more })
    .execute()
const hoursAgo = (hours: number) => new Date(Math.floor(t.clock.now().getTime() / HOUR) * HOUR - hours * HOUR)

describe('GET /webhooks/:id/stats', () => {
  test('200 with zeros for a new webhook, in hourly buckets up to the current hour', async () => {
    const { body } = expectStatus(await stats(await createWebhook()), 200)
    expect(body).toEqual({
      period: '24h',
      delivered: 0,
      failed: 0,
      mean_duration_ms: null,
      waiting: 0,
      held: 0,
      exhausted: 0,
      buckets: Array.from({ length: 24 }, (_, n) => ({ at: hoursAgo(23 - n).toISOString(), delivered: 0, failed: 0 })),
    })
  })

  test('200 sums the hours of the period and none before it', async () => {
    const id = await createWebhook()
    await count(id, hoursAgo(24), { delivered: 1000, failed: 1000, duration_ms: 1 })
    await count(id, hoursAgo(23), { delivered: 1, failed: 0, duration_ms: 100 })
    await count(id, hoursAgo(1), { delivered: 2, failed: 3, duration_ms: 150 })
    await count(id, hoursAgo(0), { delivered: 0, failed: 1, duration_ms: 51 })
    const { body } = expectStatus(await stats(id, '?period=24h'), 200)
    expect(body).toMatchObject({ delivered: 3, failed: 4, mean_duration_ms: 43 })
    expect(body.buckets[0]).toMatchObject({ delivered: 1, failed: 0 })
    expect(body.buckets.slice(-2)).toMatchObject([
      { delivered: 2, failed: 3 },
      { delivered: 0, failed: 1 },
    ])
  })

  test.each([
    ['7d', 7],
    ['30d', 30],
  ])('200 for %s with one bucket for every UTC day', async (period, days) => {
    const id = await createWebhook()
    const midnight = new Date(t.clock.now())
    midnight.setUTCHours(0, 0, 0, 0)
    const first = midnight.getTime() - (days - 1) * 24 * HOUR
    await count(id, new Date(first - HOUR), { delivered: 1000 })
    await count(id, new Date(first), { delivered: 1 })
    await count(id, new Date(first + 23 * HOUR), { delivered: 2, failed: 5 })
    const { body } = expectStatus(await stats(id, `?period=${period}`), 200)
    expect(body).toMatchObject({ period, delivered: 3, failed: 5 })
    expect(body.buckets).toHaveLength(days)
    expect(body.buckets[0]).toEqual({ at: new Date(first).toISOString(), delivered: 3, failed: 5 })
    expect(body.buckets.at(-1).at).toBe(midnight.toISOString())
  })

  test('200 counts waiting, held and exhausted deliveries, each up to 10,000', async () => {
    const id = await createWebhook()
    for (const [state, rows] of Object.entries({ waiting: 3, held: 10_001, failed: 2 }))
      await sql`insert into delivery (webhook_id, event_id, type, state, run_at)
        select ${id}::uuid, uuidv7(), 'post.created', ${state}::delivery_state, now()
        from generate_series(1, ${rows}::int)`.execute(t.deps.db)
    expect(expectStatus(await stats(id), 200).body).toMatchObject({ waiting: 3, held: 10_000, exhausted: 2 })
  })

  test('400 for another period', async () => {
    for (const period of ['1h', '31d', ''])
      expectProblem(await stats(await createWebhook(), `?period=${period}`), 400, 'validation_failed', '/period')
  })

  test('404 for a webhook of another workspace, 200 for viewers and tokens that may read', async () => {
    const id = await createWebhook()
    expectProblem(await stats(id, '', await withWorkspace(t)), 404, 'not_found')
    expectStatus(await stats(id, '', await memberOf(t, owner.workspace_id, 'viewer')), 200)
    const reader = await withToken(t, owner, ['webhooks:read'])
    expectStatus(await reader.get(`/api/v1/public/webhooks/${id}/stats`), 200)
    const other = await withToken(t, owner, ['posts:read'])
    expectProblem(await other.get(`/api/v1/public/webhooks/${id}/stats`), 403, 'insufficient_scope')
  })
})
