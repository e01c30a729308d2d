import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SerializedError, TestModule, TestRunEndReason, TestSpecification } from 'vitest/node'
import { DefaultReporter } from 'vitest/node'
import { ORIGIN } from '../clock.ts'
import { isLong } from './machine.ts'

/** Runs of more files show their progress, and not each file. */
const FEW_FILES = 20
const PROGRESS_MS = 15_000
/** More retried tests than this fail the run: then the suite hides something. */
const MOST_RETRIED = 2
/** Milliseconds of a file that has not run here yet. */
const USUAL_MS = { long: 12_000, other: 2500 }

/** Part of a run that the estimate of the time left takes to have passed at the expected pace. */
const ASSUMED = 0.05

/** Folder in which runs store what later ones read. */
export const cache = join(import.meta.dirname, '../../node_modules/.cache/meydan-test')
const durationsFile = join(cache, 'durations.json')

/** Milliseconds that each file took the last time, by its path. */
export function readDurations(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(durationsFile, 'utf8'))
  } catch {
    return {}
  }
}

export const expectedDuration = (durations: Record<string, number>, file: string) =>
  durations[file] ?? (isLong(file) ? USUAL_MS.long : USUAL_MS.other)

/** Shows how long a run will take, its progress, its slowest files, the tests that were retried, and the counts. */
export class SuiteReporter extends DefaultReporter {
  private former = readDurations()
  private durations: Record<string, number> = {}
  private begun = 0
  private shownAt = 0
  /** Milliseconds that the files of this run are expected to take one after the other: all, and those that ended. */
  private expected = { all: 0, ended: 0 }
  private files = { all: 0, ended: 0, failed: 0 }
  private tests = 0

  override onTestRunStart(specifications: readonly TestSpecification[]) {
    super.onTestRunStart(specifications)
    this.begun = performance.now()
    this.files.all = specifications.length
    for (const { moduleId } of specifications) this.expected.all += this.expectedFor(moduleId)
    if (this.isLong)
      this.log(
        ` ${this.files.all} test files on a real PostgreSQL and in a real browser, about ${minutes(
          this.expected.all / this.ctx.config.maxWorkers,
        )}\n`,
      )
  }

  override printTestModule(module: TestModule) {
    const failed = module.state() === 'failed'
    if (!failed) this.durations[module.relativeModuleId] = Math.round(durationOf(module))
    this.files.ended++
    if (failed) this.files.failed++
    this.tests += [...module.children.allTests()].length
    this.expected.ended += this.expectedFor(module.moduleId)
    if (failed || !this.isLong) super.printTestModule(module)
    if (!this.isLong || performance.now() - this.shownAt < PROGRESS_MS) return
    this.shownAt = performance.now()
    const left = (this.expected.all - this.expected.ended) * this.pace
    this.log(
      ` ${this.files.ended} of ${this.files.all} files, ${this.tests} tests, ${this.files.failed} files failed, about ${minutes(left)} left`,
    )
  }

  override onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason) {
    super.onTestRunEnd(modules, errors, reason)
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    if (this.isLong) {
      this.log('Slowest files:')
      const slowest = modules.toSorted((a, b) => durationOf(b) - durationOf(a)).slice(0, 10)
      for (const module of slowest)
        this.log(`  ${(durationOf(module) / 1000).toFixed(1)} s  ${module.relativeModuleId}`)
    }
    const retried = tests.filter((test) => test.diagnostic()?.flaky)
    for (const test of retried) this.log(`passed at the second try: ${test.module.relativeModuleId} > ${test.fullName}`)
    if (retried.length > MOST_RETRIED) {
      process.exitCode = 1
      this.error(`${retried.length} tests passed only at the second try; at most ${MOST_RETRIED} may.`)
    }
    if (count('failed')) this.log(`Clocks began at ${ORIGIN}. To begin there again: MEYDAN_TEST_TIME=${ORIGIN}`)
    mkdirSync(cache, { recursive: true })
    writeFileSync(durationsFile, JSON.stringify({ ...this.former, ...this.durations }))
    // Files that could not be loaded have no tests.
    const broken = modules.filter((module) => module.state() === 'failed' && !module.children.size).length
    const skipped = count('skipped')
    this.log(
      `\n${count('passed')} passed, ${count('failed') + broken + errors.length} failed${skipped ? `, ${skipped} skipped` : ''}`,
    )
  }

  private get isLong() {
    return this.files.all > FEW_FILES
  }

  private expectedFor(moduleId: string) {
    return expectedDuration(this.former, this.relative(moduleId))
  }

  /**
   * Milliseconds of the run for one expected millisecond of a file: the tests run side by side.
   * Begins at the expected pace, because the first files to end may be short ones beside which long ones run.
   */
  private get pace() {
    const assumed = this.expected.all * ASSUMED
    const expected = assumed / this.ctx.config.maxWorkers
    return (performance.now() - this.begun + expected) / (this.expected.ended + assumed)
  }
}

/** Milliseconds of a file: its tests, and what it starts at its top level. */
function durationOf(module: TestModule) {
  const { duration, collectDuration } = module.diagnostic()
  return duration + collectDuration
}

const minutes = (ms: number) => (ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`)
