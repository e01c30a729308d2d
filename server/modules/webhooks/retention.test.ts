import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { waiting } from '../../../test/people.ts'
import { until } from '../../../test/until.ts'
import { inTransaction, uuidAt } from '../../lib/db/database.ts'
import { locks } from '../../lib/db/locks.ts'
import { addJob } from '../../lib/runtime/jobs.ts'
import { eraseDeletedWorkspaces } from '../workspaces/deletion.ts'
import { keepWebhookHistory } from './retention.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR

let t: TestApp
let owner: WorkspaceOwner
let hook: string
beforeEach(async () => {
  // PostgreSQL makes the ids of events by its own clock.
  t = await testApp({}, { origin: new Date() })
  owner = await withWorkspace(t)
  hook = await webhook()
})
afterEach(() => t.close())

const webhook = async () =>
  expectStatus(await owner.post('/api/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['post.created'] }), 201).body
    .id as string
const post = async () => expectStatus(await owner.post('/api/v1/posts', { content: 'Hello' }), 201)
const keep = async () => {
  await inTransaction(t.deps.db, (tx) => addJob(tx, 'keep-webhook-history', {}))
  await t.runJobs()
}
const inDays = (days: number) => new Date(t.clock.now().getTime() + days * DAY)
const nameOf = (parent: string, days: number) =>
  `${parent}_${inDays(days).toISOString().slice(0, 10).replaceAll('-', '')}`
const partitions = async (parent = 'event') => {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_inherits
    join pg_class on pg_class.oid = inhrelid where inhparent = ${parent}::regclass order by relname`.execute(t.deps.db)
  return rows.map(({ name }) => name)
}
const count = async (table: string, where = sql`true`) => {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from ${sql.table(table)} where ${where}`.execute(t.deps.db)
  return rows[0]?.count
}
/** Creates the partitions of a past day. */
const pastDay = async (days: number) => {
  for (const parent of ['event', 'attempt'])
    await sql
      .raw(`create table ${nameOf(parent, -days)} partition of ${parent} for values
        from ('${minId(midnight(-days))}') to ('${minId(midnight(1 - days))}')`)
      .execute(t.deps.db)
}
const midnight = (days: number) => Date.parse(inDays(days).toISOString().slice(0, 10))
const minId = (ms: number) => `${uuidAt(ms).slice(0, 14)}0000-0000-000000000000`
/** Returns this many ids of that time. */
const ids = (at: Date, many: number) =>
  sql`(select (left(${uuidAt(at.getTime())}, 24) || lpad(to_hex(i), 12, '0'))::uuid as id from generate_series(1, ${many}::int) i) made`
const event = (at: Date) =>
  sql`insert into event select id, ${owner.workspace_id}::uuid, 'post.created', '{}', ${at} from ${ids(at, 1)}`.execute(
    t.deps.db,
  )
const delivery = (at: Date, { state = 'waiting', of = hook, many = 1 } = {}) =>
  sql`insert into delivery (id, webhook_id, event_id, type, state, run_at)
    select id, ${of}::uuid, id, 'post.created', ${state}::delivery_state, ${at} from ${ids(at, many)}`.execute(
    t.deps.db,
  )
const attempt = (at: Date, { of = hook, many = 1 } = {}) =>
  sql`insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, duration_ms)
    select ${of}::uuid, id, 1, id, 'post.created', 'schedule', ${at}, true, true, 5 from ${ids(at, many)}`.execute(
    t.deps.db,
  )

describe('partitions', () => {
  test('every table has partitions for the coming two weeks', async () => {
    for (const parent of ['event', 'attempt']) {
      await sql.raw(`drop table ${nameOf(parent, 1)}, ${nameOf(parent, 7)}`).execute(t.deps.db)
      // A database that was made yesterday does not have it.
      await sql.raw(`drop table if exists ${nameOf(parent, 14)}`).execute(t.deps.db)
      await keep()
      const names = await partitions(parent)
      for (let days = -1; days <= 14; days++) expect(names).toContain(nameOf(parent, days))
    }
  })

  test('partitions that ended more than 30 days ago are dropped with their rows, and younger ones stay', async () => {
    for (const days of [60, 45, 31, 30, 29]) {
      await pastDay(days)
      await event(inDays(-days))
      await attempt(inDays(-days))
    }
    await keep()
    for (const parent of ['event', 'attempt']) {
      const names = await partitions(parent)
      for (const days of [60, 45, 31]) expect(names).not.toContain(nameOf(parent, -days))
      for (const days of [30, 29]) expect(names).toContain(nameOf(parent, -days))
      expect(await count(parent)).toBe(2)
    }
  })

  test('rows without a partition, as after 20 days without Meydan, are kept for 30 days', async () => {
    for (const parent of ['event', 'attempt'])
      for (const name of await partitions(parent))
        if (!name.endsWith('_other')) await sql.raw(`drop table ${name}`).execute(t.deps.db)
    await post()
    await attempt(t.clock.now())
    expect([await count('event_other'), await count('attempt_other')]).toEqual([1, 1])
    // Creating all partitions at once may take a busy machine longer than a step may.
    await until(async () => {
      await keep()
      expect(await partitions()).toContain(nameOf('event', 1))
    })
    expect(await partitions()).not.toContain(nameOf('event', 0))
    await post()
    expect(await count('event_other')).toBe(2)
    expect(await count('delivery')).toBe(2)
    const at = async (days: number) => {
      await keepWebhookHistory({ ...t.deps, clock: { now: () => inDays(days) } })
      return [await count('event'), await count('attempt'), await count('delivery')]
    }
    expect(await at(29)).toEqual([2, 1, 2])
    expect(await at(31)).toEqual([0, 0, 0])
  })

  test('a drop that a long query blocks gives up, and emitting does not wait for the end of the query', async () => {
    await pastDay(40)
    await inTransaction(t.deps.db, async (tx) => {
      await sql`select from event`.execute(tx)
      // On a busy machine the drop may give up before anybody sees it waiting.
      await until(async () => {
        const kept = keepWebhookHistory(t.deps).catch((error: Error) => error.message)
        const isSeenWaiting = await waitsBeforeEnd(kept)
        await post()
        expect(await kept).toBe('Not cleaned up: partitions')
        expect(isSeenWaiting).toBe(true)
      })
    })
    expect(await partitions()).toContain(nameOf('event', -40))
    await keep()
    expect(await partitions()).not.toContain(nameOf('event', -40))
  })

  /** Whether a transaction is seen waiting for a lock before `work` ends. */
  async function waitsBeforeEnd(work: Promise<unknown>) {
    let hasEnded = false
    work.then(() => {
      hasEnded = true
    })
    while (!hasEnded) if ((await waiting(t)) > 0) return true
    return false
  }
})

describe('the clean-up on many nodes', () => {
  test('one node at a time cleans the history up, and the others do nothing', async () => {
    await pastDay(40)
    await inTransaction(t.deps.db, async (tx) => {
      await sql`select pg_advisory_xact_lock(${locks.webhookHistory})`.execute(tx)
      await keepWebhookHistory(t.deps)
    })
    expect(await partitions()).toContain(nameOf('event', -40))
    await Promise.all(Array.from({ length: 4 }, () => keepWebhookHistory(t.deps)))
    // Each may have left its step to another one, which was at another step.
    await keepWebhookHistory(t.deps)
    expect(await partitions()).not.toContain(nameOf('event', -40))
  })
})

test('deliveries and counts older than 30 days are deleted, whatever their state', async () => {
  const [old, young] = [new Date(inDays(-30).getTime() - 1000), new Date(inDays(-30).getTime() + HOUR)]
  for (const state of ['waiting', 'held', 'failed']) await delivery(old, { state, of: await webhook(), many: 3 })
  await delivery(old, { state: 'held', many: 12_000 })
  await delivery(young, { state: 'held', many: 2 })
  for (const hour of [old, young])
    await sql`insert into webhook_stat (webhook_id, hour) values (${hook}, date_trunc('hour', ${hour}::timestamptz))`.execute(
      t.deps.db,
    )
  await keep()
  expect(await count('delivery')).toBe(2)
  expect(await count('webhook_stat')).toBe(1)
})

test('rows of deleted webhooks are deleted in batches, and rows of others stay', async () => {
  const now = t.clock.now()
  const others = [await webhook(), await webhook()]
  for (const of of [...others, hook]) {
    const many = of === hook ? 12_000 : 3
    await delivery(now, { of, many })
    await attempt(now, { of, many })
  }
  await pastDay(20)
  await attempt(inDays(-20), { many: 10 })
  // A deletion that was interrupted, or a delivery that ended during it, leaves such rows.
  await sql`delete from webhook where id = ${hook}`.execute(t.deps.db)
  await keep()
  for (const table of ['delivery', 'attempt']) {
    expect(await count(table)).toBe(6)
    expect(await count(table, sql`webhook_id = ${hook}`)).toBe(0)
  }
})

test('nothing is left of a workspace that was erased', async () => {
  await post()
  await attempt(t.clock.now())
  const kept = await withWorkspace(t)
  const { name } = (await owner.get('/api/v1/workspace')).body
  expectStatus(await owner.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
  await sql`update workspace set deleted_at = deleted_at - interval '31 days' where id = ${owner.workspace_id}`.execute(
    t.deps.db,
  )
  await eraseDeletedWorkspaces(t.deps)
  expect(await count('event')).toBe(0)
  await keep()
  expect([await count('delivery'), await count('attempt')]).toEqual([0, 0])
  expectStatus(await kept.get('/api/v1/workspace'), 200)
})

test('a part of the clean-up that fails does not stop the others, and the job names it', async () => {
  await delivery(inDays(-40))
  await sql`alter function keep_partitions rename to kept_away`.execute(t.deps.db)
  await expect(keepWebhookHistory(t.deps)).rejects.toThrow('Not cleaned up: partitions')
  expect(await count('delivery')).toBe(0)
})

test('a previous secret is deleted when its overlap ends, and the webhook gets a new version', async () => {
  const rotated = expectStatus(
    await owner.post(`/api/v1/webhooks/${hook}/rotate-secret`, { overlap_seconds: 3600 }),
    200,
  )
  const former = async () =>
    t.deps.db
      .selectFrom('webhook')
      .select(['previous_secret', 'previous_secret_expires_at', 'version'])
      .where('id', '=', hook)
      .executeTakeFirstOrThrow()
  const before = await former()
  t.advance(HOUR - 1)
  await keep()
  expect(await former()).toEqual(before)
  t.advance(1)
  await keep()
  expect(await former()).toEqual({
    previous_secret: null,
    previous_secret_expires_at: null,
    version: before.version + 1,
  })
  await keep()
  const { body } = await owner.get(`/api/v1/webhooks/${hook}`)
  const { secret: _, ...record } = rotated.body
  expect(body).toEqual({ ...record, previous_secret_expires_at: null })
})
