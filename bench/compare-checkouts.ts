import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { digits, median, quartiles, range, tableRow } from './harness.ts'
import { onCleanUp } from './processes.ts'

const HERE = join(import.meta.dirname, '..')
const PAIRS = 5
const MIN_SPEED = 0.97
const lowerIsBetter = ['ms', 's', 'KB gzipped']
const row = tableRow([34, 6, 10, 10, 14, 8, 12])

/**
 * Runs each claim alternately in this checkout and in another one. Prints how fast this one is relative to the other:
 * above 1 is faster. Returns whether every claim was measured and none is slower by more than 3 % beyond the spread.
 */
export async function compareCheckouts(other: string, claims: string[], args: string[], print: (line: string) => void) {
  let isOk = true
  print(row('claim', 'pairs', 'here', 'there', 'unit', 'speed', 'spread'))
  for (const claim of claims) {
    const pairs: { name: string; unit: string; here: number; there: number }[] = []
    for (let pair = 1; pair <= PAIRS; pair++) {
      const results = new Map<string, Awaited<ReturnType<typeof runClaim>>>()
      for (const directory of pair % 2 ? [HERE, other] : [other, HERE])
        results.set(directory, await runClaim(directory, [claim, ...args]))
      for (const { name, unit, value: here } of results.get(HERE) ?? []) {
        const there = results.get(other)?.find((result) => result.name === name)?.value
        if (there !== undefined) pairs.push({ name, unit, here, there })
      }
    }
    if (pairs.length === 0) print(row(claim, 'not measured'))
    isOk &&= pairs.length > 0
    for (const [name, all] of Map.groupBy(pairs, ({ name }) => name)) {
      const unit = all[0]?.unit ?? ''
      const speeds = all.map(({ here, there }) => (lowerIsBetter.includes(unit) ? there / here : here / there))
      const isSlower = quartiles(speeds)[1] < MIN_SPEED
      const values = [median(all.map(({ here }) => here)), median(all.map(({ there }) => there))].map(digits)
      const speed = [median(speeds).toFixed(3), range(quartiles(speeds)), isSlower ? 'slower' : 'ok']
      print(row(name, String(all.length), ...values, unit, ...speed))
      isOk &&= !isSlower
    }
  }
  return isOk
}

async function runClaim(directory: string, args: string[]): Promise<{ name: string; value: number; unit: string }[]> {
  const child = spawn(process.execPath, ['bench/run.ts', ...args, '--json'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = text(child.stdout)
  onCleanUp(async () => child.kill() && (await output))
  return (await output).split('\n').flatMap((line) => (line.startsWith('{') ? JSON.parse(line) : []))
}
