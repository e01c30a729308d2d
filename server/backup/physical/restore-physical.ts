import { createWriteStream } from 'node:fs'
import { appendFile, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '../../lib/error-code.ts'
import { StartError } from '../../lib/runtime/start-error.ts'
import { isFullDisk } from '../backup-error.ts'
import type { BackupInfo } from '../backup-file.ts'
import { type Reading, readArchive } from '../read-backup.ts'
import { refuseNewer, refuseWorkspace } from '../restore.ts'
import { readPhysicalBackup } from './read-physical.ts'
import { type Recovery, recoverySettings } from './recovery.ts'

/** A disk flushes many files at once faster than one by one. */
const FLUSHED_AT_ONCE = 64

type Target = Omit<Reading, 'file'> & {
  /** An empty folder, or one that does not exist. */
  folder: string
  recovery: Recovery
  /** Major version of the PostgreSQL that the restored data directory is for, if it is known. */
  major?: number | undefined
  /** True if the embedded PostgreSQL is started on the folder. */
  isForEmbedded?: boolean
}

/**
 * Restores a physical backup into a folder: `postgres/cluster` is a data directory that recovers when PostgreSQL starts
 * on it, and the folder as a whole is a DATA_DIR. The data directory gets its name last, and nothing is left of a restore
 * that fails.
 */
export async function restorePhysicalBackup(file: Reading['file'], target: Target) {
  const { folder, recovery, major, isForEmbedded = false, ...reading } = target
  const created = await openFolder(folder)
  const home = join(folder, 'postgres')
  const draft = join(home, 'cluster.partial')
  const written = [draft]
  const fileFolders = new Set<string>()
  const write = async (content: AsyncIterable<Buffer>, path: string) => {
    await pipeline(content, createWriteStream(path, { mode: 0o600, flags: 'wx' }))
    written.push(path)
  }
  try {
    return await readArchive(
      { file, ...reading },
      async (info) => {
        refuseWorkspace(info)
        refuseLogical(info)
        refuseMajor(info, major)
        await refuseNewer(info)
        refuseEarly(recovery, info.created_at)
        await mkdir(draft, { recursive: true, mode: 0o700 })
      },
      (entries, info) =>
        readPhysicalBackup(entries, info, {
          embedded: (isEmbedded) => {
            if (isForEmbedded && !isEmbedded) refuseForeign()
          },
          clusterFolder: async (path) => {
            written.push(join(draft, path))
            await mkdir(join(draft, path), { recursive: true, mode: 0o700 })
          },
          clusterFile: (path, content) => write(content, join(draft, path)),
          file: async (key, content) => {
            const path = join(folder, 'files', key)
            for (let parent = dirname(path); parent !== folder; parent = dirname(parent)) fileFolders.add(parent)
            await mkdir(dirname(path), { recursive: true, mode: 0o700 })
            await write(content, path)
          },
          end: async ({ manifest, secret, password }) => {
            refuseEarly(recovery, manifest.ended_at)
            await appendFile(join(draft, 'postgresql.auto.conf'), recoverySettings(recovery, info.created_at))
            await writeFile(join(draft, 'recovery.signal'), '', { mode: 0o600 })
            await writeSecret(join(folder, 'secret.key'), secret)
            if (password !== undefined) await writeSecret(join(home, 'password'), password)
            for (const paths of chunked([...written, ...fileFolders, folder])) await Promise.all(paths.map(flush))
            await rename(draft, join(home, 'cluster'))
            await flush(home)
            return { info, manifest, cluster: join(home, 'cluster') }
          },
        }),
    )
  } catch (error) {
    for (const name of ['postgres', 'files', 'secret.key'])
      await rm(join(folder, name), { recursive: true, force: true })
    if (created) await rm(folder, { recursive: true, force: true })
    if (isFullDisk(error))
      throw new StartError(
        `The disk of ${folder} is full. Nothing was restored. Free some space or name another folder.`,
        { cause: error },
      )
    throw error
  }
}

function* chunked(paths: string[]) {
  for (let at = 0; at < paths.length; at += FLUSHED_AT_ONCE) yield paths.slice(at, at + FLUSHED_AT_ONCE)
}

/** Makes a file or a folder survive a loss of power. */
async function flush(path: string) {
  await using handle = await open(path)
  await handle.sync()
}

const writeSecret = (path: string, secret: string) => writeFile(path, secret, { mode: 0o600, flag: 'wx', flush: true })

/** Refuses a folder that is not empty. Returns whether it was created. */
async function openFolder(folder: string) {
  try {
    const created = await mkdir(folder, { recursive: true, mode: 0o700 })
    const [first] = await readdir(folder)
    if (first !== undefined)
      throw new StartError(`${folder} is not empty (${first}). Name an empty folder to restore into.`)
    return created !== undefined
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`${folder} cannot be used (${codeOf(error)}). Name an empty folder that can be written to.`, {
      cause: error,
    })
  }
}

function refuseLogical({ postgres }: BackupInfo) {
  if (postgres === undefined)
    throw new StartError('This is not a physical backup. Restore it with `meydan restore <file>`.')
}

function refuseForeign(): never {
  throw new StartError(
    'This backup is one of your own PostgreSQL, and the embedded one cannot start on its data directory. Restore it with `meydan restore --physical <file> --to <folder>`, and start your PostgreSQL there.',
  )
}

function refuseMajor({ postgres = '' }: BackupInfo, major: number | undefined) {
  if (major !== undefined && Number.parseInt(postgres, 10) !== major)
    throw new StartError(
      `This backup is of PostgreSQL ${postgres}, and this installation has PostgreSQL ${major}, which cannot read it. Install PostgreSQL ${Number.parseInt(postgres, 10)}, or restore a backup that was made without --physical.`,
    )
}

function refuseEarly({ until }: Recovery, backup_at: string) {
  if (until && until < new Date(backup_at))
    throw new StartError(
      `${until.toISOString()} is before this backup (${backup_at}). Name a later time with --until, or an older backup.`,
    )
}
