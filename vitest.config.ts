import { hash } from 'node:crypto'
import { availableParallelism, totalmem } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { expectedDuration, readDurations, SuiteReporter } from './test/run/reporter.ts'

/**
 * The longest files start first: one started last would run alone at the end. Shuffled, files are in an order that
 * depends on the seed.
 */
class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const { root, sequence } = this.ctx.config
    const pathOf = ({ moduleId }: TestSpecification) => moduleId.slice(root.length + 1)
    const place = (file: TestSpecification) => hash('sha1', `${sequence.seed} ${pathOf(file)}`)
    if (sequence.shuffle) return files.toSorted((a, b) => place(a).localeCompare(place(b)))
    const durations = readDurations()
    const expected = (file: TestSpecification) => expectedDuration(durations, pathOf(file))
    return files.toSorted((a, b) => expected(b) - expected(a) || a.moduleId.localeCompare(b.moduleId))
  }
}

/** Bytes that a worker takes at most, with its browser and the servers that its tests start. */
const WORKER_BYTES = 3 * 2 ** 30
/** More than there are cores: tests of crashes and of the browser often wait. The suite is made for two cores. */
const workers = Math.max(3, Math.min(Math.floor(availableParallelism() * 1.5), Math.floor(totalmem() / WORKER_BYTES)))

export default defineConfig({
  test: {
    include: ['{server,shared,test}/**/*.test.ts'],
    globalSetup: ['test/run/global-setup.ts', 'test/error-code-coverage.ts'],
    runner: 'test/run/runner.ts',
    reporters: [new SuiteReporter()],
    sequence: { sequencer: FileOrder },
    pool: 'forks',
    // A test file leaves only loaded modules in its process, which the next file can reuse.
    isolate: false,
    maxWorkers: workers,
    // Node loads the modules itself, as in production, which is faster than a bundler's loader.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // The reporter shows "file:line" for each failure, which server logs would bury.
    silent: 'passed-only',
  },
})
