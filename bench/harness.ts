import { setTimeout as sleep } from 'node:timers/promises'

/** The result of a claim, or of one part of it. `ratio` is value / baseline. */
export type Measurement = {
  value: number
  baseline: number
  unit: string
  ratio: number
  /** Lower and upper quartile of the ratio over the rounds. */
  spread: [number, number]
  /** Names the part, for a claim that measures several. */
  part?: string
  /** Replaces the target of the claim for this part. */
  target?: Target
}

type Target = { text: string; isMet: (ratio: number) => boolean }
export const atLeast = (ratio: number, text = `ratio ≥ ${ratio.toFixed(2)}`): Target => ({
  text,
  isMet: (measured) => measured >= ratio,
})
export const atMost = (ratio: number, text = `ratio ≤ ${ratio.toFixed(2)}`): Target => ({
  text,
  isMet: (measured) => measured <= ratio,
})

/** Reports a value that depends on the speed of the machine: missing it does not fail the run. */
export const aim = (text: string): Target => ({ text: `aim ${text}`, isMet: () => true })

export type Bench = {
  /** Run fewer and shorter rounds, to check that a bench works. */
  quick: boolean
  /** Include Lighthouse in the console bench. */
  lighthouse: boolean
  /** Measure only this part of the claim, if it can be measured alone. */
  part: string | undefined
  /** Reports progress. */
  log: (message: string) => void
}

/** One promise about speed. A file in bench/ that measures one exports it as `claim`. */
export type Claim = {
  name: string
  target: Target
  measure: (bench: Bench) => Promise<Measurement | Measurement[]>
}

export function quantile(values: readonly number[], part: number) {
  const sorted = values.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * part
  const below = sorted[Math.floor(position)] ?? Number.NaN
  return below + ((sorted[Math.ceil(position)] ?? below) - below) * (position % 1)
}
export const median = (values: readonly number[]) => quantile(values, 0.5)
export const quartiles = (values: readonly number[]): [number, number] => [
  quantile(values, 0.25),
  quantile(values, 0.75),
]

/** Compares the values of all rounds with a fixed limit. */
export const compareWithLimit = (values: readonly number[], limit: number, unit: string): Measurement => ({
  value: median(values),
  baseline: limit,
  unit,
  ratio: median(values) / limit,
  spread: quartiles(values.map((value) => value / limit)),
})

/** Measures for that many seconds. Returns what was reached, usually calls a second. */
export type Measure = (seconds: number) => Promise<number>

type Comparison = { unit: string; rounds: number; seconds: number; value: Measure; baseline: Measure }

/**
 * Measures value and baseline in turns and compares them round by round, so that other load on the machine affects both
 * alike. The side that goes first changes with every round.
 */
export async function compareWithBaseline(
  { quick, log }: Bench,
  { unit, value, baseline, ...full }: Comparison,
): Promise<Measurement> {
  const rounds = quick ? Math.min(4, Math.ceil(full.rounds / 3)) : full.rounds
  const seconds = quick ? Math.ceil(full.seconds / 3) : full.seconds
  log('warming up')
  await value(2 * seconds)
  await baseline(2 * seconds)
  const values: number[] = []
  const baselines: number[] = []
  const ratios: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const turns = [async () => values.push(await value(seconds)), async () => baselines.push(await baseline(seconds))]
    for (const turn of round % 2 ? turns : turns.reverse()) await turn()
    const [ours = Number.NaN, theirs = Number.NaN] = [values.at(-1), baselines.at(-1)]
    ratios.push(ours / theirs)
    log(`round ${round}/${rounds}: ${ours.toFixed(0)} against ${theirs.toFixed(0)}: ${(ours / theirs).toFixed(3)}`)
  }
  return {
    value: median(values),
    baseline: median(baselines),
    unit,
    ratio: median(ratios),
    spread: quartiles(ratios),
  }
}

/** Runs `call` in `concurrency` loops until `isDone`, given the number of calls begun, or until a call fails. */
export async function callInLoops(
  concurrency: number,
  isDone: (begun: number) => boolean,
  call: (index: number) => Promise<unknown>,
) {
  let begun = 0
  let failed = false
  const loop = async () => {
    try {
      while (!failed && !isDone(begun)) await call(begun++)
    } catch (error) {
      failed = true
      throw error
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return begun
}

/** Calls a second that `concurrency` callers make, each waiting for its call before the next. */
export const callsPerSecond =
  (concurrency: number, call: (index: number) => Promise<unknown>): Measure =>
  async (seconds) => {
    const start = performance.now()
    const end = start + seconds * 1000
    const calls = await callInLoops(concurrency, () => performance.now() >= end, call)
    return (calls * 1000) / (performance.now() - start)
  }

/** Well below the size of the pool: on a busy machine, calls that queue for a connection run into its timeout. */
const FILL_CONCURRENCY = 8

/** Creates the records that a bench works on, a few at a time. Returns them in order. */
export async function createMany<T>(count: number, create: (index: number) => Promise<T>) {
  const records: T[] = []
  await callInLoops(
    FILL_CONCURRENCY,
    (begun) => begun >= count,
    async (index) => {
      records[index] = await create(index)
    },
  )
  return records
}

/** Calls `call` at an even rate, whether or not earlier calls have finished. Rejects once one of them has failed. */
export async function callAtRate(rate: number, seconds: number, call: (index: number) => Promise<unknown>) {
  const start = performance.now()
  const calls: Promise<unknown>[] = []
  let failed = false
  while (!failed && calls.length < rate * seconds) {
    const due = Math.min(rate * seconds, ((performance.now() - start) / 1000) * rate)
    while (calls.length < due) {
      const pending = call(calls.length)
      // Handled at once: a rejection that nobody handles ends the process, and with it all other claims.
      pending.catch(() => {
        failed = true
      })
      calls.push(pending)
    }
    await sleep(2)
  }
  await Promise.all(calls)
}

/** Waits until `condition` holds; fails with `what` when it takes longer than `seconds`. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  what: () => string,
  { seconds = 60, every = 10 } = {},
) {
  const end = performance.now() + seconds * 1000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Not within ${seconds} s: ${what()}`)
    await sleep(every)
  }
}

/** Formats one row of a table whose columns have these widths. */
export const tableRow =
  (widths: readonly number[]) =>
  (...cells: string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(' ')
      .trimEnd()
export const digits = (number: number) => (number >= 100 ? number.toFixed(0) : number.toFixed(2))
export const range = ([low, high]: [number, number]) => `${low.toFixed(2)}–${high.toFixed(2)}`

/** Formats a row of the results. */
export const resultRow = tableRow([34, 8, 18, 12, 10, 10, 14])
export const RESULT_HEADER = resultRow('claim', 'ratio', 'target', '', 'value', 'baseline', 'unit', 'spread')

export function resultLine(name: string, { ratio, value, baseline, unit, spread }: Measurement, target: Target) {
  const verdict = target.isMet(ratio) ? 'ok' : 'not ok'
  return resultRow(name, ratio.toFixed(2), target.text, verdict, digits(value), digits(baseline), unit, range(spread))
}
