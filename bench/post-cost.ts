import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { cpuOf, cpuWithChildren, parentOf } from './cpu.ts'
import {
  atMost,
  type Claim,
  callInLoops,
  createMany,
  type Measurement,
  median,
  quartiles,
  waitUntil,
} from './harness.ts'
import { postJson } from './http.ts'
import { serverSettings, signIn } from './meydan.ts'
import { startPostgres, startServer, temporaryFolder } from './processes.ts'

const run = promisify(execFile)

/** The commit that posts are compared with: the last one before posts had files and threads. */
const BASELINE = '42911b6'
const ROOT = join(import.meta.dirname, '..')
const ACCOUNTS = 32
const CONCURRENCY = 8

type Cost = { node: number; postgres: number }

/**
 * Compares the CPU time of one post with that at an earlier commit: created over HTTP and published on the Playground,
 * with its two events delivered to a webhook. Both sides run in turns, each with its own PostgreSQL.
 */
export const claim: Claim = {
  name: 'post-cost',
  target: atMost(0.7),
  measure: async ({ quick, log }) => {
    const [rounds, posts] = quick ? [2, 200] : [7, 500]
    const here = await start(ROOT)
    const before = await start(await checkOut(BASELINE))
    log('warming up')
    for (const publish of [here, before]) await publish(2 * posts)
    const costs: { here: Cost; before: Cost }[] = []
    for (let round = 1; round <= rounds; round++) {
      const isFirst = round % 2 === 1
      const first = await (isFirst ? here : before)(posts)
      const second = await (isFirst ? before : here)(posts)
      const cost = isFirst ? { here: first, before: second } : { here: second, before: first }
      costs.push(cost)
      const show = ({ node, postgres }: Cost) => `${node.toFixed(2)} + ${postgres.toFixed(2)}`
      log(`round ${round}/${rounds}: ${show(cost.here)} ms of Node and PostgreSQL, before ${show(cost.before)}`)
    }
    const compared = (part: keyof Cost): Measurement => {
      const ratios = costs.map((cost) => cost.here[part] / cost.before[part])
      return {
        part: part === 'node' ? 'of Node' : 'of PostgreSQL',
        value: median(costs.map((cost) => cost.here[part])),
        baseline: median(costs.map((cost) => cost.before[part])),
        unit: 'ms',
        ratio: median(ratios),
        spread: quartiles(ratios),
      }
    }
    return [compared('node'), compared('postgres')]
  },
}

/** Unpacks a commit, with the dependencies and the console of this checkout. */
async function checkOut(commit: string) {
  const folder = await temporaryFolder()
  const archive = join(folder, 'commit.tar')
  await run('git', ['archive', '--output', archive, commit], { cwd: ROOT })
  await run('tar', ['-xf', archive], { cwd: folder })
  for (const built of ['node_modules', 'console/dist']) await symlink(join(ROOT, built), join(folder, built))
  return folder
}

/** Starts a node of a checkout. Returns the function that publishes posts and returns the CPU milliseconds of each. */
async function start(checkout: string) {
  const connection = await startPostgres()
  const { createOwner, withDeps }: typeof import('./meydan.ts') = await import(join(checkout, 'bench/meydan.ts'))
  const postmaster = await withDeps(connection, async (deps) => {
    await createOwner(deps)
    const { rows } = await deps.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
    return parentOf(rows[0]?.pid ?? 0)
  })
  const settings = { ...serverSettings(connection), ROLE: 'all', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
  const server = await startServer(relative(import.meta.dirname, join(checkout, 'server/cli.ts')), settings, ['serve'])
  const receivers = await startServer('fixtures/webhook-receivers.ts', {})
  const report = async (path: string): Promise<unknown> => (await fetch(`${receivers.url}${path}`)).json()
  const [port] = (await report('/ports')) as number[]

  const cookie = await signIn(server.url)
  const create = async (path: string, body: object, headers: Record<string, string> = { cookie }) => {
    const response = await postJson(`${server.url}/api/v1/${path}`, body, headers)
    return (await response.json()) as { id: string; token?: string }
  }
  await create('webhooks', { url: `http://127.0.0.1:${port}/webhook`, events: ['*'] })
  const accounts = await createMany(ACCOUNTS, () => create('accounts', { network: 'playground' }))
  const { token } = await create('api-tokens', { name: 'Bench' })
  const authorization = `Bearer ${token}`

  return async (posts: number): Promise<Cost> => {
    const used = async () => ({ node: await cpuOf(server.pid), postgres: await cpuWithChildren(postmaster) })
    await report('/count')
    const before = await used()
    await callInLoops(
      CONCURRENCY,
      (begun) => begun >= posts,
      (index) => {
        const account_ids = [accounts[index % ACCOUNTS]?.id]
        return create('posts', { content: `Post ${index}`, account_ids, publish_now: true }, { authorization })
      },
    )
    const received = async () => ((await report('/report')) as { received: number }).received
    await waitUntil(
      async () => (await received()) >= 2 * posts,
      () => 'both events of each post are delivered',
      { every: 50 },
    )
    const after = await used()
    return { node: (after.node - before.node) / posts, postgres: (after.postgres - before.postgres) / posts }
  }
}
