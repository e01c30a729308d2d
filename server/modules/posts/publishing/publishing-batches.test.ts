import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { locks } from '../../../lib/db/locks.ts'
import { untriedTargets } from '../record/publish-queue.ts'
import { commitIntent, type PublishIntent } from './publish-intent.ts'
import { storeOutcome } from './publish-outcome.ts'
import { publishNow } from './publishing.fixture.ts'
import { createStepJournal, Superseded } from './step-journal.ts'

const t = await testApp()

/** Posts that are due, each on its own account in a workspace of its own. Returns their targets. */
async function duePosts(count: number) {
  const targets: string[] = []
  for (let n = 0; n < count; n++) {
    const owner = await withWorkspace(t)
    const post = await publishNow(owner, { account_ids: [await playgroundAccount(owner)] })
    targets.push(String(post.targets[0]?.id))
  }
  return targets
}

/** The intents of posts that have begun together. */
const begin = (ids: string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const intent = await commitIntent(t.deps, id)
      if (!intent) throw new Error('The target is not due.')
      return intent
    }),
  )

/** Stores that a post was published. */
const storePublished = (intent: PublishIntent) => {
  const journal = createStepJournal(t.deps, intent, undefined)
  const outcome = { kind: 'published', external_id: intent.target.id, url: null } as const
  return storeOutcome(t.deps, { intent, attempt: { outcome, journal }, ownJobWaits: true })
}

/** The transactions that wrote the targets last. */
async function writers(ids: string[]) {
  const { rows } = await sql<{ xmin: string }>`
    select distinct xmin::text from post_target where id = any(${ids}::uuid[])`.execute(t.deps.db)
  return rows.map(({ xmin }) => xmin)
}

test('attempts that begin at the same time are committed together', async () => {
  const ids = await duePosts(3)
  const intents = await begin(ids)
  expect(intents.map(({ target }) => target.id)).toEqual(ids)
  expect(await writers(ids)).toHaveLength(1)
})

test('a post that somebody has locked begins alone, and delays no other', async () => {
  const [locked = '', ...others] = await duePosts(3)
  const waiting = await inTransaction(t.deps.db, async (tx) => {
    await sql`select from post where id = (select post_id from post_target where id = ${locked}) for update`.execute(tx)
    const begun = commitIntent(t.deps, locked)
    const intents = await begin(others)
    expect(intents.map(({ target }) => target.id)).toEqual(others)
    return { begun }
  })
  expect((await waiting.begun)?.target.id).toBe(locked)
})

test('steps that begin at the same time are committed together, and before any of them runs', async () => {
  const ids = await duePosts(3)
  const stored: number[] = []
  const intents = await begin(ids)
  const runStep = (intent: PublishIntent) => {
    const { step } = createStepJournal(t.deps, intent, undefined)
    const run = async () => {
      const steps = sql<number>`count(*) filter (where steps->0->>'state' = 'begun')::int`
      const { count } = await t.deps.db
        .selectFrom('post_target')
        .select(steps.as('count'))
        .where('id', 'in', ids)
        .executeTakeFirstOrThrow()
      stored.push(count)
      return {}
    }
    return step('post 0', { intent: () => ({ key: intent.id }), run, ifLost: 'ask', part: 0 })
  }
  await Promise.all(intents.map(runStep))
  expect(stored).toEqual([3, 3, 3])
  expect(await writers(ids)).toHaveLength(1)
})

test('a step of an attempt that another has overtaken is refused, and the others of its batch are stored', async () => {
  const ids = await duePosts(2)
  const intents = await begin(ids)
  await commitIntent(t.deps, String(ids[0]))
  const run = async () => ({ sent: true })
  const results = await Promise.allSettled(
    intents.map((intent) =>
      createStepJournal(t.deps, intent, undefined).step('post 0', { run, ifLost: 'ask', part: 0 }),
    ),
  )
  expect(results).toMatchObject([
    { status: 'rejected', reason: expect.any(Superseded) },
    { status: 'fulfilled', value: { sent: true } },
  ])
})

test('posts that are published at the same time are stored together, each with its event', async () => {
  const ids = await duePosts(3)
  const intents = await begin(ids)
  await Promise.all(intents.map(storePublished))
  expect(await writers(ids)).toHaveLength(1)
  const { rows } = await sql<{ status: string; events: number; jobs: number }>`
    select post.status, (
        select count(*)::int from event
        where type = 'post.published' and workspace_id = post.workspace_id
          and payload::jsonb #>> '{data,post,id}' = post.id::text
      ) as events,
      (select count(*)::int from graphile_worker.jobs where key = 'publish:' || target.id) as jobs
    from post_target as target join post on post.id = target.post_id
    where target.id = any(${ids}::uuid[]) and external_id = target.id::text`.execute(t.deps.db)
  expect(rows).toEqual(ids.map(() => ({ status: 'published', events: 1, jobs: 0 })))
})

test('a workspace whose webhooks change at that time delays no post of another', async () => {
  const ids = await duePosts(2)
  const intents = await begin(ids)
  const [delayed, other] = intents
  if (!delayed || !other) throw new Error('There are no two posts.')
  const { storing } = await inTransaction(t.deps.db, async (tx) => {
    const { workspace_id } = delayed.target
    await sql`select pg_advisory_xact_lock(${locks.events}, hashtext(${workspace_id}))`.execute(tx)
    const storing = storePublished(delayed)
    await storePublished(other)
    return { storing }
  })
  await storing
  const published = await t.deps.db
    .selectFrom('post_target')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '=', 'published')
    .execute()
  expect(published).toHaveLength(2)
})

/** Posts that are due on a new account, one after the other. Returns their targets. */
async function dueOnOneAccount(count: number) {
  const owner = await withWorkspace(t)
  const account = await playgroundAccount(owner)
  const targets: string[] = []
  for (let n = 0; n < count; n++)
    targets.push(String((await publishNow(owner, { account_ids: [account] })).targets[0]?.id))
  return { owner, account, targets }
}

test('accounts that ask together what follows get their own targets; a held one and one with many more get none', async () => {
  const [one, other, held, full] = [
    await dueOnOneAccount(3),
    await dueOnOneAccount(2),
    await dueOnOneAccount(2),
    await dueOnOneAccount(2),
  ]
  await sql`update account set held_until = ${t.clock.now()}::timestamptz + interval '1 hour' where id = ${held.account}`.execute(
    t.deps.db,
  )
  await sql`with made as (
      insert into post (workspace_id, content, status) select ${full.owner.workspace_id}, 'Draft', 'draft'
      from generate_series(1, 500) returning id)
    insert into post_target (post_id, account_id, position) select id, ${full.account}::uuid, 0 from made`.execute(
    t.deps.db,
  )
  const asked = [one, other, held, full].map(({ targets }) => untriedTargets(t.deps, targets[0] ?? ''))
  expect(await Promise.all(asked)).toEqual([one.targets.slice(1), other.targets.slice(1), [], []])
  await t.runJobs()
  for (const { owner } of [one, other, full])
    expect((await owner.get('/api/v1/posts?status=scheduled')).body.data).toEqual([])
})

test('the search for what follows on an account reads no other due post, also if none was due at the last ANALYZE', async () => {
  const { owner, targets } = await dueOnOneAccount(3)
  await sql`insert into post (workspace_id, content, status, scheduled_at)
    select ${owner.workspace_id}, 'Other', 'scheduled', ${t.clock.now()} from generate_series(1, 2000)`.execute(
    t.deps.db,
  )
  const move = (days: number) =>
    sql`update post set scheduled_at = scheduled_at + make_interval(days => ${days})`.execute(t.deps.db)
  await move(1)
  await sql`analyze post`.execute(t.deps.db)
  await move(-1)

  const [first = '', ...following] = targets
  const statements = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => void statements.mockRestore())
  expect(await untriedTargets(t.deps, first)).toEqual(following)
  const configs = statements.mock.calls.map(([config]): pg.QueryConfig => Object(config))
  const { text = '', values = [] } = configs.find(({ text }) => text?.includes('untried')) ?? {}
  const { rows } = await t.deps.pool.query(`explain (analyze, format json) ${text}`, values)
  const scans = JSON.stringify(rows).match(/"Relation Name":"post",[^{}]*/g) ?? []
  const read = scans.map((scan) => ['Actual Loops', 'Rows Removed by Filter'].map((name) => numberIn(scan, name)))
  expect(read).toEqual([[2, 0]])
})

const numberIn = (json: string, name: string) => Number(new RegExp(`"${name}":([\\d.]+)`).exec(json)?.[1] ?? 0)
