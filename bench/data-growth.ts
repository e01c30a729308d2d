import type { ConnectionConfig } from '../server/lib/db/database.ts'
import { type Scope, scopes } from '../server/lib/http/scopes.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { createDataset, type Dataset } from './growth/dataset.ts'
import { fill } from './growth/fill.ts'
import { createPastPartitions } from './growth/posts.ts'
import { type Request, requests } from './growth/requests.ts'
import { atMost, type Bench, type Claim, type Measurement, median, quantile, quartiles } from './harness.ts'
import { createOwner, createUser, runLongStatement, serverSettings, signIn, startMeydan, withDeps } from './meydan.ts'
import { createDatabase, startPostgres } from './processes.ts'

const MANY = 1_000_000
const FEW = 1000
const LIMIT_MS = 100
/** Calls after which PostgreSQL has settled on a plan for any values. */
const WARM_UP = 12

/**
 * Compares every list, filter and export of the API after growth. In a workspace with a million posts and two million
 * events with the same in one with a thousand posts; lists of the instance with the same in an instance of two such small
 * workspaces. Then an empty workspace in the large instance with one in the small instance. Filters that no index serves
 * have a limit in milliseconds instead.
 *
 * The lists of posts are compared twice: first right after the writing, when PostgreSQL has no statistics of the tables,
 * as in an installation that has just imported its posts.
 */
export const claim: Claim = {
  name: 'data-growth',
  target: atMost(1.3),
  measure: async (bench) => {
    // Statistics come when the bench asks for them.
    const shared = await startPostgres({ autovacuum: 'off' })
    const large = await prepare(shared, bench.quick ? MANY / 10 : MANY, bench)
    const small = await prepare(await createDatabase(shared, 'small'), FEW, bench)
    const compareAll = async (some: Request[]) => {
      const results: Measurement[] = []
      for (const request of some) results.push(...(await compareSizes(request, { large, small, bench })))
      return results
    }
    const ofPosts = requests().filter(({ list }) => list === '/posts' || list === '/posts/summaries')
    const young = await compareAll(ofPosts.map((request) => ({ ...request, name: `${request.name}, not analyzed` })))
    for (const { analyze } of [large, small]) await analyze()
    return [...young, ...(await compareAll(requests()))]
  },
}

type Instance = Awaited<ReturnType<typeof prepare>>

/** Compares a request after growth with the same before, and an empty workspace in both instances. */
async function compareSizes(
  request: Request,
  { large, small, bench }: { large: Instance; small: Instance; bench: Bench },
): Promise<Measurement[]> {
  const { name, inWorkspace, isBounded } = request
  const baseline = await (inWorkspace ? large.caller(large.few, request) : small.caller(small.many, request))
  const grown = await compare(await large.caller(large.many, request), baseline, bench)
  const results: Measurement[] = [{ ...(isBounded ? slowest(grown.values) : grown.ratio), part: name }]
  if (inWorkspace) {
    const [beside, apart] = [await large.caller(large.empty, request), await small.caller(small.empty, request)]
    results.push({ ...(await compare(beside, apart, bench)).ratio, part: `${name}, empty` })
  }
  const times = results.map(({ value, ratio }) => `${value.toFixed(1)} (${ratio.toFixed(2)})`)
  bench.log(`${name}: ${times.join(' and ')} ms`)
  return results
}

const BYSTANDER = 'bystander@example.com'
const BYSTANDER_POSTS = 100

/** Creates an instance: a workspace with many posts, one with few, and an empty one, and a user who has none of them. */
async function prepare(connection: ConnectionConfig, posts: number, { log }: Bench) {
  const { token, ...datasets } = await withDeps(connection, async (deps) => {
    const owner = await createOwner(deps)
    const bystander = await createUser(deps, owner, BYSTANDER)
    const [many, few, empty, own] = [
      await createDataset(deps, owner, 'Many'),
      await createDataset(deps, owner, 'Few'),
      await createDataset(deps, owner, 'Empty'),
      await createDataset(deps, bystander, 'Bystander'),
    ]
    await createPastPartitions(deps)
    await fill(deps, many, posts, log)
    await fill(deps, few, FEW, log)
    await fill(deps, own, BYSTANDER_POSTS, log)
    const { token } = await createToken(deps, owner, {
      name: 'bench',
      scopes: Object.keys(scopes) as Scope[],
      team_id: null,
    })
    return { many, few, empty, token }
  })
  const { url } = await startMeydan(serverSettings(connection))
  const credentials = {
    owner: { cookie: await signIn(url) },
    bystander: { cookie: await signIn(url, BYSTANDER) },
    token: { authorization: `Bearer ${token}` },
  }
  const caller = async (dataset: Dataset, { path, caller, isFilled }: Request) => {
    const headers = {
      ...credentials[caller],
      ...(caller !== 'bystander' && { 'x-workspace-id': dataset.workspace_id }),
    }
    const address = path(dataset)
    const read = async () => {
      const response = await fetch(`${url}/api/v1${address}`, { headers })
      const text = await response.text()
      if (!response.ok) throw new Error(`GET ${address} failed with ${response.status}: ${text}`)
      return text
    }
    if (isFilled && dataset !== datasets.empty && (await read()).startsWith('{"data":[]'))
      throw new Error(`GET ${address} returns no records: its table is not filled`)
    const call = async () => {
      const start = performance.now()
      await read()
      return performance.now() - start
    }
    for (let n = 0; n < WARM_UP; n++) await call()
    return call
  }
  const analyze = () => withDeps(connection, ({ pool }) => runLongStatement(pool, 'vacuum analyze'))
  return { ...datasets, caller, analyze }
}

type Call = () => Promise<number>

/** Calls both in turns, so that other load on the machine affects both alike. */
async function compare(value: Call, baseline: Call, { quick }: Bench) {
  const values: number[] = []
  const baselines: number[] = []
  for (let n = 0; n < (quick ? 20 : 100); n++) {
    values.push(await value())
    baselines.push(await baseline())
  }
  const middle = median(baselines)
  return {
    values,
    ratio: {
      value: median(values),
      baseline: middle,
      unit: 'ms',
      ratio: median(values) / middle,
      spread: quartiles(values.map((time) => time / middle)),
    },
  }
}

function slowest(values: number[]): Measurement {
  const p99 = quantile(values, 0.99)
  return {
    value: p99,
    baseline: LIMIT_MS,
    unit: 'ms (p99)',
    ratio: p99 / LIMIT_MS,
    spread: quartiles(values.map((time) => time / LIMIT_MS)),
    target: atMost(1),
  }
}
