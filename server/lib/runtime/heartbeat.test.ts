import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../../test/factories.ts'
import { blueskyServer } from '../../../test/stand-ins/bluesky.ts'
import { until } from '../../../test/until.ts'
import { startWorker } from '../../worker.ts'
import { startHeartbeat } from './heartbeat.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const lockedBy = async () => {
  const { rows } = await sql<{ locked_by: string }>`
    select locked_by from graphile_worker.jobs where locked_by is not null`.execute(t.deps.db)
  return rows.map((row) => row.locked_by)
}

/** Makes the locks look as old as those of a long job. */
const ageLocks = () =>
  sql`update graphile_worker._private_jobs set locked_at = now() - interval '10 minutes' where locked_at is not null`.execute(
    t.deps.db,
  )

test('jobs of a live node keep their locks however long they run, and those of a dead node are freed', async () => {
  const bluesky = await blueskyServer()
  const owner = await withWorkspace(t)
  const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
  const { body: account } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  bluesky.failNext({ kind: 'hang', arrives: false })
  expectStatus(await owner.post('/api/v1/posts', { content: 'x', account_ids: [account.id], publish_now: true }), 201)

  const worker = await startWorker(t.deps, { alone: false })
  await bluesky.called('createRecord', 1)
  const [alive] = await lockedBy()
  const seen = () =>
    sql<{ known: boolean }>`select ${alive ?? ''} = any(worker_ids) as known from worker_node`.execute(t.deps.db)
  await expect.poll(async () => (await seen()).rows, { timeout: 10_000 }).toEqual([{ known: true }])
  await ageLocks()
  const other = await startHeartbeat(t.deps.db, { alone: false, log: t.deps.log })
  expect(await lockedBy()).toEqual([alive])
  await worker.stop()
  bluesky.close()

  const playground = await playgroundAccount(owner)
  expectStatus(await owner.post('/api/v1/posts', { content: 'x', account_ids: [playground], publish_now: true }), 201)
  await sql`update graphile_worker._private_jobs set locked_by = 'pool-of-the-dead', locked_at = now()`.execute(
    t.deps.db,
  )
  const young = await startHeartbeat(t.deps.db, { alone: false, log: t.deps.log })
  expect(new Set(await lockedBy())).toEqual(new Set(['pool-of-the-dead']))
  await ageLocks()
  const old = await startHeartbeat(t.deps.db, { alone: false, log: t.deps.log })
  expect(await lockedBy()).toEqual([])
  for (const heartbeat of [other, young, old]) await heartbeat.stop()
})

test('a job that a live worker locked but does not run is freed within seconds, and so is its queue', async () => {
  const owner = await withWorkspace(t)
  const worker = await startWorker(t.deps, { alone: false })
  const account = await playgroundAccount(owner)
  const publish = (content: string) =>
    owner.post('/api/v1/posts', { content, account_ids: [account], publish_now: true })
  const status = async (id: string) => (await owner.get(`/api/v1/posts/${id}`)).body.status
  const first = expectStatus(await publish('first'), 201).body
  await expect.poll(() => status(first.id)).toBe('published')

  // Simulates a connection that broke after graphile-worker had locked the job, before it got the response.
  let own: string | undefined
  await until(async () => {
    const { rows } = await sql<{ worker: string }>`
      select worker from worker_node, unnest(worker_ids) as worker where worker like 'pool-%'`.execute(t.deps.db)
    own = rows[0]?.worker
    expect(own).toBeDefined()
  })
  await sql`update graphile_worker._private_job_queues
    set locked_by = ${own}, locked_at = now() - interval '1 minute'`.execute(t.deps.db)
  const second = expectStatus(await publish('second'), 201).body
  await sql`update graphile_worker._private_jobs set locked_by = ${own}, locked_at = now() - interval '1 minute'
    where locked_at is null`.execute(t.deps.db)
  await expect.poll(() => status(second.id), { timeout: 20_000 }).toBe('published')
  await worker.stop()
})
