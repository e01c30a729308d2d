import { run, type WorkerEventMap } from 'graphile-worker'
import { sql } from 'kysely'
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { cloneDatabase } from '../../../test/database.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../../test/factories.ts'
import { postgresProxy } from '../../../test/postgres-proxy.ts'
import { blueskyServer } from '../../../test/stand-ins/bluesky.ts'
import { until } from '../../../test/until.ts'
import { startWorker } from '../../worker.ts'
import { createDatabase, isUnreachable } from '../db/database.ts'
import { startHeartbeat } from './heartbeat.ts'
import { graphileLogger } from './jobs.ts'
import { createTimings } from './timings.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp({}, { origin: new Date() })
  onTestFinished(t.close)
})

/** A worker that need not be waited for. */
async function startQuickWorker() {
  // On a node of its own: a worker that stops ends all calls of its node.
  const node = await testApp({}, { origin: new Date(), beside: t })
  onTestFinished(node.close)
  return startWorker({ ...node.deps, timings: createTimings(20) }, { alone: false })
}

/** A node beside others, with a heartbeat at this interval. */
const often = (heartbeat: number) => ({
  alone: false,
  log: t.deps.log,
  timings: { ...t.deps.timings, heartbeat },
})

/** Returns the workers that hold a lock of a publishing job. A worker also runs other jobs, such as those of its start. */
const lockedBy = async () => {
  const { rows } = await sql<{ locked_by: string }>`
    select locked_by from graphile_worker.jobs
    where locked_by is not null and task_identifier = 'publish-targets'`.execute(t.deps.db)
  return rows.map((row) => row.locked_by)
}

/** Makes the locks look as old as those of a long job. */
const ageLocks = () =>
  sql`update graphile_worker._private_jobs set locked_at = now() - interval '10 minutes' where locked_at is not null`.execute(
    t.deps.db,
  )

/** Waits until heartbeats have searched for dead nodes twice, so that one search has ended. Each removes an old node. */
async function searchedTwice() {
  for (let search = 0; search < 2; search++) {
    await sql`insert into worker_node (id, worker_ids, seen_at)
      values (gen_random_uuid(), '{}', now() - interval '1 hour')`.execute(t.deps.db)
    await until(async () => {
      const old = await sql`select from worker_node where seen_at < now() - interval '50 minutes'`.execute(t.deps.db)
      expect(old.rows).toEqual([])
    })
  }
}

test('jobs of a live node keep their locks however long they run, and those of a dead node are freed', async () => {
  const bluesky = await blueskyServer()
  const owner = await withWorkspace(t)
  const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
  const { body: account } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  bluesky.failNext({ kind: 'hang', arrives: false })
  expectStatus(await owner.post('/api/v1/posts', { content: 'x', account_ids: [account.id], publish_now: true }), 201)

  const worker = await startQuickWorker()
  await bluesky.called('putRecord', 1)
  const [alive] = await lockedBy()
  const seen = () =>
    sql<{ known: boolean }>`select ${alive ?? ''} = any(worker_ids) as known from worker_node`.execute(t.deps.db)
  await expect.poll(async () => (await seen()).rows).toEqual([{ known: true }])
  await ageLocks()
  const other = await startHeartbeat(t.deps.db, often(100))
  await searchedTwice()
  expect(await lockedBy()).toEqual([alive])
  await worker.stop()
  bluesky.close()

  const playground = await playgroundAccount(owner)
  expectStatus(await owner.post('/api/v1/posts', { content: 'x', account_ids: [playground], publish_now: true }), 201)
  await sql`update graphile_worker._private_jobs set locked_by = 'pool-of-the-dead', locked_at = now()`.execute(
    t.deps.db,
  )
  const young = await startHeartbeat(t.deps.db, often(100))
  await searchedTwice()
  expect(new Set(await lockedBy())).toEqual(new Set(['pool-of-the-dead']))
  await ageLocks()
  await until(async () => expect(await lockedBy()).toEqual([]))
  for (const heartbeat of [other, young]) await heartbeat.stop()
})

test('a job that a live worker locked but does not run is freed within seconds, and so is its queue', async () => {
  const owner = await withWorkspace(t)
  const worker = await startQuickWorker()
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
  await expect.poll(() => status(second.id)).toBe('published')
  await worker.stop()
})

/** The queue of a new account, without a job. */
async function emptyQueue() {
  const owner = await withWorkspace(t)
  const account = await playgroundAccount(owner)
  const queue = `account:${account}`
  await sql`select graphile_worker.add_job('publish-target', '{}', ${queue}::text, null, 1, ${queue}::text)`.execute(
    t.deps.db,
  )
  await sql`select graphile_worker.remove_job(${queue})`.execute(t.deps.db)
  const lock = (locked_by: string) =>
    sql`update graphile_worker._private_job_queues
      set locked_by = ${locked_by}, locked_at = now() - interval '10 minutes' where queue_name = ${queue}`.execute(
      t.deps.db,
    )
  const lockedBy = async () => {
    const { rows } = await sql<{ locked_by: string | null }>`
      select locked_by from graphile_worker._private_job_queues where queue_name = ${queue}`.execute(t.deps.db)
    return rows[0]?.locked_by
  }
  return { lock, lockedBy }
}

test('a queue that stays locked without a job, because another worker completed it, is freed', async () => {
  const [ofDead, ofOwn, ofOther] = [await emptyQueue(), await emptyQueue(), await emptyQueue()]
  const heartbeat = await startHeartbeat(t.deps.db, often(100))
  onTestFinished(heartbeat.stop)
  heartbeat.events.emit('pool:create', { workerPool: { id: 'pool-own' } } as WorkerEventMap['pool:create'])
  await sql`insert into worker_node (id, worker_ids) values (gen_random_uuid(), array['pool-other'])`.execute(t.deps.db)
  await ofDead.lock('pool-of-the-dead')
  await ofOwn.lock('pool-own')
  await ofOther.lock('pool-other')
  await until(async () => expect([await ofDead.lockedBy(), await ofOwn.lockedBy()]).toEqual([null, null]))
  expect(await ofOther.lockedBy()).toBe('pool-other')
  await sql`delete from worker_node`.execute(t.deps.db)
})

test('cron jobs go on at once after the clock of a node was ahead', async () => {
  await sql`insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('ahead', now(), now() + interval '1 hour')`.execute(t.deps.db)
  const heartbeat = await startHeartbeat(t.deps.db, often(100))
  onTestFinished(heartbeat.stop)
  const { rows } = await sql`select from graphile_worker._private_known_crontabs
    where last_execution > now()`.execute(t.deps.db)
  expect(rows).toEqual([])
})

test('after an outage that silenced all nodes, the first to return does not free the jobs of the others', async () => {
  const owner = await withWorkspace(t)
  const account = await playgroundAccount(owner)
  const proxy = await postgresProxy(t.database.connection)
  onTestFinished(proxy.close)
  const { db, close } = createDatabase(proxy.connection, 2)
  onTestFinished(close)
  let failed = 0
  const heartbeat = await startHeartbeat(db, { ...often(1000), report: () => failed++ })
  const seenAt = async () => {
    const { rows } = await sql<{ seen_at: Date }>`
      select seen_at from worker_node where worker_ids <> array['pool-of-another']`.execute(t.deps.db)
    return rows[0]?.seen_at.getTime() ?? 0
  }
  await searchedTwice()

  expectStatus(await owner.post('/api/v1/posts', { content: 'x', account_ids: [account], publish_now: true }), 201)
  // An outage counts as one once two heartbeats are missing.
  proxy.down()
  await until(() => expect(failed).toBeGreaterThan(2))
  const before = await seenAt()
  await sql`update graphile_worker._private_jobs set locked_by = 'pool-of-another', locked_at = now()`.execute(
    t.deps.db,
  )
  await ageLocks()
  await sql`insert into worker_node (id, worker_ids, seen_at)
    values (gen_random_uuid(), array['pool-of-another'], now() - interval '1 minute')`.execute(t.deps.db)
  proxy.up()
  await until(async () => expect(await seenAt()).toBeGreaterThan(before))
  // The other node returns a moment later.
  await sql`update worker_node set seen_at = now() where 'pool-of-another' = any(worker_ids)`.execute(t.deps.db)
  await searchedTwice()
  expect(new Set(await lockedBy())).toEqual(new Set(['pool-of-another']))
  await heartbeat.stop()
})

test('ten attempts of a job whose connection breaks do not count', async () => {
  const database = await cloneDatabase(inject('postgres'))
  onTestFinished(database.drop)
  const { db, pool, close } = createDatabase(database.connection, 4)
  onTestFinished(close)
  const breaking = createDatabase(database.connection, 1)
  onTestFinished(breaking.close)
  const heartbeat = await startHeartbeat(db, { ...often(100), isOutage: isUnreachable })
  onTestFinished(heartbeat.stop)
  let runs = 0
  const runner = await run({
    pgPool: pool,
    noHandleSignals: true,
    pollInterval: 100,
    logger: graphileLogger(t.deps.log, () => true),
    events: heartbeat.events,
    taskList: {
      'break-connection': async () => {
        runs++
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(breaking.db)
      },
    },
  })
  onTestFinished(() => runner.stop())
  await sql`select graphile_worker.add_job('break-connection', '{}', max_attempts := 2)`.execute(db)
  await until(async () => {
    expect(runs).toBe(12)
    const { rows } = await sql`select attempts, locked_at from graphile_worker._private_jobs`.execute(db)
    expect(rows).toEqual([{ attempts: 2, locked_at: null }])
  })
})
