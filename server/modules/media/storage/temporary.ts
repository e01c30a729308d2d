import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR } from '../../../../shared/time.ts'
import type { Config } from '../../../config/config.ts'
import { codeOf } from '../../../lib/error-code.ts'

/** Time after which what has not changed was left behind. Longer than a resumable upload may take. */
const KEPT_MS = 25 * HOUR

type Settings = Pick<Config, 'DATA_DIR'>

const parentOf = ({ DATA_DIR }: Settings) => join(DATA_DIR, 'uploads', 'temporary')

/** Where this machine receives resumable uploads. */
export const resumableFolder = ({ DATA_DIR }: Settings) => join(DATA_DIR, 'uploads', 'resumable')

/** Runs `work` with a new folder, which is removed when it ends. */
export async function inTemporaryFolder<T>(config: Settings, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(parentOf(config), randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Time of the last change of a file, or of anything in a folder. */
async function lastChange(path: string) {
  const own = await stat(path)
  const names = own.isDirectory() ? await readdir(path) : []
  const inside = await Promise.all(names.map((name) => stat(join(path, name))))
  return Math.max(own.mtimeMs, ...inside.map(({ mtimeMs }) => mtimeMs))
}

async function removeOld(folder: string, before: number) {
  for (const name of await readdir(folder))
    try {
      const path = join(folder, name)
      if ((await lastChange(path)) < before) await rm(path, { recursive: true, force: true })
    } catch (error) {
      // Its upload has ended meanwhile.
      if (codeOf(error) !== 'ENOENT') throw error
    }
}

/** Removes what dead processes have left behind on this machine, and uploads that have expired. */
export async function removeOldUploads(config: Settings, now: Date) {
  for (const folder of [parentOf(config), resumableFolder(config)])
    await removeOld(folder, now.getTime() - KEPT_MS).catch((error) => {
      // Nothing was ever uploaded here.
      if (codeOf(error) !== 'ENOENT') throw error
    })
}
