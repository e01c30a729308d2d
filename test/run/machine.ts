import { createHash } from 'node:crypto'
import { availableParallelism, loadavg } from 'node:os'
import pg from 'pg'
import type { ConnectionConfig } from '../../server/lib/db/database.ts'

/** The environment variable in which a run tells its workers, and their child processes, how slow its machine is. */
const SETTING = 'MEYDAN_TEST_MACHINE_FACTOR'

const MAX_FACTOR = 8

/** Slowness of the machine at the start of the run, compared with a quiet one with two cores: 1 to 8. */
export const machineFactor = () => Number(process.env[SETTING] ?? 1)

/** Processes that want a core, for each that the machine has. The suite alone makes two. */
const load = () => (loadavg()[0] ?? 0) / availableParallelism()

/**
 * A timeout that fits the machine, also one that has become busy since the start. `ms`: what is long enough on a quiet
 * machine.
 */
export const scaled = (ms: number) => Math.round(ms * Math.min(MAX_FACTOR, Math.max(machineFactor(), load() / 2)))

/** Tests of a browser, or of processes that are killed. They may be tried a second time. */
export const isRetried = (file: string) =>
  /test\/browser\/|crash\.test|test\/(torture|run)\/|embedded\/[\w-]+\.test/.test(file)

/** Tests that take longer than others: they are those, or go through every route. */
export const isLong = (file: string) => isRetried(file) || /test\/(sweeps\/|fuzz\/|openapi)/.test(file)

/** Rates of a quiet machine with two cores. */
const QUIET = { hashesPerMs: 1.1, queriesPerMs: 6 }

const MEASURED_MS = 500

/** Measures the machine for a second, and tells it to the processes of this run. One inside of another knows it. */
export async function measureMachine(postgres: ConnectionConfig) {
  if (process.env[SETTING]) return machineFactor()
  const hashes = QUIET.hashesPerMs / (await rateOf(async () => hashMegabyte()))
  const client = new pg.Client(postgres)
  await client.connect()
  const queries = QUIET.queriesPerMs / (await rateOf(() => client.query('select 1')))
  await client.end()
  const factor = Math.min(MAX_FACTOR, Math.max(1, Math.round(Math.max(hashes, queries) * 10) / 10))
  process.env[SETTING] = String(factor)
  return factor
}

const megabyte = Buffer.alloc(2 ** 20)
const hashMegabyte = () => createHash('sha256').update(megabyte).digest()

/** Calls per millisecond. */
async function rateOf(call: () => Promise<unknown>) {
  const begun = performance.now()
  let calls = 0
  while (performance.now() - begun < MEASURED_MS) {
    await call()
    calls++
  }
  return calls / (performance.now() - begun)
}
