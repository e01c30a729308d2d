/**
 * Measures how well the tests of a group would notice mistakes: changes its code in one place at a time, as Stryker does,
 * and looks whether a test fails.
 *
 *   npm run mutation -- tokens                      # every mutant of a group of scripts/mutation/groups.ts
 *   npm run mutation -- orders --sample 60 --seed 7 # some of them
 *   npm run mutation -- access server/lib/http/authorize.ts
 *
 * The first start installs the instrumenter of Stryker from npm into a folder outside of the repository, about 25 MB:
 * MUTATION_FOLDER, or meydan-mutation in the temporary folder. The tests run in a copy of the repository.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { createVitest, type TestSpecification } from 'vitest/node'
import { randomNumbers } from '../test/random.ts'
import { excluded, groups } from './mutation/groups.ts'
import type { Execution, Outcome } from './mutation/runner.ts'

const VERSION = '10.1.1'
const PACKAGES = [`@stryker-mutator/instrumenter@${VERSION}`, `@stryker-mutator/api@${VERSION}`]
/** Executions of one process, which keeps the modules of each. */
const PER_PROCESS = 30
/** Time of one execution, besides that of the file: a mutant may never end. */
const HANGS_AFTER_MS = 90_000
const LOOK_MS = 500

const root = resolve(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string', default: String(Date.now() % 100_000) } },
})
const [name = '', ...only] = positionals
const group = groups[name]
if (!group) {
  process.stderr.write(
    `usage: npm run mutation -- ${Object.keys(groups).join('|')} [FILE...] [--sample 60] [--seed 7]\n`,
  )
  process.exit(2)
}
const print = (text: string) => process.stdout.write(`${text}\n`)

type Position = { line: number; column: number }
type Mutant = {
  id: string
  fileName: string
  mutatorName: string
  replacement: string
  location: { start: Position; end: Position }
}
type SourceFile = { name: string; content: string; mutate: boolean }
type Instrumenter = {
  instrument: (files: SourceFile[], options: object) => Promise<{ files: SourceFile[]; mutants: Mutant[] }>
}
type Module = { createParser: unknown; Instrumenter: new (logger: object) => Instrumenter }

async function loadInstrumenter() {
  const folder = resolve(process.env.MUTATION_FOLDER ?? join(tmpdir(), 'meydan-mutation'))
  const entry = join(folder, 'node_modules/@stryker-mutator/instrumenter/dist/src/index.js')
  if (!existsSync(entry)) {
    print(`Installing ${PACKAGES.join(' ')} into ${folder} …`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES], { cwd: folder })
  }
  const { Instrumenter }: Module = await import(pathToFileURL(entry).href)
  return new Instrumenter({ debug: () => undefined, info: () => undefined, isDebugEnabled: () => false })
}

/** Copies the repository with every mutant in place, each inactive until its id is chosen. */
async function copyWithMutants(sources: string[]) {
  const copy = mkdtempSync(join(tmpdir(), 'meydan-mutated-'))
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of tracked.trim().split('\n')) {
    if (!statSync(join(root, file), { throwIfNoEntry: false })?.isFile()) continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  symlinkSync(join(root, 'console/dist'), join(copy, 'console/dist'))
  const instrumenter = await loadInstrumenter()
  const files = sources.map((file) => ({ name: file, content: readFileSync(join(root, file), 'utf8'), mutate: true }))
  const { files: mutated, mutants } = await instrumenter.instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  })
  for (const file of mutated) writeFileSync(join(copy, file.name), file.content)
  return { copy, mutants }
}

const find = (patterns: string[]) => globSync(patterns, { cwd: root }).sort()
const sources = find(group.sources).filter(
  (file) => !excluded.test(file) && (only.length === 0 || only.some((part) => file.includes(part))),
)
const tests = find(group.tests)
const { copy, mutants } = await copyWithMutants(sources)
const planFile = join(copy, 'mutation-plan.json')
const outcomesFile = join(copy, 'mutation-outcomes.jsonl')
Object.assign(process.env, { MUTATION_PLAN: planFile, MUTATION_OUTCOMES: outcomesFile })

/** The order in which the runner expects them. */
class AsGiven {
  sort = async (files: TestSpecification[]) => files
  shard = async (files: TestSpecification[]) => files
}
const vitest = await createVitest('test', {
  config: false,
  root: copy,
  watch: false,
  include: tests,
  globalSetup: ['test/run/global-setup.ts'],
  runner: 'scripts/mutation/runner.ts',
  reporters: [{}],
  sequence: { sequencer: AsGiven },
  pool: 'forks',
  isolate: false,
  maxWorkers: 1,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  silent: true,
})
const project = vitest.getRootProject()
project.provide('expectedCodes', mkdtempSync(join(copy, 'expected-codes-')))

type Step = Execution & { file: string }

function readOutcomes(): Outcome[] {
  if (!existsSync(outcomesFile)) return []
  const lines = readFileSync(outcomesFile, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** Runs steps in one process. `hung`: the step that was ended, because it did not end by itself. */
async function run(steps: Step[], activeFromStart?: string) {
  writeFileSync(planFile, JSON.stringify(steps))
  rmSync(outcomesFile, { force: true })
  if (activeFromStart) process.env.__STRYKER_ACTIVE_MUTANT__ = activeFromStart
  let ended = false
  const running = vitest
    .runTestSpecifications(steps.map(({ file }) => project.createSpecification(join(copy, file))))
    .finally(() => {
      ended = true
    })
  let seen = { count: 0, at: performance.now() }
  let hung: number | undefined
  while (!ended) {
    await Promise.race([running, sleep(LOOK_MS)])
    const outcomes = readOutcomes()
    if (outcomes.length !== seen.count) seen = { count: outcomes.length, at: performance.now() }
    const last = outcomes.at(-1)
    if (last?.state !== 'started' || performance.now() - seen.at < HANGS_AFTER_MS + 5 * expected(steps, last.index))
      continue
    hung = last.index
    process.kill(last.pid, 'SIGKILL')
    break
  }
  await running
  delete process.env.__STRYKER_ACTIVE_MUTANT__
  return { outcomes: readOutcomes(), hung }
}

const durations = new Map<string, number>()
const expected = (steps: Step[], index: number) => durations.get(steps[index]?.file ?? '') ?? HANGS_AFTER_MS

/** Mutants that each test executes, and those that are executed only while modules are loaded. */
async function findCovered() {
  const { outcomes } = await run([...tests, ...tests].map((file) => ({ file, cover: true })))
  const covered = new Map<string, string[]>()
  const loaded = new Set<string>()
  for (const outcome of outcomes) {
    const file = tests[outcome.index % tests.length]
    if (outcome.state === 'started' || outcome.state === 'skipped' || file === undefined) continue
    if (outcome.state === 'failed') throw new Error(`${file} fails without a mutant: ${outcome.error}`)
    if (outcome.index < tests.length) for (const id of outcome.covered) loaded.add(id)
    else {
      durations.set(file, outcome.ms)
      for (const id of outcome.covered) covered.set(id, [...(covered.get(id) ?? []), file])
    }
  }
  if (durations.size !== tests.length) throw new Error('The tests ended early without a mutant.')
  for (const files of covered.values()) files.sort((a, b) => (durations.get(a) ?? 0) - (durations.get(b) ?? 0))
  return { covered, loaded: new Set([...loaded].filter((id) => !covered.has(id))) }
}

function sample(all: Mutant[]) {
  if (!values.sample) return all
  const random = randomNumbers(Number(values.seed))
  return all
    .map((mutant) => ({ mutant, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, Number(values.sample))
    .map(({ mutant }) => mutant)
}

const results = new Map<string, 'killed' | 'timeout' | 'survived'>()

const describeMutant = ({ fileName, location: { start, end }, mutatorName, replacement, id }: Mutant) => {
  const lines = readFileSync(join(root, fileName), 'utf8')
    .split('\n')
    .slice(start.line, end.line + 1)
  const text = lines.join('\n').slice(start.column, lines.length > 1 ? undefined : end.column)
  const short = (code: string) => code.replaceAll(/\s+/g, ' ').slice(0, 90)
  return `${fileName}:${start.line + 1}:${start.column + 1} ${mutatorName} ${short(text)} → ${short(replacement)} (${id})`
}

function note(mutant: Mutant, result: 'killed' | 'timeout' | 'survived', how = '') {
  results.set(mutant.id, result)
  print(`${String(results.size).padStart(4)} ${result.padEnd(8)} ${describeMutant(mutant)} ${how}`)
}

/**
 * Tries the mutants of a batch. A process that hangs, or whose tests fail afterwards without a mutant, proves nothing
 * about those that it found: each of them is tried again in a process of its own.
 */
async function tryBatch(batch: { mutant: Mutant; files: string[] }[]): Promise<void> {
  const steps: Step[] = batch.flatMap(({ mutant, files }) => files.map((file) => ({ mutant: mutant.id, file })))
  const control = batch[0]?.files[0]
  if (batch.length > 1 && control) steps.push({ file: control })
  const { outcomes, hung } = await run(steps)
  const ended = outcomes.filter(({ state }) => state !== 'started')
  const isSound = batch.length === 1 || (hung === undefined && ended.at(-1)?.state === 'passed')
  for (const one of batch) {
    const { mutant, files } = one
    const own = ended.filter(({ index }) => steps[index]?.mutant === mutant.id)
    const failed = own.find(({ state }) => state === 'failed')
    if (!isSound && (failed || own.length < files.length)) {
      await tryBatch([one])
      continue
    }
    if (failed?.state === 'failed') note(mutant, /timed out/i.test(failed.error ?? '') ? 'timeout' : 'killed')
    else note(mutant, own.length < files.length ? 'timeout' : 'survived')
  }
}

print(
  `${name}: ${sources.length} files with ${mutants.length} mutants, ${tests.length} test files, seed ${values.seed}`,
)
const { covered, loaded } = await findCovered()
const chosen = sample(mutants)
let batch: { mutant: Mutant; files: string[] }[] = []
const flush = async () => {
  if (batch.length > 0) await tryBatch(batch)
  batch = []
}
for (const mutant of chosen) {
  const files = covered.get(mutant.id)
  if (!files) continue
  if (batch.reduce((sum, { files }) => sum + files.length, files.length) > PER_PROCESS) await flush()
  batch.push({ mutant, files })
}
await flush()
const filesOf = (source: string) => [
  ...new Set(mutants.filter(({ fileName }) => fileName === source).flatMap(({ id }) => covered.get(id) ?? [])),
]
for (const mutant of chosen) {
  if (covered.has(mutant.id)) continue
  const files = filesOf(mutant.fileName)
  if (!loaded.has(mutant.id) || files.length === 0) note(mutant, 'survived', 'no test executes it')
  else {
    const { outcomes } = await run(
      files.map((file) => ({ mutant: mutant.id, file })),
      mutant.id,
    )
    const ended = outcomes.filter(({ state }) => state !== 'started')
    if (ended.some(({ state }) => state === 'failed')) note(mutant, 'killed')
    else note(mutant, ended.length < files.length ? 'timeout' : 'survived')
  }
}

const count = (wanted: string) => [...results.values()].filter((result) => result === wanted).length
print(`\n${name}: survived`)
for (const mutant of chosen) if (results.get(mutant.id) === 'survived') print(`  ${describeMutant(mutant)}`)
const score = (100 * (count('killed') + count('timeout'))) / Math.max(1, results.size)
print(
  `${name}: ${results.size} of ${mutants.length} mutants, ${count('killed')} killed, ${count('timeout')} timed out, ` +
    `${count('survived')} survived; score ${score.toFixed(1)} %, seed ${values.seed}`,
)
await vitest.close()
rmSync(copy, { recursive: true, force: true })
