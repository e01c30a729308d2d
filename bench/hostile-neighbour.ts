import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { ConnectionConfig } from '../server/lib/db/database.ts'
import { createPost } from '../server/modules/posts/authoring/create-and-change.ts'
import type { Attack, HostileWorker } from './fixtures/hostile-client.ts'
import { atMost, type Claim, createMany, type Measurement, median, quartiles } from './harness.ts'
import { attacks } from './hostile-attacks.ts'
import { createOwner, serverSettings, startMeydan, withDeps } from './meydan.ts'
import { createUser, credentialsOf, delaysOf } from './neighbour.ts'
import { startPostgres } from './processes.ts'

const MAX_RATIO = 3
const MAX_MS = 250
const MAX_MB = 600
const TOKENS = 20
const HOSTILE_TOKENS = 50
const LONG_POSTS = 400
/** Characters of JSON in the longest post: control characters, which are six times as long in responses. */
const LONG_TEXT = JSON.stringify({ content: '\u0001'.repeat(28_000) })

/**
 * Compares the delays of other users' calls while one user does everything to be in their way with those while nobody
 * does. Also holds the delays and the memory of the process to fixed limits.
 */
export const claim: Claim = {
  name: 'hostile-neighbour',
  target: atMost(MAX_RATIO, `≤ ${MAX_RATIO} times`),
  measure: async (bench) => {
    const connection = await startPostgres()
    bench.log('creating the data of both users')
    const { neighbour, hostile } = await fill(connection)
    const { RATE_LIMIT_READ: _, RATE_LIMIT_WRITE: __, ...settings } = serverSettings(connection)
    const measurements: Measurement[] = []
    const worst = { readyz: 0, all: 0, memory: 0 }
    const rounds = bench.quick ? 1 : 3
    const seconds = bench.quick ? 4 : 8
    const all = attacks(hostile, LONG_TEXT)
    const chosen = all.filter(({ name }) => bench.part === undefined || name === bench.part)
    if (chosen.length === 0) throw new Error(`The parts of this claim are: ${all.map(({ name }) => name).join(', ')}`)
    for (const attack of chosen) {
      // A new process for each: memory that one attack leaves behind does not count for the next.
      const { url, pid, stop } = await startMeydan(settings)
      const delays = delaysOf(url, neighbour)
      await delays(3)
      const ratios: number[] = []
      const values: number[] = []
      const baselines: number[] = []
      for (let round = 1; round <= rounds; round++) {
        const alone = await delays(seconds)
        const end = await begin(Number(new URL(url).port), attack)
        const memory = watchMemory(pid)
        const beside = await delays(seconds)
        const peak = await memory()
        const report = await end()
        baselines.push(alone.all)
        values.push(beside.all)
        ratios.push(beside.all / alone.all)
        worst.all = Math.max(worst.all, beside.all)
        worst.readyz = Math.max(worst.readyz, beside.readyz)
        worst.memory = Math.max(worst.memory, peak)
        bench.log(
          `${attack.name}: p99 ${beside.all.toFixed(0)} ms, alone ${alone.all.toFixed(0)} ms, /readyz ${beside.readyz.toFixed(0)} ms, ${peak.toFixed(0)} MB, ${JSON.stringify(report)} ${JSON.stringify(beside.statuses)}`,
        )
        // Lets the connections and queries of the attack end.
        await sleep(bench.quick ? 1000 : 3000)
      }
      await stop()
      measurements.push({
        value: median(values),
        baseline: median(baselines),
        unit: 'ms p99',
        ratio: median(ratios),
        spread: quartiles(ratios),
        part: attack.name,
      })
    }
    const limit = (part: string, value: number, most: number, unit: string): Measurement => ({
      value,
      baseline: most,
      unit,
      ratio: value / most,
      spread: [value / most, value / most],
      part,
      target: atMost(1, `≤ ${most} ${unit}`),
    })
    return [
      ...measurements,
      limit('worst p99', worst.all, MAX_MS, 'ms'),
      limit('worst p99 /readyz', worst.readyz, MAX_MS, 'ms'),
      limit('memory', worst.memory, MAX_MB, 'MB'),
    ]
  },
}

/** Begins an attack in a thread of its own. Returns the function that ends it. */
async function begin(port: number, attack: Attack) {
  const workerData: HostileWorker = { port, attack }
  const worker = new Worker(new URL('fixtures/hostile-client.ts', import.meta.url), { workerData })
  await once(worker, 'online')
  await sleep(500)
  return async () => {
    const report = once(worker, 'message')
    worker.postMessage('stop')
    const [sent] = await report
    await worker.terminate()
    return sent
  }
}

/** Watches the resident memory of a process. Returns the function that ends it and returns the most, in MB. */
function watchMemory(pid: number) {
  let most = 0
  const read = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    most = Math.max(most, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }
  const timer = setInterval(() => void read(), 50)
  return async () => {
    clearInterval(timer)
    await read()
    return most
  }
}

const fill = (connection: ConnectionConfig) =>
  withDeps(connection, async (deps) => {
    const owner = await createOwner(deps)
    const other = await createUser(deps, owner, 'hostile')
    const neighbour = await credentialsOf(deps, owner, TOKENS)
    const hostile = await credentialsOf(deps, other, HOSTILE_TOKENS)
    await createMany(20, (index) => createPost(deps, owner, { content: `Post number ${index}` }))
    await createMany(LONG_POSTS, () => createPost(deps, other, JSON.parse(LONG_TEXT)))
    await deps.pool.query('vacuum analyze')
    return { neighbour, hostile }
  })
