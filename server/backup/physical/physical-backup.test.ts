import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { client } from '../../../test/client.ts'
import { draft } from '../../../test/deliveries.ts'
import { expectStatus, signedIn, withToken, withWorkspace } from '../../../test/factories.ts'
import { download, noise, uploaded } from '../../../test/media.ts'
import { freePort } from '../../../test/processes.ts'
import { until } from '../../../test/until.ts'
import { serve } from '../../commands/serve.ts'
import { readConfig } from '../../config/config.ts'
import { type ConnectionConfig, createDatabase } from '../../lib/db/database.ts'
import { besideRunning, startEmbeddedPostgres } from '../../lib/db/embedded/embedded-postgres.ts'
import { migrate } from '../../lib/db/migrate.ts'
import { holdRestoredServer, isHeld } from '../../modules/installation/hold.ts'
import { folderStorage } from '../../modules/media/storage/folder.ts'
import { writeBackup } from '../backup.ts'
import { restoreBackup } from '../restore.ts'
import { localFile } from '../targets/folder-target.ts'
import { tryRestore } from '../trial-restore.ts'
import { verifyBackup } from '../verify.ts'
import type { Recovery } from './recovery.ts'
import { restorePhysicalBackup } from './restore-physical.ts'
import { writePhysicalBackup } from './write-physical.ts'

const passphrase = 'simit ve çay her sabah'
const secret = 'a secret key for tests, long enough'
const quiet = { onProgress: () => undefined, log: () => undefined }

const folder = await mkdtemp(join(tmpdir(), 'meydan-physical-'))
// A folder whose name a shell, PostgreSQL and its settings would each read in another way.
const wal = join(folder, "wal of Ada's 100%")
await mkdir(wal)
const archive = join(folder, 'archive.sh')
await writeFile(archive, `test ! -f "${wal}/$2" && cp "$1" "${wal}/$2.partial" && mv "${wal}/$2.partial" "${wal}/$2"\n`)
const source = await startEmbeddedPostgres({
  dataDir: join(folder, 'source'),
  log: () => undefined,
  durable: false,
  settings: { archive_mode: 'on', archive_command: `sh ${archive} %p %f`, jit: 'off' },
})
const { connection } = source
await migrate(connection)
const unused = async () => undefined
const database = { connection, query: unused, drop: unused }
const t = await testApp({ DATA_DIR: join(folder, 'source') }, { beside: { database }, origin: new Date() })
afterAll(async () => {
  await source.stop()
  await rm(folder, { recursive: true, force: true })
})

let number = 0
const newPath = () => join(folder, `${++number}`)

async function backUp(path = newPath()) {
  const { password } = connection
  const { storage } = t.deps
  const options = { connection, storage, secret, passphrase, password, ...quiet }
  return { path, ...(await writePhysicalBackup(localFile(path), options)) }
}

type Options = { recovery?: Recovery; passphrase?: string; major?: number; into?: string }
const restore = (path: string, { into = newPath(), recovery = {}, ...more }: Options = {}) =>
  restorePhysicalBackup(localFile(path), { folder: into, recovery, passphrase, ...quiet, ...more })

const readClock = async () => {
  const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(t.deps.db)
  return rows[0]?.time ?? new Date()
}

/** A time after all commits so far. PostgreSQL counts microseconds, so it is of a later millisecond than the last one. */
async function readTime() {
  const begun = await readClock()
  return until(async () => {
    const time = await readClock()
    expect(time.getTime()).toBeGreaterThan(begun.getTime())
    return time
  })
}

/** Begins a new file of WAL, and waits until the former is archived. */
async function archiveWal() {
  // PostgreSQL begins none, and archives none, if nothing was written since the last one began.
  await sql`select pg_logical_emit_message(false, 'test', 'x')`.execute(t.deps.db)
  const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_switch_wal()) as name`.execute(t.deps.db)
  await until(async () => expect(await readdir(wal)).toContain(rows[0]?.name))
}

/** Starts Meydan on a restored folder. */
async function started(dataDir: string) {
  const port = await freePort()
  const config = readConfig({
    PORT: `${port}`,
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_READ: '0',
  })
  const running = await serve(config)
  onTestFinished(running.stop)
  return client(`http://127.0.0.1:${port}`)
}

const admin = await signedIn(t, { instanceAdmin: true })
const owner = await withWorkspace(t)
const file = await uploaded(owner, { bytes: await noise(300, 200) })
const token = await withToken(t, owner)

// Written while the backup runs.
const acknowledged: string[] = []
let isBackingUp = true
const writing = (async () => {
  while (isBackingUp) acknowledged.push((await draft(owner)).id)
})()
const { path, manifest, missing } = await backUp()
isBackingUp = false
await writing

const kept = await draft(owner, 'Acknowledged before')
const time = await readTime()
const lost = await draft(owner, 'Acknowledged after')
await archiveWal()

test('a physical backup is encrypted, and every byte of it can be verified while PostgreSQL runs', async () => {
  expect(missing).toBe(0)
  expect(manifest.files).toBeGreaterThan(0)
  expect((await verifyBackup(localFile(path), { passphrase, ...quiet })).manifest).toEqual(manifest)
  expect((await readFile(path)).includes('PG_VERSION')).toBe(false)
})

test('a restore to a point in time has what was acknowledged before it, nothing after it, all files, and is held', async () => {
  const into = newPath()
  await restore(path, { into, recovery: { wal: { folder: wal }, until: time } })
  const { mode } = await stat(join(into, 'postgres', 'cluster'))
  expect(mode & 0o777).toBe(0o700)

  const restored = await started(into)
  const member = restored.with({ authorization: `Bearer ${token.token}` })
  expect(acknowledged.length).toBeGreaterThan(0)
  for (const id of [...acknowledged, kept.id]) expectStatus(await member.get(`/api/v1/posts/${id}`), 200)
  expectStatus(await member.get(`/api/v1/posts/${lost.id}`), 404)
  const { body: media } = expectStatus(await member.get(`/api/v1/media/${file.id}`), 200)
  const original = await download(owner, file.url)
  const copy = await download(member, media.url)
  expect(Buffer.compare(Buffer.from(copy.bytes), Buffer.from(original.bytes))).toBe(0)

  const releaser = restored.with(admin.headers)
  const { body: hold } = expectStatus(await releaser.get('/api/v1/admin/hold'), 200)
  expect(hold).toMatchObject({ held: true })
  expect(Date.parse(hold.data_until)).toBeLessThanOrEqual(time.getTime())
  expect(Date.parse(hold.data_until)).toBeGreaterThanOrEqual(Date.parse(manifest.ended_at))
  const choices = { posts: 'unschedule', deliveries: 'drop', mails: 'keep' }
  expectStatus(await releaser.post('/api/v1/admin/hold/release', choices), 200)
  await expectNoHold(await besideRunning(into, () => undefined))
})

/** Fails if a node that starts on this database would hold it. */
async function expectNoHold(database: ConnectionConfig) {
  const { db, close } = createDatabase(database, 1)
  await holdRestoredServer(db)
  expect(await isHeld(db)).toBe(false)
  await close()
}

test('without archived WAL, a restore ends with the backup, and holds no database that is created later', async () => {
  const into = newPath()
  await restore(path, { into })
  const restored = await started(into)
  const member = restored.with({ authorization: `Bearer ${token.token}` })
  expectStatus(await member.get(`/api/v1/media/${file.id}`), 200)
  expectStatus(await member.get(`/api/v1/posts/${kept.id}`), 404)
  const { body: hold } = expectStatus(await restored.with(admin.headers).get('/api/v1/admin/hold'), 200)
  expect(hold).toMatchObject({ held: true })

  const server = await besideRunning(into, () => undefined)
  const { db, close } = createDatabase(server, 1)
  await sql`create database younger`.execute(db)
  await close()
  const younger = { ...server, database: 'younger' }
  await migrate(younger)
  await expectNoHold(younger)
})

test('a physical backup of the embedded PostgreSQL is restored on trial, which archives nothing and leaves nothing', async () => {
  await archiveWal()
  const archived = await readdir(wal)
  const trials = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('meydan-trial-'))
  const before = await trials()
  const { manifest: tried } = await tryRestore(localFile(path), { passphrase, ...quiet })
  expect(tried).toEqual(manifest)
  expect(await trials()).toEqual(before)
  expect(await readdir(wal)).toEqual(archived)

  const another = { passphrase: 'another passphrase', ...quiet }
  await expect(tryRestore(localFile(path), another)).rejects.toThrow('passphrase')
  const own = newPath()
  const options = { connection, storage: t.deps.storage, secret, passphrase, ...quiet }
  await writePhysicalBackup(localFile(own), options)
  await expect(tryRestore(localFile(own), { passphrase, ...quiet })).rejects.toThrow(
    'This backup is one of your own PostgreSQL',
  )
  expect(await trials()).toEqual(before)
})

const cut = (bytes: Buffer, length: number) => bytes.subarray(0, length)
const flipped = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

test('of a physical backup that was cut or changed, or has another passphrase, nothing is restored', async () => {
  const bytes = await readFile(path)
  const damaged: [Buffer, RegExp][] = [
    [cut(bytes, bytes.length / 2), /incomplete/],
    [flipped(bytes, Math.floor(bytes.length / 2)), /damaged/],
  ]
  for (const [content, reason] of damaged) {
    const copy = newPath()
    await writeFile(copy, content)
    await expect(verifyBackup(localFile(copy), { passphrase, ...quiet })).rejects.toThrow(reason)
  }
  // A restore reads the file by the same functions.
  const copy = newPath()
  await writeFile(copy, cut(bytes, bytes.length - 1))
  const absent = newPath()
  await expect(restore(copy, { into: absent })).rejects.toThrow('incomplete')
  await expect(stat(absent)).rejects.toThrow('ENOENT')

  const into = newPath()
  await mkdir(into)
  await expect(restore(path, { into, passphrase: 'another passphrase' })).rejects.toThrow('passphrase')
  await expect(restore(path, { into, major: 99 })).rejects.toThrow('this installation has PostgreSQL 99')
  const before = { wal: { folder: wal }, until: new Date(0) }
  await expect(restore(path, { into, recovery: before })).rejects.toThrow('is before this backup')
  const full = {
    open: async () => {
      const { size, content } = await localFile(path).open()
      async function* interrupted() {
        let read = 0
        for await (const chunk of content) {
          read += chunk.length
          if (read > size / 2) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
          yield chunk
        }
      }
      return { size, content: interrupted() }
    },
  }
  const filling = restorePhysicalBackup(full, { folder: into, recovery: {}, passphrase, ...quiet })
  await expect(filling).rejects.toThrow('is full. Nothing was restored.')
  const stopped = AbortSignal.abort(new Error('Stopped.'))
  const stopping = restorePhysicalBackup(localFile(path), {
    ...{ folder: into, recovery: {}, passphrase, ...quiet },
    signal: stopped,
  })
  await expect(stopping).rejects.toThrow('Stopped.')
  expect(await readdir(into)).toEqual([])
  await writeFile(join(into, 'note.txt'), 'mine')
  await expect(restore(path, { into })).rejects.toThrow('is not empty (note.txt)')
  expect(await readdir(into)).toEqual(['note.txt'])
})

test('a physical backup of a newer PostgreSQL or a newer Meydan is refused, also on trial', async () => {
  const { db } = t.deps
  await db.insertInto('migration').values({ name: '9999_later.sql' }).execute()
  const newer = await backUp()
  await db.deleteFrom('migration').where('name', '=', '9999_later.sql').execute()
  const into = newPath()
  const refusal =
    /^This backup was made by a newer Meydan \([\d.]+, 9999_later\.sql\)\. Restore it with that version\.$/
  await expect(restore(newer.path, { into })).rejects.toThrow(refusal)
  await expect(tryRestore(localFile(newer.path), { passphrase, ...quiet })).rejects.toThrow(refusal)

  await expect(restore(path, { into, major: 17 })).rejects.toThrow(
    /^This backup is of PostgreSQL 18\.\d+ on [^,]+, and this installation has PostgreSQL 17, which cannot read it\. Install PostgreSQL 18,/,
  )
  await expect(stat(into)).rejects.toThrow('ENOENT')
})

test('each kind of backup is restored by its own command', async () => {
  const dataDir = newPath()
  await mkdir(dataDir)
  const storage = await folderStorage(join(dataDir, 'files'))
  await sql`create database other`.execute(t.deps.db)
  const empty = { connection: { ...connection, database: 'other' }, storage, dataDir, secretKey: secret }
  const restoring = restoreBackup(localFile(path), { ...empty, passphrase, ...quiet })
  await expect(restoring).rejects.toThrow('This is a physical backup.')

  const logical = newPath()
  await writeBackup(localFile(logical), { connection, storage: t.deps.storage, secret, passphrase, ...quiet })
  const into = newPath()
  await expect(restore(logical, { into })).rejects.toThrow('This is not a physical backup.')
  await expect(stat(into)).rejects.toThrow('ENOENT')
})

test('a role that may not replicate gets no physical backup, and leaves no file', async () => {
  await sql`create role plain login password 'simit' in role pg_read_all_data`.execute(t.deps.db)
  const plain = { ...connection, user: 'plain', password: 'simit' }
  const path = newPath()
  const options = { connection: plain, storage: t.deps.storage, secret, passphrase, ...quiet }
  await expect(writePhysicalBackup(localFile(path), options)).rejects.toThrow(
    /allows no physical backup: .*alter role plain replication.*without --physical/,
  )
  expect((await readdir(folder)).filter((name) => name.startsWith(`${number}`))).toEqual([])
})
