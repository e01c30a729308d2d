import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../config.ts'
import { codeOf } from '../../../lib/error-code.ts'

/** Time after which a folder without a change was left behind by a process that died. */
const KEPT_MS = 24 * 3600_000

type Settings = Pick<Config, 'DATA_DIR'>

const parentOf = ({ DATA_DIR }: Settings) => join(DATA_DIR, 'uploads', 'temporary')

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

async function lastChange(folder: string) {
  const names = await readdir(folder)
  const stats = await Promise.all([folder, ...names.map((name) => join(folder, name))].map((path) => stat(path)))
  return Math.max(...stats.map(({ mtimeMs }) => mtimeMs))
}

/** Removes the folders that dead processes have left behind on this machine. */
export async function removeOldFolders(config: Settings, now: Date) {
  const parent = parentOf(config)
  const names = await readdir(parent).catch((error) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  for (const name of names)
    try {
      const folder = join(parent, name)
      if ((await lastChange(folder)) < now.getTime() - KEPT_MS) await rm(folder, { recursive: true, force: true })
    } catch (error) {
      // Its upload has ended meanwhile.
      if (codeOf(error) !== 'ENOENT') throw error
    }
}
