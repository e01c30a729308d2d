// Loaded first, as in test/run/runner.ts.
import '../../test/run/cheap-scrypt.ts'
import { appendFileSync, readFileSync } from 'node:fs'
import { TestRunner } from 'vitest'
import { scaled } from '../../test/run/machine.ts'

/** A run of one test file. `mutant`: the one that is active. `cover`: records the mutants that the file executes. */
export type Execution = { mutant?: string; cover?: true }

/** Outcome of an execution, as a line of the file that `scripts/mutation.ts` reads. */
export type Outcome = { index: number; pid: number } & (
  | { state: 'started' }
  | { state: 'skipped' }
  | { state: 'passed' | 'failed'; ms: number; error?: string | undefined; covered: string[] }
)

/** Time of a test on a quiet machine. A mutant may make it wait for something that never comes. */
const TEST_MS = 40_000
const POLL_MS = 10_000

type Coverage = { static: Record<string, number>; perTest: Record<string, never> }

/** Where the instrumented code reads the active mutant, and counts those that it executes. It keeps both objects. */
const coverage: Coverage = { static: {}, perTest: {} }
const namespace: { activeMutant?: string | undefined; mutantCoverage: Coverage } = { mutantCoverage: coverage }
Object.assign(globalThis, { __stryker__: namespace })

const { MUTATION_PLAN, MUTATION_OUTCOMES, __STRYKER_ACTIVE_MUTANT__ } = process.env
if (__STRYKER_ACTIVE_MUTANT__) namespace.activeMutant = __STRYKER_ACTIVE_MUTANT__
const plan: Execution[] = JSON.parse(readFileSync(MUTATION_PLAN ?? '', 'utf8'))

const write = (outcome: Outcome) => appendFileSync(MUTATION_OUTCOMES ?? '', `${JSON.stringify(outcome)}\n`)

type Task = Parameters<TestRunner['onBeforeRunTask']>[0]

/**
 * Runs the files in the order of the plan, in one process, with another mutant each time. The rest of a file is left out
 * after its first failure, and so are further files for a mutant that is already found.
 */
export default class extends TestRunner {
  private index = -1
  private failure: string | undefined
  private begun = 0
  private found = new Set<string>()

  onBeforeCollect() {
    this.index++
    this.failure = undefined
    this.begun = performance.now()
    const { mutant } = this.execution
    namespace.activeMutant = mutant
    coverage.static = {}
    // Processes that a test starts read it from here.
    if (mutant) process.env.__STRYKER_ACTIVE_MUTANT__ = mutant
    else delete process.env.__STRYKER_ACTIVE_MUTANT__
    write({ index: this.index, pid: process.pid, state: 'started' })
  }

  override importFile(...[file, source]: Parameters<TestRunner['importFile']>) {
    if (this.isSkipped) return undefined
    Object.assign(this.config, {
      testTimeout: scaled(TEST_MS),
      hookTimeout: scaled(TEST_MS),
      retry: 0,
      expect: { ...this.config.expect, poll: { ...this.config.expect.poll, timeout: POLL_MS } },
    })
    return super.importFile(file, source)
  }

  override onBeforeRunTask(test: Task) {
    if (this.failure !== undefined) test.mode = 'skip'
    return super.onBeforeRunTask(test)
  }

  override onAfterRunTask(test: Task) {
    if (test.result?.state === 'fail') this.failure ??= `${test.name}: ${test.result.errors?.[0]?.message}`
    super.onAfterRunTask(test)
  }

  override onAfterRunFiles(files?: { result?: { state: string } }[]) {
    super.onAfterRunFiles()
    const { index } = this
    const { pid } = process
    if (this.isSkipped) return write({ index, pid, state: 'skipped' })
    const [file] = files ?? []
    const failed = this.failure !== undefined || file?.result?.state === 'fail'
    if (failed && this.execution.mutant) this.found.add(this.execution.mutant)
    write({
      index,
      pid,
      state: failed ? 'failed' : 'passed',
      ms: Math.round(performance.now() - this.begun),
      error: this.failure?.slice(0, 500),
      covered: this.execution.cover ? Object.keys(coverage.static) : [],
    })
  }

  private get execution() {
    return plan[this.index] ?? {}
  }

  private get isSkipped() {
    const { mutant } = this.execution
    return mutant !== undefined && this.found.has(mutant)
  }
}
