import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest, and mostly waits: begun last, each would have the end of the run for itself. */
const LONG = [/crash\.test/, /fuzz\.test/, /browser\/screens\.test/, /embedded-postgres\.test/, /test\/browser\//]

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
    globalSetup: ['test/database.ts', 'test/codes.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    sequence: { sequencer: LongFirst },
    pool: 'forks',
    // What a file leaves in its process is nothing but what was loaded: the next one need not load it again.
    isolate: false,
    maxWorkers: 4,
    // The runner says "file:line" for each failure; what the server logs would drown it.
    silent: 'passed-only',
  },
})
