// Loaded first: it changes what other modules import.
import './cheap-scrypt.ts'
import { TestRunner } from 'vitest'
import { isLong, isRetried, scaled } from './machine.ts'

/** Time that one test or hook may take on a quiet machine, in milliseconds. */
const TEST_MS = 60_000
const LONG_TEST_MS = 180_000
/** The same for an awaited state. */
const POLL_MS = 20_000

/** Fits the timeouts of each file to the machine. */
export default class extends TestRunner {
  override importFile(...[file, source]: Parameters<TestRunner['importFile']>) {
    const timeout = scaled(isLong(file) ? LONG_TEST_MS : TEST_MS)
    Object.assign(this.config, {
      testTimeout: timeout,
      hookTimeout: timeout,
      retry: isRetried(file) ? 1 : 0,
      expect: { ...this.config.expect, poll: { ...this.config.expect.poll, timeout: scaled(POLL_MS) } },
    })
    return super.importFile(file, source)
  }
}
