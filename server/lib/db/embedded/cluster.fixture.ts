/** Clusters in folders of their own, which are gone after the test. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

type Connection = EmbeddedPostgres['connection']
type Said = { connection?: Connection; messages?: string[]; error?: string; message?: string }

export async function scratch() {
  const directory = await mkdtemp(join(tmpdir(), 'meydan-test-'))
  await chmod(directory, 0o700)
  onTestFinished(async () => {
    const pid = await postmaster(directory).catch(() => undefined)
    if (pid && (await ps(pid, 'command=')).includes(`${directory}/postgres/cluster`)) process.kill(pid, 'SIGKILL')
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  })
  return directory
}

export async function start(
  dataDir: string,
  options: {
    durable?: boolean
    settings?: Record<string, string>
    messages?: string[]
    meanwhile?: () => Promise<unknown>
  } = {},
) {
  const { messages, ...rest } = options
  const running = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    log: (message) => messages?.push(message),
    ...rest,
  })
  onTestFinished(async () => {
    await running.stop()
    await removeOutside(dataDir, running.connection)
  })
  return running
}

export function launch(dataDir: string, mode = '', env?: NodeJS.ProcessEnv) {
  const fixture = fileURLToPath(new URL('./embedded-postgres.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [fixture, dataDir, mode], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const said = once(createInterface(child.stdout), 'line').then(([line]): Said => JSON.parse(line))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  return { child, said }
}

export async function launchAndConnect(dataDir: string, mode = '', env?: NodeJS.ProcessEnv) {
  const { child, said } = launch(dataDir, mode, env)
  const { connection, message } = await said
  if (!connection) throw new Error(message)
  onTestFinished(() => removeOutside(dataDir, connection))
  return { child, connection }
}

async function removeOutside(dataDir: string, { host }: Connection) {
  if (!host.startsWith(dataDir)) await rm(host, { recursive: true, force: true })
}

export async function kill(child: ChildProcess) {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

export async function runQuery(connection: Connection | undefined, sql: string) {
  const client = new pg.Client({ ...connection })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

export function keepNote(connection: Connection) {
  return runQuery(connection, `create table note as select 'kept' as text`)
}

export function notes(connection: Connection) {
  return runQuery(connection, 'select text from note')
}

export async function postmaster(dataDir: string) {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8'), 10)
}

/** Simulates a reboot after which another program gets the pid that the lock files name. */
export async function reusePid(dataDir: string) {
  const bystander = spawn('sleep', ['60'])
  onTestFinished(() => void bystander.kill('SIGKILL'))
  const home = join(dataDir, 'postgres')
  for (const path of [join(home, 'cluster', 'postmaster.pid'), join(home, '.s.PGSQL.5432.lock')]) {
    await writeFile(path, (await readFile(path, 'utf8')).replace(/^\d+/, String(bystander.pid)))
  }
  return bystander
}

/** Suspends a backend, so that it cannot notice that its postmaster ended. */
export async function halt(connection: Connection) {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid
  if (!pid) throw new Error('PostgreSQL did not name its backend')
  process.kill(pid, 'SIGSTOP')
  onTestFinished(async () => {
    if (await isAlive(pid)) process.kill(pid, 'SIGCONT')
  })
  return pid
}

/** Whether a process runs. A zombie, which has ended but still has its pid, does not count. */
export async function isAlive(pid: number) {
  return /^[^Z]/.test(await ps(pid, 'stat='))
}

export async function ps(pid: number, column: string) {
  const found = await promisify(execFile)('ps', ['-ww', '-o', column, '-p', String(pid)]).catch(() => undefined)
  return found?.stdout.trim() ?? ''
}
