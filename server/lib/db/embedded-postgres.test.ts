import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { until } from '../../../test/until.ts'
import { AlreadyRunning, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

type Connection = EmbeddedPostgres['connection']
type Said = { connection?: Connection; messages?: string[]; error?: string; message?: string }

const isRoot = process.getuid?.() === 0
const systemDirectory = '/var/lib/meydan'
const hadSystemDirectory = await exists(systemDirectory)
const cleanUps: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

afterAll(async () => {
  if (!hadSystemDirectory) await rm(systemDirectory, { recursive: true, force: true })
})

describe('embedded PostgreSQL', { timeout: 30_000 }, () => {
  it('the new cluster is UTF-8 with the builtin locale, and accepts only socket connections with a password', async () => {
    const dataDir = await scratch()
    const { connection } = await start(dataDir)

    const [facts] = await runQuery(
      connection,
      `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale,
         current_setting('listen_addresses') as addresses, current_setting('unix_socket_permissions') as mode
       from pg_database where datname = current_database()`,
    )
    expect(facts).toEqual({ encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8', addresses: '', mode: '0700' })
    const passwordFile = join(dataDir, 'postgres', 'password')
    expect((await stat(passwordFile)).mode & 0o777).toBe(0o600)
    expect(await readFile(passwordFile, 'utf8')).toBe(connection.password)
    expect(Buffer.from(connection.password, 'base64url')).toHaveLength(32)
    await expect(runQuery({ ...connection, password: 'wrong' }, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  it('fsync and synchronous_commit are on for a durable cluster and off for a throwaway one', async () => {
    const settings = `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits`
    const durable = await start(await scratch(), { durable: true })
    expect(await runQuery(durable.connection, settings)).toEqual([{ fsync: 'on', commits: 'on' }])
    const throwaway = await start(await scratch(), { settings: { work_mem: '7MB' } })
    expect(await runQuery(throwaway.connection, settings)).toEqual([{ fsync: 'off', commits: 'off' }])
    expect(await runQuery(throwaway.connection, 'show work_mem')).toEqual([{ work_mem: '7MB' }])
  })

  it('the data outlives a stop, and stopping twice is no error', async () => {
    const dataDir = await scratch()
    const first = await start(dataDir)
    await keepNote(first.connection)
    const pid = await postmaster(dataDir)
    await Promise.all([first.stop(), first.stop()])
    await first.stop()
    await until(async () => expect(await isAlive(pid)).toBe(false))

    const messages: string[] = []
    const second = await start(dataDir, { messages })
    expect(await notes(second.connection)).toEqual([{ text: 'kept' }])
    expect(messages).toEqual([])
  })

  it('a second start is refused while one runs, and the first keeps serving', async () => {
    const dataDir = await scratch()
    const first = await start(dataDir)
    const pid = await postmaster(dataDir)
    await expect(start(dataDir)).rejects.toThrow(AlreadyRunning)
    await expect(start(dataDir)).rejects.toThrow(`Meydan is already running on ${dataDir}`)
    expect(await runQuery(first.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await postmaster(dataDir)).toBe(pid)
  })

  it('PostgreSQL does not keep a process alive that never stops it', async () => {
    const dataDir = await scratch()
    const { child, said } = launch(dataDir, 'forgetful')
    expect(await said).toHaveProperty('connection')
    if (child.exitCode === null) await once(child, 'exit')
    expect(child.exitCode).toBe(0)
  })

  it('a start after Meydan was killed adopts, supervises and later stops the running PostgreSQL', async () => {
    const dataDir = await scratch()
    const killed = await launchAndConnect(dataDir, 'durable')
    await keepNote(killed.connection)
    const pid = await postmaster(dataDir)
    await kill(killed.child)

    const messages: string[] = []
    const next = await start(dataDir, { durable: true, messages })
    expect(messages).toEqual([expect.stringContaining('still running from a Meydan that did not stop cleanly')])
    expect(await postmaster(dataDir)).toBe(pid)
    expect(await notes(next.connection)).toEqual([{ text: 'kept' }])

    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => notes(next.connection), { timeout: 20_000 })
    const successor = await postmaster(dataDir)
    expect(successor).not.toBe(pid)
    await next.stop()
    await until(async () => expect(await isAlive(successor)).toBe(false))
  })

  it('an adopted PostgreSQL that was never a child process is stopped', async () => {
    const dataDir = await scratch()
    await kill((await launchAndConnect(dataDir)).child)
    const pid = await postmaster(dataDir)
    const adopter = await start(dataDir)
    await adopter.stop()
    await until(async () => expect(await isAlive(pid)).toBe(false))
  })

  it('committed data is recovered after Meydan and PostgreSQL are killed together', async () => {
    const dataDir = await scratch()
    const killed = await launchAndConnect(dataDir, 'durable')
    await keepNote(killed.connection)
    process.kill(await postmaster(dataDir), 'SIGKILL')
    await kill(killed.child)

    const next = await start(dataDir, { durable: true })
    expect(await notes(next.connection)).toEqual([{ text: 'kept' }])
  })

  it('a killed PostgreSQL is restarted, and the lock is taken again', async () => {
    const dataDir = await scratch()
    const messages: string[] = []
    const { connection } = await start(dataDir, { durable: true, messages })
    await keepNote(connection)
    for (let round = 0; round < 2; round++) {
      process.kill(await postmaster(dataDir), 'SIGKILL')
      await vi.waitFor(() => expect(messages).toContain('PostgreSQL is running again'), { timeout: 20_000 })
      expect(await notes(connection)).toEqual([{ text: 'kept' }])
      messages.length = 0
    }
    await expect(start(dataDir)).rejects.toThrow(AlreadyRunning)
  })

  it('a stop during a restart succeeds', async () => {
    const dataDir = await scratch()
    const messages: string[] = []
    const running = await start(dataDir, { messages })
    const pid = await postmaster(dataDir)
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(messages).toContainEqual(expect.stringContaining('starting it again')), {
      timeout: 15_000,
      interval: 1,
    })
    await running.stop()
    const left = await postmaster(dataDir).catch(() => pid)
    await until(async () => expect(await isAlive(left)).toBe(false))
  })

  it('a start succeeds although postmaster.pid names an unrelated live process', async () => {
    const dataDir = await scratch()
    const killed = await launchAndConnect(dataDir)
    process.kill(await postmaster(dataDir), 'SIGKILL')
    await kill(killed.child)
    const bystander = await reusePid(dataDir)

    const next = await start(dataDir)
    expect(await runQuery(next.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await postmaster(dataDir)).not.toBe(bystander.pid)
    expect(bystander.exitCode ?? bystander.signalCode).toBe(null)
  })

  it('a start waits for the backends of a killed PostgreSQL, also when another process now has its pid', async () => {
    const dataDir = await scratch()
    const killed = await launchAndConnect(dataDir)
    const backend = await halt(killed.connection)
    process.kill(await postmaster(dataDir), 'SIGKILL')
    await kill(killed.child)
    await reusePid(dataDir)

    const starting = start(dataDir)
    const log = join(dataDir, 'postgres', 'log', 'start.log')
    await until(async () => expect(await readFile(log, 'utf8')).toContain('pre-existing shared memory block'))
    process.kill(backend, 'SIGCONT')
    expect(await runQuery((await starting).connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('exactly one of two concurrent first starts succeeds', async () => {
    const dataDir = await scratch()
    const said = await Promise.all([launch(dataDir).said, launch(dataDir).said])
    const [winner] = said.flatMap(({ connection }) => connection ?? [])
    expect(said.flatMap(({ error }) => error ?? [])).toEqual(['AlreadyRunning'])
    expect(await runQuery(winner, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await readdir(dataDir)).toEqual(['postgres'])
  })

  it('a start creates the cluster again when the first start was killed halfway', async () => {
    const dataDir = await scratch()
    const { child } = launch(dataDir)
    await vi.waitFor(async () => expect(await readdir(dataDir)).toHaveLength(1), { interval: 5, timeout: 10_000 })
    await kill(child)
    expect(await readdir(dataDir)).not.toContain('postgres')

    await start(dataDir)
    expect(await readdir(dataDir)).toContain('postgres')
  })

  it(`PostgreSQL starts ${isRoot ? 'as root' : 'as an ordinary user'} in a directory that no other user may enter`, async () => {
    const dataDir = join(await scratch(), 'data')
    const { connection } = await start(dataDir)
    expect(await stat(dataDir)).toMatchObject({ uid: process.getuid?.() })
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await runQuery(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('PostgreSQL runs as another user where root has no user namespaces, and later starts keep that user', async () => {
    const dataDir = await scratch()
    const first = await launchAndConnect(dataDir, '', { PATH: dataDir })
    await keepNote(first.connection)
    const uid = Number(await ps(await postmaster(dataDir), 'uid='))
    if (isRoot) {
      expect(uid).not.toBe(0)
      expect(await readlink(join(dataDir, 'postgres'))).toMatch(/^\/var\/lib\/meydan\/[0-9a-f]{12}$/)
      expect((await stat(first.connection.host)).mode & 0o777).toBe(0o700)
    } else {
      expect(uid).toBe(process.getuid?.())
    }

    await kill(first.child)
    const adopter = await start(dataDir)
    expect(await notes(adopter.connection)).toEqual([{ text: 'kept' }])
    await adopter.stop()

    const next = await start(dataDir)
    expect(await notes(next.connection)).toEqual([{ text: 'kept' }])
    expect(Number(await ps(await postmaster(dataDir), 'uid='))).toBe(uid)
  })

  it.runIf(isRoot)('a cluster of an ordinary user runs as that user when root starts it', async () => {
    const dataDir = await scratch()
    const first = await start(dataDir, { durable: true })
    await keepNote(first.connection)
    await first.stop()
    await chmod(dataDir, 0o711)
    await promisify(execFile)('chown', ['-R', '65534:65534', join(dataDir, 'postgres')])

    const next = await start(dataDir, { durable: true })
    expect(await notes(next.connection)).toEqual([{ text: 'kept' }])
    expect(Number(await ps(await postmaster(dataDir), 'uid='))).toBe(65534)
  })

  it('no empty database replaces one whose directory elsewhere is gone', async () => {
    const dataDir = await scratch()
    await symlink(join(dataDir, 'elsewhere'), join(dataDir, 'postgres'))
    await expect(start(dataDir)).rejects.toThrow(/was in .*elsewhere, which no longer exists/)
  })

  it('PostgreSQL starts when the path of DATA_DIR is longer than a socket address', async () => {
    const dataDir = join(await scratch(), 'a'.repeat(75), 'b'.repeat(75))
    const { connection } = await start(dataDir)
    expect(dataDir.length).toBeGreaterThan(150)
    expect(connection.host).toMatch(/^\/tmp\/meydan-[0-9a-f]{12}$/)
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
    expect(await runQuery(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await expect(start(dataDir)).rejects.toThrow(AlreadyRunning)
  })

  it('a cluster of another major version is refused with what to do', async () => {
    const dataDir = await scratch()
    await (await start(dataDir)).stop()
    await writeFile(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '17\n')
    await expect(start(dataDir)).rejects.toThrow(
      /created by PostgreSQL 17, .* includes PostgreSQL 18\. Dump it .*DATABASE_URL/,
    )
  })

  it('a failed start reports the error message of PostgreSQL', async () => {
    const dataDir = await scratch()
    await expect(start(dataDir, { settings: { shared_buffers: 'plenty' } })).rejects.toThrow(/shared_buffers.*plenty/)
  })
})

async function scratch() {
  const directory = await mkdtemp(join(tmpdir(), 'meydan-test-'))
  await chmod(directory, 0o700)
  cleanUps.push(async () => {
    const pid = await postmaster(directory).catch(() => undefined)
    if (pid && (await ps(pid, 'command=')).includes(`${directory}/postgres/cluster`)) process.kill(pid, 'SIGKILL')
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  })
  return directory
}

async function start(
  dataDir: string,
  options: { durable?: boolean; settings?: Record<string, string>; messages?: string[] } = {},
) {
  const { messages, ...rest } = options
  const running = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    log: (message) => messages?.push(message),
    ...rest,
  })
  cleanUps.push(async () => {
    await running.stop()
    await removeOutside(dataDir, running.connection)
  })
  return running
}

function launch(dataDir: string, mode = '', env: NodeJS.ProcessEnv = process.env) {
  const fixture = fileURLToPath(new URL('./embedded-postgres.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [fixture, dataDir, mode], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const said = once(createInterface(child.stdout), 'line').then(([line]): Said => JSON.parse(line))
  cleanUps.push(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  return { child, said }
}

async function launchAndConnect(dataDir: string, mode = '', env?: NodeJS.ProcessEnv) {
  const { child, said } = launch(dataDir, mode, env)
  const { connection, message } = await said
  if (!connection) throw new Error(message)
  cleanUps.push(() => removeOutside(dataDir, connection))
  return { child, connection }
}

async function removeOutside(dataDir: string, { host }: Connection) {
  if (!host.startsWith(dataDir)) await rm(host, { recursive: true, force: true })
}

async function kill(child: ChildProcess) {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function runQuery(connection: Connection | undefined, sql: string) {
  const client = new pg.Client({ ...connection })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

function keepNote(connection: Connection) {
  return runQuery(connection, `create table note as select 'kept' as text`)
}

function notes(connection: Connection) {
  return runQuery(connection, 'select text from note')
}

async function postmaster(dataDir: string) {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8'), 10)
}

/** Simulates a reboot after which another program gets the pid that the lock files name. */
async function reusePid(dataDir: string) {
  const bystander = spawn('sleep', ['60'])
  cleanUps.push(() => bystander.kill('SIGKILL'))
  const home = join(dataDir, 'postgres')
  for (const path of [join(home, 'cluster', 'postmaster.pid'), join(home, '.s.PGSQL.5432.lock')]) {
    await writeFile(path, (await readFile(path, 'utf8')).replace(/^\d+/, String(bystander.pid)))
  }
  return bystander
}

/** Suspends a backend, so that it cannot notice that its postmaster ended. */
async function halt(connection: Connection) {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid
  if (!pid) throw new Error('PostgreSQL did not name its backend')
  process.kill(pid, 'SIGSTOP')
  cleanUps.push(async () => (await isAlive(pid)) && process.kill(pid, 'SIGCONT'))
  return pid
}

/** Whether a process runs. A zombie, which has ended but still has its pid, does not count. */
async function isAlive(pid: number) {
  return /^[^Z]/.test(await ps(pid, 'stat='))
}

async function ps(pid: number, column: string) {
  const found = await promisify(execFile)('ps', ['-ww', '-o', column, '-p', String(pid)]).catch(() => undefined)
  return found?.stdout.trim() ?? ''
}

async function exists(path: string) {
  return stat(path).then(
    () => true,
    () => false,
  )
}
