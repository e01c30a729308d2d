import { createReadStream } from 'node:fs'
import { access, link, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '../../lib/error-code.ts'
import { BackupError, isFullDisk } from '../backup-error.ts'
import type { BackupFile, BackupTarget } from './target.ts'

export const folderTarget = (folder: string): BackupTarget => ({
  address: folder,
  file: (name) => fileIn(folder, name),
  close: () => undefined,
})

export const localFile = (path: string) => fileIn(dirname(path), basename(path))

/** A file that is written beside its name first, so that a file with this name is always whole. */
function fileIn(folder: string, name: string): BackupFile {
  const path = join(folder, name)
  const partial = `${path}.partial`
  return {
    name,
    address: path,
    exists: () => exists(path),
    write: async (content, { signal }) => {
      let created = false
      try {
        const file = await open(partial, 'wx', 0o600)
        created = true
        await pipeline(content, file.createWriteStream({ flush: true }), { signal })
        const { size } = await stat(partial)
        await giveName(partial, path)
        await flushFolder(folder)
        return size
      } catch (error) {
        if (created) await rm(partial, { force: true })
        throw explain(error, path)
      }
    },
    open: async () => {
      const { size } = await stat(path).catch((error) => {
        throw new BackupError('target_refused', `${path} cannot be read (${codeOf(error)}).`, error)
      })
      return { size, content: createReadStream(path, { highWaterMark: 1 << 20 }) }
    },
    remove: () => rm(path),
    removePartial: () => rm(partial, { force: true }),
  }
}

/** Gives a whole file its name. */
async function giveName(partial: string, path: string) {
  try {
    // Unlike a rename, this overwrites no file that appeared meanwhile.
    await link(partial, path)
  } catch (error) {
    // exFAT, and many shared folders, have no links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '')) throw error
    if (await exists(path)) throw Object.assign(new Error(`${path} exists`), { code: 'EEXIST' })
    return rename(partial, path)
  }
  await rm(partial)
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

const explain = (error: unknown, path: string) => {
  const code = codeOf(error)
  if (isFullDisk(error))
    return new BackupError(
      'disk_full',
      `The disk of ${path} is full. Nothing was kept. Free some space or name another disk.`,
      error,
    )
  if (code === 'EEXIST')
    return new BackupError(
      'target_refused',
      `${path} or ${path}.partial exists. Name a new file, or remove what a killed backup left.`,
      error,
    )
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'EROFS')
    return new BackupError(
      'target_refused',
      `${path} cannot be written (${code}). Name a file in a folder that exists and can be written.`,
      error,
    )
  return error
}

/** Makes the name of a new file survive a loss of power. */
async function flushFolder(folder: string) {
  await using handle = await open(folder)
  await handle.sync()
}
