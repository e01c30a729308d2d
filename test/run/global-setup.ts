import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startSuitePostgres } from '../database.ts'
import { cleanUpAfterThisProcess } from './clean-up.ts'
import { measureMachine } from './machine.ts'
import { cache } from './reporter.ts'

/** More than the temporary files of a run take at any time. */
const NEEDED_BYTES = 4 * 2 ** 30

/**
 * The folder for temporary files: in memory, if there is enough of it and TMPDIR names no other. Hundreds of databases
 * with a thousand files each are created and dropped.
 */
async function temporaryFolder() {
  const memory = '/dev/shm'
  if (process.env.TMPDIR || freemem() < NEEDED_BYTES) return tmpdir()
  try {
    const { bavail, bsize } = await statfs(memory)
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '))
    const options = mounts.find(([, folder]) => folder === memory)?.[3]?.split(',') ?? ['noexec']
    // Tests also start programs from temporary folders.
    return bavail * bsize < NEEDED_BYTES || options.includes('noexec') ? tmpdir() : memory
  } catch {
    return tmpdir()
  }
}

/**
 * Runs once. Everything that the run leaves on disk is in one folder, which is removed with all processes of the run
 * when the runner ends, even if it is killed.
 */
export async function setup(project: TestProject) {
  const folder = await mkdtemp(join(await temporaryFolder(), 'meydan-run-'))
  // PostgreSQL, which does not run as root, must be able to enter it.
  await chmod(folder, 0o711)
  process.env.TMPDIR = folder
  // Node would keep compiled modules in the folder of the run, and compile them in each run.
  process.env.NODE_COMPILE_CACHE = join(cache, 'node')
  cleanUpAfterThisProcess(folder)
  const postgres = await startSuitePostgres(project.vitest.config.maxWorkers)
  project.provide('postgres', postgres.connection)
  const factor = await measureMachine(postgres.connection)
  project.vitest.logger.log(` Timeouts are ${factor} times those of a quiet machine with two cores`)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
