import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { expectedDuration, readDurations, SuiteReporter } from './test/run/reporter.ts'

/** The longest files start first: one started last would run alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    if (this.ctx.config.sequence.shuffle) return super.sort(files)
    const durations = readDurations()
    const expected = ({ moduleId }: TestSpecification) =>
      expectedDuration(durations, moduleId.slice(this.ctx.config.root.length + 1))
    return files.toSorted((a, b) => expected(b) - expected(a) || a.moduleId.localeCompare(b.moduleId))
  }
}

export default defineConfig({
  test: {
    include: ['{server,shared,test}/**/*.test.ts'],
    globalSetup: ['test/run/global-setup.ts', 'test/error-code-coverage.ts'],
    runner: 'test/run/runner.ts',
    reporters: [new SuiteReporter()],
    sequence: { sequencer: LongFirst },
    pool: 'forks',
    // A test file leaves only loaded modules in its process, which the next file can reuse.
    isolate: false,
    // More than the two cores that the suite is made for: tests of crashes and of the browser often wait.
    maxWorkers: 3,
    // Node loads the modules itself, as in production, which is faster than a bundler's loader.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // The reporter shows "file:line" for each failure, which server logs would bury.
    silent: 'passed-only',
  },
})
