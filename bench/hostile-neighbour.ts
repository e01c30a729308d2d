import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { hmac } from '../server/lib/crypto/crypto.ts'
import type { ConnectionConfig } from '../server/lib/db/database.ts'
import type { Deps } from '../server/lib/deps.ts'
import type { Member } from '../server/lib/http/access.ts'
import { authSecret } from '../server/modules/auth/better-auth/better-auth.ts'
import { createPost } from '../server/modules/posts/posts.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { createWorkspace } from '../server/modules/workspaces/workspaces.ts'
import type { Attack, HostileWorker } from './fixtures/hostile-client.ts'
import { atMost, type Claim, callAtRate, createMany, type Measurement, median, quartiles } from './harness.ts'
import { attacks, type Credentials } from './hostile-attacks.ts'
import { createOwner, serverSettings, startMeydan, withDeps } from './meydan.ts'
import { startPostgres } from './processes.ts'

const MAX_RATIO = 3
const MAX_MS = 250
const MAX_MB = 600
/** Calls a second of the other users, shared by enough tokens to stay within the default limits. */
const RATE = 100
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
    for (const attack of attacks(hostile, LONG_TEXT)) {
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

/** Measures ordinary calls at an even rate. Returns the 99th percentile in milliseconds, of all and of /readyz. */
const delaysOf = (url: string, { tokens }: Credentials) => {
  const calls = ['/api/v1/me', '/api/v1/posts', 'POST', '/readyz']
  return async (seconds: number) => {
    const all: number[] = []
    const readyz: number[] = []
    const statuses: Record<string, number> = {}
    await callAtRate(RATE, seconds, async (index) => {
      const call = calls[index % calls.length] ?? ''
      const headers = { authorization: `Bearer ${tokens[index % TOKENS]}`, 'content-type': 'application/json' }
      const start = performance.now()
      const response = await (call === 'POST'
        ? fetch(`${url}/api/v1/posts`, { method: 'POST', headers, body: '{"content":"An ordinary post."}' })
        : fetch(`${url}${call}`, { headers }))
      await response.arrayBuffer()
      const delay = performance.now() - start
      all.push(delay)
      if (call === '/readyz') readyz.push(delay)
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
    })
    return { all: p99(all), readyz: p99(readyz), statuses }
  }
}

const p99 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * 0.99)] ?? 0

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
    const other = await createUser(deps, owner)
    const neighbour = await credentialsOf(deps, owner, TOKENS)
    const hostile = await credentialsOf(deps, other, HOSTILE_TOKENS)
    await createMany(20, (index) => createPost(deps, owner, { content: `Post number ${index}` }))
    await createMany(LONG_POSTS, () => createPost(deps, other, JSON.parse(LONG_TEXT)))
    await deps.pool.query('vacuum analyze')
    return { neighbour, hostile }
  })

/** Creates another user, who owns a workspace. */
async function createUser(deps: Deps, owner: Member): Promise<Member> {
  const email = 'hostile@example.com'
  const { id } = await deps.db
    .insertInto('user')
    .values({ email, name: 'Hostile', email_verified: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const user = { ...owner, user_id: id, email, is_instance_admin: false }
  const workspace = await createWorkspace(deps.db, user, { name: 'Hostile' })
  return { ...user, workspace_id: workspace.id }
}

async function credentialsOf(deps: Deps, user: Member, count: number): Promise<Credentials> {
  const token = randomBytes(24).toString('base64url')
  const expires_at = new Date(Date.now() + 86_400_000)
  await deps.db.insertInto('session').values({ token, user_id: user.user_id, expires_at }).execute()
  const signature = hmac(authSecret(deps.keyring), token).digest('base64')
  const tokens = await createMany(count, async (index) => (await createToken(deps, user, { name: `${index}` })).token)
  return { cookie: `meydan.session_token=${encodeURIComponent(`${token}.${signature}`)}`, tokens }
}
