import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { codeOf } from '../../error-code.ts'
import { explainedError, StartError } from '../../runtime/start-error.ts'
import { type Log, type PostgresCluster, port, prepareCluster } from './postgres-cluster.ts'
import {
  findPostmaster,
  isRunning,
  lastWords,
  releaseReusedPids,
  spawnPostgres,
  stopChild,
  stopPostmaster,
  wasLockedOut,
} from './postgres-process.ts'

export type EmbeddedPostgres = {
  connection: { host: string; port: number; user: string; password: string; database: string; ssl: false }
  stop(): Promise<void>
}

export class AlreadyRunning extends StartError {
  override name = 'AlreadyRunning'
}

const user = 'meydan'
const database = 'meydan'
/** Arbitrary number, which must never change. */
const lockKey = 7_305_941_286

const patience = 20_000
const crashPatience = 15_000
const lockPatience = 1_000
const notDurable = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * Runs PostgreSQL as a child process with its data in `dataDir`. It survives when Meydan is killed, so a start looks
 * for a running one first. Meydan holds a session lock while it runs, which shows that the data is in use.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: Log
  /** False for throwaway databases of tests: a power failure may then destroy the data. */
  durable?: boolean
  settings?: Record<string, string>
  /** Work of this process that runs while PostgreSQL is prepared and starts. It is called for both, and done once. */
  meanwhile?: () => Promise<unknown>
}): Promise<EmbeddedPostgres> {
  const { log, durable = true } = options
  const settings = { ...(durable ? {} : notDurable), ...options.settings }
  const cluster = await prepareCluster(options.dataDir, { durable, log, meanwhile: options.meanwhile })
  const stopping = new AbortController()
  const start = (meanwhile?: () => Promise<unknown>) =>
    takeOver(cluster, { dataDir: options.dataDir, settings, log, signal: stopping.signal, meanwhile })

  const first = await start(options.meanwhile)
  if (!first.spawned) log('PostgreSQL is still running from a Meydan that did not stop cleanly; using it')
  let held: Session | undefined = first.session
  const supervising = supervise()

  async function supervise() {
    while (held && !stopping.signal.aborted) {
      await held.lost
      held = undefined
      if (!stopping.signal.aborted) log('The connection to PostgreSQL was lost; connecting again')
      while (!held && !stopping.signal.aborted) {
        try {
          const next = await start()
          held = next.session
          log(next.spawned ? 'PostgreSQL had stopped, and was started again' : 'PostgreSQL is connected again')
        } catch (error) {
          if (stopping.signal.aborted) return
          log('PostgreSQL could neither be reached nor started; retrying', { error })
          await sleep(1_000, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
        }
      }
    }
  }

  async function stop() {
    stopping.abort()
    if (!held) await supervising
    // Without the lock another Meydan may own the server by now. An aborted start has stopped what it spawned.
    if (!held) return
    const { socket } = held
    await stopPostmaster(cluster)
    socket.destroy()
  }

  let stopped: Promise<void> | undefined
  return {
    connection: connectionTo(cluster),
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

const connectionTo = (cluster: PostgresCluster): EmbeddedPostgres['connection'] => ({
  host: cluster.socketDirectory,
  port,
  user,
  password: cluster.password,
  database,
  ssl: false,
})

/** Connection to the PostgreSQL that another Meydan runs in `dataDir`. */
export const besideRunning = async (dataDir: string, log: Log) =>
  connectionTo(await prepareCluster(dataDir, { durable: true, log }))

type Session = { client: pg.Client; socket: Socket; lost: Promise<unknown> }

async function takeOver(
  cluster: PostgresCluster,
  options: {
    dataDir: string
    settings: Record<string, string>
    log: Log
    signal: AbortSignal
    meanwhile: (() => Promise<unknown>) | undefined
  },
): Promise<{ session: Session; spawned: boolean }> {
  const { dataDir, settings, log, signal, meanwhile } = options
  const begun = Date.now()
  let lastSign = begun
  let lastReport = begun
  let child: ChildProcess | undefined
  let spawned = false
  try {
    while (Date.now() < lastSign + patience) {
      signal.throwIfAborted()
      const response = await connect(cluster)
      if (typeof response === 'object' && (await claim(response, dataDir))) return { session: response, spawned }
      if (response === 'busy') {
        // Recovery after a crash has no time limit: giving up would only restart it.
        lastSign = Date.now()
        if (lastSign > lastReport + 10_000) {
          log('PostgreSQL is still starting up, recovering or shutting down; waiting')
          lastReport = lastSign
        }
      } else if (child && !isRunning(child)) {
        // The backends of a killed PostgreSQL run on for some seconds, and another Meydan may be starting it.
        if (!(await wasLockedOut(cluster)) || Date.now() > begun + crashPatience) {
          throw explainedError(`PostgreSQL did not start:\n${await lastWords(cluster)}`)
        }
        child = undefined
      } else if (response === 'absent' && !child && !(await findPostmaster(cluster))) {
        await releaseReusedPids(cluster)
        child = await spawnPostgres(cluster, settings)
        spawned = true
        if (meanwhile) {
          await meanwhile()
          // This process may have been too busy to see a sign, and PostgreSQL is mostly ready by now.
          lastSign = Date.now()
          continue
        }
      }
      await sleep(50)
    }
    const pid = child?.pid ?? (await findPostmaster(cluster))
    const state = pid
      ? `is running (pid ${pid}) but cannot be reached in ${cluster.socketDirectory}`
      : 'did not respond'
    throw explainedError(`PostgreSQL ${state} for ${patience / 1_000} s:\n${await lastWords(cluster)}`)
  } catch (error) {
    if (child && isRunning(child) && !(error instanceof AlreadyRunning)) await stopChild(child)
    throw error
  }
}

async function connect(cluster: PostgresCluster): Promise<Session | 'busy' | 'absent' | 'silent'> {
  const socket = new Socket()
  const client = new pg.Client({
    stream: () => socket,
    host: cluster.socketDirectory,
    port,
    user,
    password: cluster.password,
    database: 'postgres',
    ssl: false,
    application_name: 'meydan lock',
    connectionTimeoutMillis: 5_000,
  })
  // Without a listener, the end of PostgreSQL would end Node. The holder of the session awaits `lost`.
  client.on('error', () => {})
  const lost = new Promise((resolve) => client.once('end', resolve))
  try {
    await client.connect()
    const { rows } = await client.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers')
    if (!rows[0]?.recovers) return { client, socket, lost }
    // It can be read, but a restored one is not yet what it will be.
    socket.destroy()
    return 'busy'
  } catch (error) {
    socket.destroy()
    if (['ENOENT', 'ECONNREFUSED'].includes(codeOf(error))) return 'absent'
    if (codeOf(error) === '57P03') return 'busy'
    if (codeOf(error) === '28P01')
      throw new StartError(
        `The password in ${join(cluster.home, 'password')} is not that of the database. Restore the file from a backup of DATA_DIR.`,
      )
    if (!isPassing(error)) throw error
    return 'silent'
  }
}

async function claim({ client, socket }: Session, dataDir: string) {
  try {
    // PostgreSQL needs a moment to notice that the session of a killed Meydan is over.
    for (const end = Date.now() + lockPatience; ; await sleep(50)) {
      const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [lockKey])
      if (rows[0]?.locked) break
      if (Date.now() > end) throw new AlreadyRunning(`Meydan is already running on ${dataDir}. Stop it first.`)
    }
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (!rowCount) await client.query(`create database ${database}`)
    socket.unref()
    return true
  } catch (error) {
    socket.destroy()
    if (!isPassing(error)) throw error
    return false
  }
}

/** Whether an error is temporary: a broken connection, a stopping server, or too many connections. */
function isPassing(error: unknown) {
  if (error instanceof AlreadyRunning || codeOf(error) === 'EACCES') return false
  return !(error instanceof pg.DatabaseError) || ['53300', '57P01', '57P02', '57P03'].includes(codeOf(error))
}
