import { execFile } from 'node:child_process'
import { chmod, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { until } from '../../../../test/until.ts'
import {
  isAlive,
  keepNote,
  kill,
  launchAndConnect,
  notes,
  postmaster,
  ps,
  runQuery,
  scratch,
  start,
} from './cluster.fixture.ts'
import { AlreadyRunning } from './embedded-postgres.ts'

const isRoot = process.getuid?.() === 0
const systemDirectory = '/var/lib/meydan'
const hadSystemDirectory = await stat(systemDirectory).then(
  () => true,
  () => false,
)

afterAll(async () => {
  if (!hadSystemDirectory) await rm(systemDirectory, { recursive: true, force: true })
})

describe('embedded PostgreSQL', () => {
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

  it('the work of the caller runs while PostgreSQL starts, and stops it when it fails', async () => {
    const dataDir = await scratch()
    let pid = 0
    const meanwhile = async () => {
      await until(async () => {
        pid = await postmaster(dataDir)
        expect(await isAlive(pid)).toBe(true)
      })
      throw new Error('not loaded')
    }
    await expect(start(dataDir, { meanwhile })).rejects.toThrow('not loaded')
    expect(await isAlive(pid)).toBe(false)
    const { connection } = await start(dataDir, { meanwhile: async () => undefined })
    expect(await runQuery(connection, 'select 1 as one')).toEqual([{ one: 1 }])
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
