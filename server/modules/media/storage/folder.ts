import { constants } from 'node:fs'
import { access, copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Disk } from 'flydrive'
import { notFound } from '../../../errors.ts'
import { codeOf } from '../../../lib/error-code.ts'
import { StartError } from '../../../lib/runtime/start-error.ts'
import { isStoredFile } from './keys.ts'
import type { Storage, StoredFile } from './storage.ts'

/** Writes a file to disk before its record exists: after a loss of power it must be whole. */
async function flush(path: string) {
  await using file = await open(path, 'r+')
  await file.datasync()
}

async function openDisk(location: string) {
  const [{ Disk }, { FSDriver }] = await Promise.all([import('flydrive'), import('flydrive/drivers/fs')])
  return new Disk(new FSDriver({ location, visibility: 'private' }))
}

/** `part`: lists only this part of the folder, which may be absent. */
async function* filesIn(folder: string, part = ''): AsyncIterable<StoredFile> {
  const entries = await opendir(join(folder, part), { recursive: true }).catch((error) => {
    if (part === '' || codeOf(error) !== 'ENOENT') throw error
  })
  for await (const entry of entries ?? []) {
    const path = join(entry.parentPath, entry.name)
    const key = relative(folder, path).split(sep).join('/')
    if (!entry.isFile() || !isStoredFile(key)) continue
    // One that was just erased is not listed.
    const file = await stat(path).catch(() => undefined)
    if (file) yield { key, size: file.size }
  }
}

export async function folderStorage(folder: string): Promise<Storage> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw new StartError(`STORAGE_URL names a folder that cannot be used: ${folder} (${codeOf(error)}).`)
  }
  let opened: Promise<Disk> | undefined
  const disk = () => (opened ??= openDisk(folder))
  return {
    moveIn: async (path, key) => {
      const target = join(folder, key)
      await mkdir(dirname(target), { recursive: true })
      await flush(path)
      try {
        await rename(path, target)
      } catch (error) {
        if (codeOf(error) !== 'EXDEV') throw error
        await copyFile(path, target)
        await flush(target)
        await rm(path)
      }
    },
    put: async (key, bytes) => (await disk()).put(key, bytes),
    copy: async (from, to) => {
      const target = join(folder, to)
      await mkdir(dirname(target), { recursive: true })
      // File systems that can share the blocks of both until one changes copy at once.
      await copyFile(join(folder, from), target, constants.COPYFILE_FICLONE).catch((error) => {
        throw codeOf(error) === 'ENOENT' ? notFound() : error
      })
      await flush(target)
    },
    open: async (key, range) => {
      const file = await open(join(folder, key)).catch((error) => {
        throw codeOf(error) === 'ENOENT' ? notFound() : error
      })
      return file.createReadStream(range)
    },
    list: (part) => filesIn(folder, part),
    erase: async (name) => (await disk()).deleteAll(name),
    close: () => undefined,
  }
}
