import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { compareCheckouts } from './compare-checkouts.ts'
import { type Claim, RESULT_HEADER, resultLine, resultRow } from './harness.ts'
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

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]

const results: object[] = []
const notMeasured: string[] = []
let failed = false
print(RESULT_HEADER)
for (const claim of selected) {
  try {
    const { quick, lighthouse, part } = options
    const measured = await claim.measure({
      quick,
      lighthouse,
      part,
      log: (message) => log(`${claim.name}: ${message}`),
    })
    for (const measurement of [measured].flat()) {
      const { ratio, value, baseline, unit, spread, part, target = claim.target } = measurement
      const name = part ? `${claim.name} ${part}` : claim.name
      failed ||= !target.isMet(ratio)
      print(resultLine(name, measurement, target))
      results.push({ name, ratio, value, baseline, unit, spread })
    }
  } catch (error) {
    // An interrupted claim fails because its processes are stopped. The process exits when they all are.
    await interrupted
    log(inspect(error))
    print(resultRow(claim.name, '-', claim.target.text, 'not measured'))
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
