import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../test/factories.ts'
import { blueskyServer } from '../../test/stand-ins/bluesky.ts'
import { startWorker } from '../worker.ts'
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

/** Makes the locks look as old as they would be on a job that takes long. */
const ageLocks = () =>
  sql`update graphile_worker._private_jobs set locked_at = now() - interval '10 minutes' where locked_at is not null`.execute(
    t.deps.db,
  )

test('jobs of a node that lives keep their locks however long they take, and those of a dead node are freed', async () => {
  const bluesky = await blueskyServer()
  const owner = await withWorkspace(t)
  const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
  const { body: account } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  bluesky.goWrong({ kind: 'hang', arrives: false })
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
