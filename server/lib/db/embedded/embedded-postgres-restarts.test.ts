import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { scaled } from '../../../../test/run/machine.ts'
import { until } from '../../../../test/until.ts'
import {
  halt,
  isAlive,
  keepNote,
  kill,
  launch,
  launchAndConnect,
  notes,
  postmaster,
  reusePid,
  runQuery,
  scratch,
  start,
} from './cluster.fixture.ts'
import { AlreadyRunning } from './embedded-postgres.ts'

describe('embedded PostgreSQL', () => {
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
    await vi.waitFor(() => notes(next.connection), { timeout: scaled(20_000) })
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
      await vi.waitFor(() => expect(messages).toContain('PostgreSQL had stopped, and was started again'), {
        timeout: scaled(20_000),
      })
      expect(await notes(connection)).toEqual([{ text: 'kept' }])
      messages.length = 0
    }
    await expect(start(dataDir)).rejects.toThrow(AlreadyRunning)
  })

  it('a lost connection is not told as a PostgreSQL that stopped', async () => {
    const messages: string[] = []
    const { connection } = await start(await scratch(), { messages })
    messages.length = 0
    await runQuery(
      connection,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'meydan lock'",
    )
    await until(() =>
      expect(messages).toEqual([
        'The connection to PostgreSQL was lost; connecting again',
        'PostgreSQL is connected again',
      ]),
    )
  })

  it('a stop during a restart succeeds', async () => {
    const dataDir = await scratch()
    const messages: string[] = []
    const running = await start(dataDir, { messages })
    const pid = await postmaster(dataDir)
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(messages).toContainEqual(expect.stringContaining('connecting again')), {
      timeout: scaled(15_000),
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
    await vi.waitFor(async () => expect(await readdir(dataDir)).toHaveLength(1), {
      interval: 5,
      timeout: scaled(10_000),
    })
    await kill(child)
    expect(await readdir(dataDir)).not.toContain('postgres')

    await start(dataDir)
    expect(await readdir(dataDir)).toContain('postgres')
  })
})
