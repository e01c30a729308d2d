import { readdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Claim, cleanUp } from './harness.ts'

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    lighthouse: { type: 'boolean', default: false },
  },
})

const say = (line: string) => process.stderr.write(`${line}\n`)
const print = (line: string) => process.stdout.write(`${line}\n`)

const files = (await readdir(import.meta.dirname)).filter((file) => /^[a-z-]+\.ts$/.test(file)).sort()
const modules: { claim?: Claim }[] = []
for (const file of files) if (file !== 'run.ts') modules.push(await import(`./${file}`))
const claims = modules.flatMap(({ claim }) => claim ?? [])

const unknown = wanted.filter((name) => !claims.some((claim) => claim.name === name))
if (unknown.length) {
  say(`There is no claim ${unknown.join(', ')}. There are: ${claims.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)))

const columns = [30, 8, 16, 8, 10, 10, 12] as const
const row = (...cells: string[]) => cells.map((cell, index) => cell.padEnd(columns[index] ?? 0)).join(' ')
const digits = (number: number) => (number >= 100 ? number.toFixed(0) : number.toFixed(2))

const lines: string[] = []
let missed = false
print(row('claim', 'ratio', 'wanted', '', 'value', 'floor', 'unit', 'spread'))
for (const claim of claims.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  try {
    const { quick, lighthouse } = options
    const found = await claim.measure({ quick, lighthouse, say: (message) => say(`${claim.name}: ${message}`) })
    for (const measured of [found].flat()) {
      const { ratio, value, floor, unit, spread, part } = measured
      const name = part ? `${claim.name} ${part}` : claim.name
      const ok = claim.holds(measured)
      missed ||= !ok
      const between = spread.map((part) => part.toFixed(2)).join('–')
      const verdict = ok ? 'ok' : 'not ok'
      const wanted = measured.wanted ?? claim.wanted
      print(row(name, ratio.toFixed(2), wanted, verdict, digits(value), digits(floor), unit, between))
      lines.push(JSON.stringify({ name, ratio, value, floor, unit, spread }))
    }
  } finally {
    await cleanUp()
  }
}
if (options.json) for (const line of lines) print(line)
process.exit(missed ? 1 : 0)
