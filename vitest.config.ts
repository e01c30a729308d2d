import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest tests, which mostly wait. They start first: one started last would run alone at the end. */
const LONG = [
  /crash\.test/,
  /torture\.test/,
  /publish-kill\.test/,
  /fuzz\.test/,
  /browser\/accessibility\.test/,
  /embedded-postgres[\w-]*\.test/,
  /test\/browser\//,
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((pattern) => pattern.test(moduleId))
      return found < 0 ? LONG.length : found
    }
    return files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId))
  }
}

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/database.ts', 'test/error-code-coverage.ts'],
    // Long enough for a machine on which everything takes several times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: LongFirst },
    pool: 'forks',
    // A test file leaves only loaded modules in its process, which the next file can reuse.
    isolate: false,
    // More than the two cores that the suite is made for: tests of crashes and of the browser often wait.
    maxWorkers: 3,
    // The reporter shows "file:line" for each failure, which server logs would bury.
    silent: 'passed-only',
  },
})
