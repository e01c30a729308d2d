import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { cloneDatabase, databaseUrl, emptyDatabase } from '../../test/database.ts'
import { createWebhook, draft } from '../../test/deliveries.ts'
import { expectStatus, PASSWORD, playgroundAccount, signedIn, withToken, withWorkspace } from '../../test/factories.ts'
import { download, noise, uploaded } from '../../test/media.ts'
import { askedScrypt } from '../../test/run/cheap-scrypt.ts'
import { serve } from '../commands/serve.ts'
import { createDatabase } from '../lib/db/database.ts'
import { locks } from '../lib/db/locks.ts'
import { eraseDeletedMedia } from '../modules/media/deletion.ts'
import { eraseStoredFiles } from '../modules/media/storage/erasure.ts'
import { folderStorage } from '../modules/media/storage/folder.ts'
import { writeBackup } from './backup.ts'
import { restoreBackup } from './restore.ts'
import { localFile } from './targets/folder-target.ts'
import { verifyBackup } from './verify.ts'

const passphrase = 'simit ve çay her sabah'
const secret = 'a secret key for tests, long enough'
const otherSecret = 'another secret key, long enough too'
const quiet = { onProgress: () => undefined, log: () => undefined }

const t = await testApp()
const folder = await mkdtemp(join(tmpdir(), 'meydan-backup-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

let number = 0
const newPath = () => join(folder, `${++number}.backup`)

async function backUp(path = newPath(), source = t) {
  const { connection } = source.database
  const { storage } = source.deps
  return { path, ...(await writeBackup(localFile(path), { connection, storage, secret, passphrase, ...quiet })) }
}

/** An empty installation: a database without rows, or without tables, and a folder. A migration takes over a second. */
async function emptyInstallation(create = cloneDatabase) {
  const database = await create(inject('postgres'))
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const storage = await folderStorage(join(dataDir, 'files'))
  onTestFinished(() => database.drop())
  return { database, dataDir, storage, connection: database.connection }
}

type Empty = Awaited<ReturnType<typeof emptyInstallation>>
const restore = (path: string, target: Empty, more: { secretKey?: string; passphrase?: string } = {}) =>
  restoreBackup(localFile(path), { ...target, secretKey: secret, passphrase, ...quiet, ...more })

/** Fails if a restore left more than tables without rows. */
async function expectNothingRestored({ connection, storage, dataDir }: Empty) {
  const { db, close } = createDatabase(connection, 1)
  const { rows } = await sql<{ used: boolean }>`select to_regclass('public."user"') is not null as used`.execute(db)
  if (rows[0]?.used) expect(await db.selectFrom('user').select('id').execute()).toEqual([])
  await close()
  expect(await Array.fromAsync(storage.list())).toEqual([])
  expect((await readdir(dataDir)).filter((name) => name !== 'files')).toEqual([])
}

/** Checksums of the rows of every table. */
async function checksums(connection: Empty['connection']) {
  const { db, close } = createDatabase(connection, 1)
  const { rows: tables } = await sql<{ name: string }>`
    select schemaname || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname in ('public', 'graphile_worker') order by 1`.execute(db)
  const sums: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ sum: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum
      from ${sql.raw(name)} t`.execute(db)
    sums[name] = rows[0]?.sum ?? ''
  }
  await close()
  return sums
}

test('a restored installation has every row and every file of the backup, and works with its own secret key', async () => {
  const owner = await withWorkspace(t)
  const account = await playgroundAccount(owner)
  const bytes = await noise(300, 200)
  const file = await uploaded(owner, { bytes })
  const at = new Date(t.clock.now().getTime() + 3600_000).toISOString()
  const post = {
    content: 'Şile bezi – \\N\ttab\nline 🧿',
    account_ids: [account],
    media_ids: [file.id],
    scheduled_at: at,
  }
  const { id } = expectStatus(await owner.post('/api/v1/posts', post), 201).body
  await createWebhook(owner)
  await draft(owner)
  const token = await withToken(t, owner)

  const before = await checksums(t.database.connection)
  const { path, manifest, missing } = await backUp()
  expect(missing).toBe(0)
  expect(manifest.files).toBeGreaterThanOrEqual(2)
  expect((await verifyBackup(localFile(path), { passphrase, ...quiet })).manifest).toEqual(manifest)
  expect((await readFile(path)).includes('Şile bezi')).toBe(false)

  const target = await emptyInstallation(emptyDatabase)
  await restore(path, target, { secretKey: otherSecret })
  const after = await checksums(target.connection)
  const own = [
    'public.migration',
    'public.worker_node',
    'public.installation_hold',
    'public.keyring',
    'public.audit_entry',
  ]
  for (const table of [...own, 'graphile_worker.migrations']) {
    delete before[table]
    delete after[table]
  }
  expect(after).toEqual(before)

  const settings = { DATA_DIR: target.dataDir, SECRET_KEY: otherSecret }
  const restored = await testApp(settings, { beside: target })
  onTestFinished(restored.close)
  const person = restored.anyone.with({ authorization: `Bearer ${token.token}` })
  expect(expectStatus(await person.get(`/api/v1/posts/${id}`), 200).body).toMatchObject({ content: post.content })
  const again = await restored.anyone.post('/api/auth/sign-in/email', { email: owner.email, password: PASSWORD })
  expect(again.status).toBe(200)
  const { body: media } = expectStatus(await person.get(`/api/v1/media/${file.id}`), 200)
  const served = await download(person, media.url)
  expect(Buffer.compare(Buffer.from(served.bytes), await servedBytes(file.url, owner))).toBe(0)
})

const servedBytes = async (url: string, who: Parameters<typeof download>[0]) =>
  Buffer.from((await download(who, url)).bytes)

test('a backup has one snapshot: what is written while it runs is whole or absent', async () => {
  const owner = await withWorkspace(t)
  const uploads = Promise.all(Array.from({ length: 6 }, async () => uploaded(owner, { bytes: await noise(200, 200) })))
  const { path } = await backUp()
  await uploads
  const target = await emptyInstallation()
  await restore(path, target)
  const { db, close } = createDatabase(target.connection, 1)
  onTestFinished(close)
  const media = await db.selectFrom('media').select('id').execute()
  const originals = (await Array.fromAsync(target.storage.list())).filter(({ key }) => key.endsWith('/original'))
  expect(originals.map(({ key }) => key.split('/')[1]).toSorted()).toEqual(media.map(({ id }) => id).toSorted())
})

test('files that are deleted during a backup are erased after it', async () => {
  const owner = await withWorkspace(t)
  const { id } = await uploaded(owner)
  const { db, storage } = t.deps
  const isStored = async () => (await Array.fromAsync(storage.list())).some(({ key }) => key.includes(id))
  expectStatus(await owner.delete(`/api/v1/media/${id}`), 204)
  t.advance(25 * 3600_000)
  await eraseDeletedMedia(t.deps)
  await db.connection().execute(async (session) => {
    await sql`select pg_advisory_lock(${locks.backup})`.execute(session)
    await eraseStoredFiles(t.deps)
    expect(await isStored()).toBe(true)
    await sql`select pg_advisory_unlock(${locks.backup})`.execute(session)
  })
  await eraseStoredFiles(t.deps)
  expect(await isStored()).toBe(false)
})

test('a second backup of the same installation is refused while one runs, and none overwrites a file', async () => {
  const { path } = await backUp()
  await expect(backUp(path)).rejects.toThrow('Meydan overwrites no backup')
  await t.deps.db.connection().execute(async (session) => {
    await sql`select pg_advisory_lock(${locks.backup})`.execute(session)
    await expect(backUp()).rejects.toThrow('Another backup of this installation is running.')
    await sql`select pg_advisory_unlock(${locks.backup})`.execute(session)
  })
  await expect(backUp(join(folder, 'absent', 'x.backup'))).rejects.toThrow('Name a file in a folder that exists')
})

const cut = (bytes: Buffer, length: number) => bytes.subarray(0, length)
const flipped = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

test('nothing is restored of a backup that was cut, changed or moved, nor of another file', async () => {
  const owner = await withWorkspace(t)
  await uploaded(owner, { bytes: await noise(900, 900) })
  const { path } = await backUp()
  const bytes = await readFile(path)
  const line = bytes.indexOf('\n') + 1
  const header = JSON.parse(bytes.subarray(0, line).toString())
  const withHeader = (change: object) =>
    Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, ...change })}\n`), bytes.subarray(line)])
  const firstFrame = line + 5 + bytes.readUInt32BE(line + 1)
  const damaged: [Buffer, RegExp][] = [
    [cut(bytes, bytes.length - 1), /incomplete/],
    [cut(bytes, bytes.length / 2), /incomplete/],
    [cut(bytes, line), /incomplete/],
    [cut(bytes, line - 2), /not a backup/],
    [Buffer.alloc(0), /not a backup/],
    [Buffer.from('PK\x03\x04 anything\nelse'), /not a backup/],
    [flipped(bytes, bytes.length - 3), /damaged/],
    [flipped(bytes, firstFrame - 20), /damaged/],
    [flipped(bytes, line), /damaged|incomplete/],
    [Buffer.concat([bytes, Buffer.from('x')]), /damaged/],
    // Frames in another order.
    [Buffer.concat([bytes.subarray(0, line), bytes.subarray(firstFrame)]), /damaged/],
    [withHeader({ created_at: '2020-01-01T00:00:00.000Z' }), /damaged/],
    [withHeader({ format: 3 }), /newer Meydan/],
  ]
  const copies = damaged.map(([content, reason]) => ({ copy: newPath(), content, reason }))
  for (const { copy, content, reason } of copies) {
    await writeFile(copy, content)
    await expect(verifyBackup(localFile(copy), { passphrase, ...quiet })).rejects.toThrow(reason)
  }
  // A restore reads the file by the same functions.
  const target = await emptyInstallation(emptyDatabase)
  for (const { copy, reason } of copies.filter(({ content }) => content.length === bytes.length - 1)) {
    await expect(restore(copy, target)).rejects.toThrow(reason)
    await expectNothingRestored(target)
  }
  await restore(path, target)
})

test('damage in the middle of a large table ends the restore, and a later one succeeds', async () => {
  const owner = await withWorkspace(t)
  for (let row = 0; row < 50; row++) await draft(owner, randomBytes(45_000).toString('base64'))
  const { path } = await backUp()
  const bytes = await readFile(path)
  const target = await emptyInstallation()
  for (const content of [flipped(bytes, bytes.length - 1_500_000), cut(bytes, bytes.length - 1_500_000)]) {
    const copy = newPath()
    await writeFile(copy, content)
    await expect(restore(copy, target)).rejects.toThrow(/damaged|incomplete/)
    await expectNothingRestored(target)
  }
  await restore(path, target)
})

test('a command that is stopped takes back what it did', async () => {
  const { path } = await backUp()
  const target = await emptyInstallation()
  const signal = AbortSignal.abort(new Error('Stopped.'))
  const stopped = restoreBackup(localFile(path), { ...target, secretKey: undefined, passphrase, ...quiet, signal })
  await expect(stopped).rejects.toThrow()
  await expectNothingRestored(target)
  const other = newPath()
  const { connection } = t.database
  const { storage } = t.deps
  await expect(
    writeBackup(localFile(other), { connection, storage, secret, passphrase, ...quiet, signal }),
  ).rejects.toThrow()
  expect((await readdir(folder)).filter((name) => name.startsWith(`${number}.`))).toEqual([])
})

test('a restore whose connection to PostgreSQL is lost says so, and a later one succeeds', async () => {
  const owner = await withWorkspace(t)
  for (let row = 0; row < 20; row++) await draft(owner, randomBytes(45_000).toString('base64'))
  const { path } = await backUp()
  const target = await emptyInstallation()
  const open = async () => {
    const { size, content } = await localFile(path).open()
    async function* interrupted() {
      let read = 0
      for await (const chunk of content) {
        read += chunk.length
        if (read > size / 2) await target.database.query(endConnections)
        yield chunk
      }
    }
    return { size, content: interrupted() }
  }
  const { database: _, ...empty } = target
  const restoring = restoreBackup({ open }, { ...empty, secretKey: secret, passphrase, ...quiet })
  await expect(restoring).rejects.toThrow('The connection to PostgreSQL was lost. Nothing was restored.')
  await expectNothingRestored(target)
  await restore(path, target)
})

const endConnections = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'meydan-backup'`

test('an installation whose database is of a later version than the backup is refused', async () => {
  const { path } = await backUp()
  const target = await emptyInstallation()
  await (await testApp({ DATA_DIR: target.dataDir }, { beside: target })).close()
  const { db, close } = createDatabase(target.connection, 1)
  await db.insertInto('migration').values({ name: '9998_later.sql' }).execute()
  await close()
  await expect(restore(path, target)).rejects.toThrow('of a later version than the backup (9998_later.sql)')
  await expectNothingRestored(target)
})

test('a node does not start while a backup is restored into its database', async () => {
  const { connection } = t.database
  await t.deps.db.connection().execute(async (session) => {
    await sql`select pg_advisory_lock(${locks.restore})`.execute(session)
    const settings = { ...t.deps.config, DATABASE_URL: databaseUrl(connection), PORT: 0, HOST: '127.0.0.1' }
    await expect(serve(settings)).rejects.toThrow('A backup is being restored into this database.')
    await sql`select pg_advisory_unlock(${locks.restore})`.execute(session)
  })
})

test('a backup needs its passphrase, in any form of its letters', async () => {
  const { path } = await backUp()
  const target = await emptyInstallation()
  await expect(restore(path, target, { passphrase: 'another passphrase' })).rejects.toThrow('passphrase')
  await expectNothingRestored(target)
  await restore(path, target, { passphrase: passphrase.normalize('NFD') })
})

test('each guess of a passphrase takes 128 MiB of memory', async () => {
  await backUp()
  expect(askedScrypt()).toMatchObject({ N: 2 ** 17, r: 8, p: 1 })
})

test('a backup of a newer Meydan is refused', async () => {
  const { db } = t.deps
  await db.insertInto('migration').values({ name: '9999_later.sql' }).execute()
  const newer = await backUp()
  await db.deleteFrom('migration').where('name', '=', '9999_later.sql').execute()
  const target = await emptyInstallation()
  await expect(restore(newer.path, target)).rejects.toThrow('made by a newer Meydan')
  await expectNothingRestored(target)
})

test('an installation that is in use, or whose storage has files, is not restored into', async () => {
  const { id } = await uploaded(await withWorkspace(t))
  const { path } = await backUp()
  const target = await emptyInstallation()
  const running = await testApp({ DATA_DIR: target.dataDir }, { beside: target })
  await expect(restore(path, target)).rejects.toThrow('Meydan runs on this database')
  await signedIn(running)
  await running.close()
  await expect(restore(path, target)).rejects.toThrow('This installation is in use')

  const other = await emptyInstallation()
  const [file] = (await Array.fromAsync(t.deps.storage.list())).filter(({ key }) => key.includes(id))
  await other.storage.put(file?.key ?? '', Buffer.from('x'), 'text/plain')
  await expect(restore(path, other)).rejects.toThrow('The storage has files already')
  expect(await Array.fromAsync(other.storage.list())).toEqual([{ key: file?.key, size: 1 }])
})

test('a file of the media library that is missing in the storage is counted', async () => {
  const damaged = await testApp()
  onTestFinished(damaged.close)
  const owner = await withWorkspace(damaged)
  const { id } = await uploaded(owner)
  await damaged.deps.storage.erase(`${owner.workspace_id}/${id}`)
  expect((await backUp(newPath(), damaged)).missing).toBe(1)
})

test('a backup that cannot be written leaves no file', async () => {
  await uploaded(await withWorkspace(t))
  const path = newPath()
  const { connection } = t.database
  const storage = {
    ...t.deps.storage,
    open: async () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    },
  }
  const writing = writeBackup(localFile(path), { connection, storage, secret, passphrase, ...quiet })
  await expect(writing).rejects.toThrow('is full. Nothing was kept.')
  expect((await readdir(folder)).filter((name) => name.startsWith(`${number}.`))).toEqual([])
})
