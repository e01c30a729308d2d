import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startSuitePostgres } from '../database.ts'
import { cleanUpAfterThisProcess } from './clean-up.ts'
import { measureMachine } from './machine.ts'
import { cache } from './reporter.ts'

/**
 * Runs once. Everything that the run leaves on disk is in one folder, which is removed with all processes of the run
 * when the runner ends, even if it is killed.
 */
export async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-run-'))
  // PostgreSQL, which does not run as root, must be able to enter it.
  await chmod(folder, 0o711)
  process.env.TMPDIR = folder
  // Node would keep compiled modules in the folder of the run, and compile them in each run.
  process.env.NODE_COMPILE_CACHE = join(cache, 'node')
  cleanUpAfterThisProcess(folder)
  const postgres = await startSuitePostgres()
  project.provide('postgres', postgres.connection)
  const factor = await measureMachine(postgres.connection)
  project.vitest.logger.log(` Timeouts are ${factor} times those of a quiet machine with two cores`)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
