import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { compareCheckouts } from './compare-checkouts.ts'
import { type Claim, digits, range, tableRow } from './harness.ts'
import { cleanUp } from './processes.ts'

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    lighthouse: { type: 'boolean', default: false },
    part: { type: 'string' },
    // Compares the claims with those of another checkout, which has its dependencies installed and its console built.
    against: { type: 'string' },
  },
})

const log = (line: string) => process.stderr.write(`${line}\n`)
const print = (line: string) => process.stdout.write(`${line}\n`)

const files = (await readdir(import.meta.dirname)).filter((file) => /^[a-z-]+\.ts$/.test(file)).sort()
const modules: { claim?: Claim }[] = []
for (const file of files) if (file !== 'run.ts') modules.push(await import(`./${file}`))
const claims = modules.flatMap(({ claim }) => claim ?? [])

const unknown = names.filter((name) => !claims.some((claim) => claim.name === name))
if (unknown.length) {
  log(`Unknown claim: ${unknown.join(', ')}. Known claims: ${claims.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const selected = claims.filter(({ name }) => names.length === 0 || names.includes(name))

let interrupted: Promise<void> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    interrupted ??= cleanUp().finally(() => process.exit(130))
  })

if (options.against) {
  if (!existsSync(join(options.against, 'bench/run.ts'))) {
    log(`${options.against} is not a checkout with a bench.`)
    process.exit(2)
  }
  const args = options.quick ? ['--quick'] : []
  const selectedNames = selected.map(({ name }) => name)
  process.exit((await compareCheckouts(options.against, selectedNames, args, print)) ? 0 : 1)
}

const row = tableRow([34, 8, 18, 12, 10, 10, 14])
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]

const results: object[] = []
const notMeasured: string[] = []
let failed = false
print(row('claim', 'ratio', 'target', '', 'value', 'baseline', 'unit', 'spread'))
for (const claim of selected) {
  try {
    const { quick, lighthouse, part } = options
    const measured = await claim.measure({
      quick,
      lighthouse,
      part,
      log: (message) => log(`${claim.name}: ${message}`),
    })
    for (const { ratio, value, baseline, unit, spread, part, target = claim.target } of [measured].flat()) {
      const name = part ? `${claim.name} ${part}` : claim.name
      const isMet = target.isMet(ratio)
      failed ||= !isMet
      const verdict = isMet ? 'ok' : 'not ok'
      print(row(name, ratio.toFixed(2), target.text, verdict, digits(value), digits(baseline), unit, range(spread)))
      results.push({ name, ratio, value, baseline, unit, spread })
    }
  } catch (error) {
    // An interrupted claim fails because its processes are stopped. The process exits when they all are.
    await interrupted
    log(inspect(error))
    print(row(claim.name, '-', claim.target.text, 'not measured'))
    notMeasured.push(`Could not measure ${claim.name}: ${reasonOf(error)}`)
  }
  await cleanUp().catch((error) => {
    failed = true
    log(`Could not clean up after ${claim.name}: ${reasonOf(error)}`)
  })
}
for (const line of notMeasured) print(line)
if (options.json) for (const result of results) print(JSON.stringify(result))
process.exit(failed || notMeasured.length > 0 ? 1 : 0)
