import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { runOnce } from 'graphile-worker'
import { sql } from 'kysely'
import { afterAll, expect, inject, TestRunner } from 'vitest'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config/config.ts'
import { createDeps } from '../server/deps.ts'
import type { Deps } from '../server/lib/deps.ts'
import type { Feature } from '../server/lib/http/access.ts'
import { graphileLogger } from '../server/lib/runtime/jobs.ts'
import { startDispatcher } from '../server/modules/webhooks/delivery/dispatcher.ts'
import { taskList } from '../server/worker.ts'
import { client } from './client.ts'
import { testClock } from './clock.ts'
import { cloneDatabase } from './database.ts'
import { freePort } from './processes.ts'
import { until } from './until.ts'

type Options = {
  live?: boolean
  origin?: Date
  plan?: Feature[]
  subscribed?: true
  beside?: { database: Awaited<ReturnType<typeof cloneDatabase>> }
  log?: Deps['log']
}

/** Ports of live apps that have closed. A browser finds the console that it has compiled again by its address. */
const idlePorts: number[] = []

export type TestApp = Awaited<ReturnType<typeof testApp>>

/**
 * Starts Meydan on its own database and a real port, with a clock that the test advances. Jobs run on `runJobs`;
 * webhooks are sent after `dispatch`. Settings are environment variables.
 *
 * - `live`, for browsers: the clock goes, due jobs run by themselves, links lead to `url`.
 * - `origin`: the time at which the clock begins. Tests of rows that PostgreSQL, a library or another process dates give
 *   the real time.
 * - `plan`: the features of every workspace, instead of all. `subscribed`: every workspace is, also with billing.
 * - `log`: replaces standard output. `beside`: uses the database of that node.
 *
 * One that is started at the top level of a file closes itself after its tests. Others are closed by their test.
 */
export async function testApp(
  settings: Record<string, string> = {},
  { live = false, origin, plan, subscribed, beside, log }: Options = {},
) {
  const database = beside?.database ?? (await cloneDatabase(inject('postgres')))
  const clock = testClock({ live, origin })
  // Links contain the port, so it must be known before the server listens.
  const port = live ? await freePort(idlePorts.pop()) : 0
  const dataDir = settings.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'meydan-test-')))
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    SECRET_KEY: 'a secret key for tests, long enough',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    RATE_LIMIT_AUTH: '0',
    RATE_LIMIT_READ: '0',
    RATE_LIMIT_WRITE: '0',
    BASE_URL: live ? `http://127.0.0.1:${port}` : 'http://meydan.test',
    ...settings,
  })
  const deps = await createDeps(config, database.connection, {
    clock,
    ...(log && { log }),
    ...(subscribed && { isSubscribed: () => true }),
    ...(plan && { hasFeature: async (_, feature) => plan.includes(feature) }),
  })
  let app: FastifyInstance | undefined = await buildApp(deps)
  await app.listen({ port, host: '127.0.0.1' })
  const address = app.server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  let dispatcher: ReturnType<typeof startDispatcher> | undefined

  type Job = { id: string; attempts: number }
  const runDueJobs = async () => {
    const tried: string[] = []
    for (;;) {
      const { rows: due } = await sql<Job>`
        update graphile_worker._private_jobs set run_at = now() - interval '1 s'
        where (run_at <= ${clock.now()} or run_at = created_at or run_at = updated_at) and locked_at is null and id <> all(${tried}::bigint[]) returning id, attempts`.execute(
        deps.db,
      )
      if (due.length === 0) return
      await runOnce({
        pgPool: deps.pool,
        taskList: taskList(deps),
        noHandleSignals: true,
        logger: graphileLogger(deps.log),
      })
      // runOnce does not wait until it has recorded the last jobs.
      await until(async () => {
        const locked = await sql`select from graphile_worker._private_jobs where locked_at is not null`.execute(deps.db)
        expect(locked.rows).toEqual([])
      })
      // A job whose queue was still locked by the previous job was skipped, and is due again.
      const { rows: kept } = await sql<Job>`
        select id, attempts from graphile_worker._private_jobs where id = any(${due.map((job) => job.id)}::bigint[])`.execute(
        deps.db,
      )
      const ran = due.filter((job) => !kept.some(({ id, attempts }) => id === job.id && attempts === job.attempts))
      if (ran.length === 0) return
      tried.push(...ran.map((job) => job.id))
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  /**
   * Runs jobs that are due by the test's clock or immediate, and the jobs they add. A failed job waits for the next
   * call.
   */
  const runJobs = () => {
    const run = last.then(runDueJobs)
    last = run.catch(() => undefined)
    return run
  }
  let closing = false
  const work = async () => {
    while (!closing) {
      await runJobs()
      await sleep(100)
    }
  }
  const working = live ? work() : undefined

  const close = async () => {
    closing = true
    await working
    await dispatcher?.stop()
    // As on a real shutdown: a client may have opened a connection without using it.
    const hangUp = setTimeout(() => app?.server.closeAllConnections(), 2000)
    await app?.close()
    clearTimeout(hangUp)
    if (live) idlePorts.push(port)
    // Test files are loaded until their process ends, and a thousand routes would be with each.
    app = undefined
    await deps.close()
    if (!beside) await database.drop()
    if (!settings.DATA_DIR) await rm(dataDir, { recursive: true, force: true })
  }
  let closed: Promise<void> | undefined
  const closeOnce = () => {
    closed ??= close()
    return closed
  }
  if (!TestRunner.getCurrentTest()) afterAll(closeOnce)

  return {
    url,
    deps,
    database,
    clock,
    /** A client without credentials. */
    anyone: client(url),
    advance: clock.advance,
    runJobs,
    /** Starts sending webhooks. */
    dispatch: () => {
      dispatcher ??= startDispatcher(deps)
    },
    /** Accepts no more requests, as on shutdown; running requests finish. */
    stopHttp: async () => app?.close(),
    close: closeOnce,
  }
}
