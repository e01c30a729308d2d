import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { draft } from '../../../test/deliveries.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { noise, uploaded } from '../../../test/media.ts'
import { folderStorage } from '../../modules/media/storage/folder.ts'
import { writeBackup } from '../backup.ts'
import { restoreBackup } from '../restore.ts'
import { localFile } from '../targets/folder-target.ts'
import { twoInstallations } from './workspace.fixture.ts'

const { expectNothingImported, exported, folder, imported, newPath, quiet, source, target } = await twoInstallations()

const flipped = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

/** A workspace that the tests below fail to import. */
const refused = await withWorkspace(source)
await uploaded(refused, { bytes: await noise(900, 900) })
const refusedFile = (await exported(refused)).path

test('of a file that was cut or changed, is of another kind, or has another passphrase, nothing is imported', async () => {
  const bytes = await readFile(refusedFile)
  const damaged: [Buffer, string][] = [
    [bytes.subarray(0, bytes.length - 1), 'incomplete'],
    [flipped(bytes, bytes.length >> 1), 'damaged'],
    [Buffer.from('PK\x03\x04 anything\nelse'), 'not a backup'],
  ]
  for (const [content, reason] of damaged) {
    const copy = newPath()
    await writeFile(copy, content)
    await expect(imported(copy)).rejects.toThrow(reason)
    await expectNothingImported(refused)
  }
  await expect(imported(refusedFile, { passphrase: 'another passphrase' })).rejects.toThrow('passphrase')
  const signal = AbortSignal.abort(new Error('Stopped.'))
  await expect(imported(refusedFile, { signal })).rejects.toThrow('Stopped.')
  const full = { moveIn: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) }
  const storage = { ...target.deps.storage, ...full }
  await expect(imported(refusedFile, { storage })).rejects.toThrow('The disk is full. Nothing was imported.')
  await expectNothingImported(refused)
})

test('a backup is not imported, and a workspace is not restored', async () => {
  const path = newPath()
  const { connection } = source.database
  const { storage } = source.deps
  await writeBackup(localFile(path), { ...quiet, connection, storage, secret: 'a secret key for tests, long enough' })
  await expect(imported(path)).rejects.toThrow('a backup of a whole installation. Restore it with `meydan restore`.')

  const database = await cloneDatabase(inject('postgres'))
  onTestFinished(() => database.drop())
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const empty = { connection: database.connection, dataDir, storage: await folderStorage(join(dataDir, 'files')) }
  await expect(restoreBackup(localFile(refusedFile), { ...quiet, ...empty, secretKey: undefined })).rejects.toThrow(
    'This file has one workspace. Import it with `meydan workspace import`.',
  )
})

test('a file whose rows refer to those of another workspace is refused', async () => {
  const owner = await withWorkspace(source)
  const { id: post_id } = await draft(owner)
  const account_id = await playgroundAccount(await withWorkspace(source))
  await source.deps.db.insertInto('post_target').values({ post_id, account_id, position: 0 }).execute()
  const { path } = await exported(owner)
  await expect(imported(path)).rejects.toThrow('The file has rows of another workspace')
  await expectNothingImported(owner)
})

test('a file that names a media file of another workspace is refused', async () => {
  const owner = await withWorkspace(source)
  const { id: post_id } = await draft(owner)
  const { id: media_id } = await uploaded(await withWorkspace(target))
  await source.deps.db.insertInto('post_media').values({ post_id, media_id }).execute()
  const { path } = await exported(owner)
  await expect(imported(path)).rejects.toThrow('The file has rows of another workspace, in "import_post_media"')
  await expectNothingImported(owner)
})

test('a workspace of a newer or an older version is refused', async () => {
  const { db } = target.deps
  const rename = (from: string, to: string) =>
    db.updateTable('migration').set({ name: to }).where('name', '=', from).execute()
  const { name } = await db.selectFrom('migration').select('name').orderBy('name', 'desc').executeTakeFirstOrThrow()
  await rename(name, '0000_earlier.sql')
  await expect(imported(refusedFile)).rejects.toThrow(`exported by a newer Meydan`)
  await rename('0000_earlier.sql', name)
  await db.insertInto('migration').values({ name: '9999_later.sql' }).execute()
  await expect(imported(refusedFile)).rejects.toThrow('exported by an older Meydan')
  await db.deleteFrom('migration').where('name', '=', '9999_later.sql').execute()
  await expectNothingImported(refused)
})

test('a workspace that is there already, or whose slug, name, ids or files are, is refused', async () => {
  const owner = await withWorkspace(source)
  const image = await uploaded(owner)
  const { path } = await exported(owner)
  const rename = async (who: WorkspaceOwner, body: object) =>
    expectStatus(await who.patch('/api/v1/workspace', body), 200).body
  const { name, slug } = expectStatus(await owner.get('/api/v1/workspace'), 200).body
  const other = await withWorkspace(target)
  await rename(other, { slug })
  await expect(imported(path)).rejects.toThrow('Another workspace here has this slug.')
  await rename(other, { slug: `${slug}-other`, name: name.toUpperCase() })
  await expect(imported(path)).rejects.toThrow('Another workspace here has this name.')
  await rename(other, { name: `${name} other` })
  const { db, storage } = target.deps
  const file = { id: image.id, workspace_id: other.workspace_id, kind: 'image', mime: 'image/png' } as const
  const rest = { extension: 'png', bytes: 1, name: 'x', alt: '', labels: [], sha256: 'x' }
  await db
    .insertInto('media')
    .values({ ...file, ...rest })
    .execute()
  await expect(imported(path)).rejects.toThrow('A part of this workspace is here already, in the table media.')
  await db.deleteFrom('media').where('id', '=', image.id).execute()
  await expectNothingImported(owner)

  const key = `${owner.workspace_id}/${image.id}/original`
  await storage.put(key, Buffer.from('x'), 'text/plain')
  await expect(imported(path)).rejects.toThrow('Two installations cannot share a storage.')
  expect(await Array.fromAsync(storage.list(owner.workspace_id))).toEqual([{ key, size: 1 }])
  // An import whose process has died leaves the same, and is known by what it announced.
  await db.insertInto('storage_erasure').values({ folder: owner.workspace_id, due_at: new Date() }).execute()
  const { manifest } = await imported(path)
  const stored = () => Array.fromAsync(storage.list(owner.workspace_id))
  expect((await stored()).length).toBe(manifest.files)
  await expect(imported(path)).rejects.toThrow('This workspace is here already.')
  expect((await stored()).length).toBe(manifest.files)
})
