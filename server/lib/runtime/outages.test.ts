import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { atOnce } from '../../../test/at-once.ts'
import { inTransaction } from '../db/database.ts'
import { startHeartbeat } from './heartbeat.ts'
import { deleteOldOutages, excuseOutage, wasDown } from './outages.ts'

const HOUR = 3600_000
const t = await testApp()
const { db } = t.deps
const silence_ms = t.deps.timings.nodeSilence

beforeEach(async () => {
  await sql`truncate worker_activity, worker_outage`.execute(db)
})

/** Starts a node that does jobs, and stops it once it has sent a heartbeat. */
const runNode = async () => (await startHeartbeat(db, { alone: false, ...t.deps })).stop()
/** Lets the last heartbeat be this long ago. */
const age = (ms: number) =>
  sql`update worker_activity set seen_at = now() - make_interval(secs => ${ms / 1000})`.execute(db)
const outages = async () => {
  const { rows } = await sql<{ hours: number }>`
    select round(extract(epoch from ended_at - began_at) / 3600)::int as hours from worker_outage order by id`.execute(
    db,
  )
  return rows.map(({ hours }) => hours)
}
const downSince = async (hours: number, limit: number) => {
  const since = sql`now() - make_interval(hours => ${hours})`
  const { rows } = await sql<{ is: boolean }>`
    select ${wasDown(since, { outage_ms: limit * HOUR, silence_ms })} as is`.execute(db)
  return rows[0]?.is
}

test('the first heartbeat after an outage records it, once however many nodes start', async () => {
  await runNode()
  expect(await outages()).toEqual([])
  await age(3 * HOUR)
  await atOnce(6, runNode)
  expect(await outages()).toEqual([3])
  await runNode()
  expect(await outages()).toEqual([3])
})

test('a stop that is shorter than the silence of a dead node is no outage', async () => {
  await runNode()
  await age(silence_ms / 2)
  await runNode()
  expect(await outages()).toEqual([])
})

test('only the part of an outage after a time counts since then', async () => {
  await runNode()
  await age(5 * HOUR)
  await runNode()
  expect(await downSince(2, 1)).toBe(true)
  expect(await downSince(2, 3)).toBe(false)
  expect(await downSince(7, 4)).toBe(true)
  expect(await downSince(7, 6)).toBe(false)
})

test('an outage counts before the heartbeat that records it, as when a frozen process goes on', async () => {
  await runNode()
  expect(await downSince(2, 0)).toBe(false)
  await age(3 * HOUR)
  expect(await downSince(2, 1)).toBe(true)
  expect(await outages()).toEqual([])
})

test('an outage that a person has excused is not recorded', async () => {
  await runNode()
  await age(3 * HOUR)
  await inTransaction(db, excuseOutage)
  await runNode()
  expect(await outages()).toEqual([])
})

test('outages are deleted after ninety days', async () => {
  await sql`insert into worker_outage (began_at, ended_at) values
    (now() - interval '92 days', now() - interval '91 days'), (now() - interval '91 days', now() - interval '89 days')`.execute(
    db,
  )
  await deleteOldOutages(db)
  expect(await outages()).toEqual([48])
})

test('what a clock recorded that was ahead is forgotten once it is right again', async () => {
  await sql`insert into worker_activity (seen_at) values (now() + interval '1 year')`.execute(db)
  await sql`insert into worker_outage (began_at, ended_at) values (now(), now() + interval '1 year')`.execute(db)
  await runNode()
  expect(await outages()).toEqual([])
  await age(3 * HOUR)
  await runNode()
  expect(await outages()).toEqual([3])
})
