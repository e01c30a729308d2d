import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { ConnectionConfig } from '../server/lib/db/database.ts'
import { startEmbeddedPostgres } from '../server/lib/db/embedded/embedded-postgres.ts'
import { waitUntil } from './harness.ts'

const cleanUps: (() => Promise<unknown>)[] = []

/** Registers what ends with the claim. */
export const onCleanUp = (close: () => Promise<unknown>) => cleanUps.push(close)

/** Stops what a claim started and removes its files, in reverse order. An error in one step does not stop the others. */
export async function cleanUp() {
  const errors: unknown[] = []
  for (const close of cleanUps.splice(0).reverse()) await close().catch((error) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '))
}

/** A folder for DATA_DIR. */
export async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-bench-'))
  onCleanUp(async () => {
    // As root without user namespaces, the cluster is outside of the folder.
    const cluster = await realpath(join(folder, 'postgres')).catch(() => folder)
    await rm(cluster, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

/** Starts PostgreSQL with the settings of production, besides these: its data survives a power cut. */
export async function startPostgres(settings: Record<string, string> = {}) {
  const postgres = await startEmbeddedPostgres({ dataDir: await temporaryFolder(), log: () => undefined, settings })
  onCleanUp(postgres.stop)
  return postgres.connection
}

/** Creates another database on the same server. */
export async function createDatabase(connection: ConnectionConfig, name: string): Promise<ConnectionConfig> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return { ...connection, database: name }
}

/** Runs a server in its own process, listening on PORT. Resolves when /readyz responds with 200. */
export async function startServer(file: string, settings: Record<string, string>, args: string[] = []) {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  return { url, ...(await startProcess(file, { PORT: port, ...settings }, args, () => isReady(url))) }
}

/** Runs a file, relative to bench/, in its own process. Resolves when `isReady` holds for the log written so far. */
export async function startProcess(
  file: string,
  settings: Record<string, string>,
  args: string[],
  isReady: (log: string) => boolean | Promise<boolean>,
) {
  const start = performance.now()
  // Settings of the shell do not reach the process, so that a bench is the same everywhere.
  // As in `npm start`.
  const NODE_COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/compiled')
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE, ...settings }
  const child = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, file), ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    const kill = setTimeout(() => child.kill('SIGKILL'), 30_000)
    await ended
    clearTimeout(kill)
  }
  onCleanUp(stop)
  await waitUntil(
    () => {
      if (child.exitCode !== null) throw new Error(`${file} ended:\n${log}`)
      return isReady(log)
    },
    () => `${file} is ready. Its log:\n${log}`,
    { every: 5 },
  )
  return { stop, pid: child.pid ?? 0, seconds: (performance.now() - start) / 1000 }
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}
