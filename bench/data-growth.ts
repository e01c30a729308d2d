import type { ConnectionConfig } from '../server/lib/db/database.ts'
import { uuidAt } from '../server/lib/db/database.ts'
import { cursorOf } from '../server/lib/db/page.ts'
import { createDataset, createPastPartitions, type Dataset, fill } from './growth-data.ts'
import { atMost, type Bench, type Claim, type Measurement, median, quantile, quartiles } from './harness.ts'
import { createOwner, runLongStatement, serverSettings, signIn, startMeydan, withDeps } from './meydan.ts'
import { createDatabase, startPostgres } from './processes.ts'

const MANY = 1_000_000
const FEW = 1000
const LIMIT_MS = 100
/** Calls after which PostgreSQL has settled on a plan for any values. */
const WARM_UP = 12
const DAY = 86_400_000

/**
 * Compares every list and filter of the API after growth, in a workspace with a million posts and two million events,
 * with the same in one with a thousand posts. Then compares an empty workspace beside these two with one in a database
 * of its own. Filters that no index serves have a limit in milliseconds instead.
 */
export const claim: Claim = {
  name: 'data-growth',
  target: atMost(1.3),
  measure: async (bench) => {
    const shared = await startPostgres()
    const alone = await createDatabase(shared, 'alone')
    const besideMany = await prepare(shared, bench, bench.quick ? MANY / 10 : MANY)
    const byItself = await prepare(alone, bench)
    const results: Measurement[] = []
    for (const { name, path, isBounded } of requests()) {
      const [many, few] = [
        await besideMany.caller(besideMany.many, path),
        await besideMany.caller(besideMany.few, path),
      ]
      const grown = await compare(many, few, bench)
      results.push({ ...(isBounded ? slowest(grown.values) : grown.ratio), part: name })
      const [beside, apart] = [
        await besideMany.caller(besideMany.empty, path),
        await byItself.caller(byItself.empty, path),
      ]
      results.push({ ...(await compare(beside, apart, bench)).ratio, part: `${name}, empty` })
      bench.log(
        `${name}: ${results
          .slice(-2)
          .map((result) => result.value.toFixed(1))
          .join(' and ')} ms`,
      )
    }
    return results
  },
}

/** Creates a workspace with many posts, if any, one with few, and an empty one. */
async function prepare(connection: ConnectionConfig, bench: Bench, posts = 0) {
  const datasets = await withDeps(connection, async (deps) => {
    const owner = await createOwner(deps)
    const [many, few, empty] = [
      await createDataset(deps, owner, 'Many'),
      await createDataset(deps, owner, 'Few'),
      await createDataset(deps, owner, 'Empty'),
    ]
    await createPastPartitions(deps)
    if (posts > 0) {
      await fill(deps, owner, many, posts, bench.log)
      await fill(deps, owner, few, FEW, bench.log)
    }
    await runLongStatement(deps.pool, 'vacuum analyze')
    return { many, few, empty }
  })
  const { url } = await startMeydan(serverSettings(connection))
  const cookie = await signIn(url)
  const caller = async (dataset: Dataset, path: (dataset: Dataset) => string) => {
    const headers = { cookie, 'x-workspace-id': dataset.workspace_id }
    const call = async () => {
      const start = performance.now()
      const response = await fetch(`${url}/api/v1${path(dataset)}`, { headers })
      const text = await response.text()
      if (!response.ok) throw new Error(`GET ${path(dataset)} failed with ${response.status}: ${text}`)
      return performance.now() - start
    }
    for (let n = 0; n < WARM_UP; n++) await call()
    return call
  }
  return { ...datasets, caller }
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

type Request = { name: string; path: (dataset: Dataset) => string; isBounded?: boolean }

/** Requests ask for ten records, which the workspace with few posts has for most filters. */
function requests(): Request[] {
  const now = Date.now()
  const at = (days: number) => new Date(now + days * DAY).toISOString()
  const cursor = (days: number) => cursorOf(uuidAt(now + days * DAY))
  const list = (name: string, path: string | ((dataset: Dataset) => string), isBounded = false): Request => ({
    name,
    path: (dataset) => {
      const text = typeof path === 'string' ? path : path(dataset)
      return `${text}${text.includes('?') ? '&' : '?'}limit=10`
    },
    isBounded,
  })
  const posts = (filter: string | ((dataset: Dataset) => string), isBounded = false) =>
    list(
      `posts ${typeof filter === 'string' ? filter.replace(/T[^&]*/g, '') : filter(names).replace(/T[^&]*/g, '')}`,
      (dataset) => `/posts?${typeof filter === 'string' ? filter : filter(dataset)}`,
      isBounded,
    )
  const deliveries = (filter: string, isBounded = false) =>
    list(
      `deliveries ${filter.replace(/T[^&]*/g, '')}`,
      ({ webhook }) => `/webhooks/${webhook}/deliveries?${filter}`,
      isBounded,
    )
  const account =
    (index: number, rest = '') =>
    ({ accounts }: Dataset) =>
      `account_id=${accounts[index]}${rest}`
  return [
    list('posts', '/posts'),
    list('posts in the middle', `/posts?cursor=${cursor(-300)}`),
    ...['draft', 'scheduled', 'published', 'partially_published', 'failed', 'publishing'].map((status) =>
      posts(`status=${status}`),
    ),
    posts(account(0)),
    posts(account(2)),
    posts(account(3)),
    posts(account(0, '&status=published'), true),
    posts(account(0, '&status=publishing'), true),
    posts(account(3, '&status=published'), true),
    posts(({ author }) => `author_id=${author}`),
    posts(({ author }) => `author_id=${author}&status=publishing`, true),
    posts('author_id=00000000-0000-0000-0000-000000000000'),
    posts('label=spring'),
    posts('label=rare', true),
    posts('label=unused', true),
    posts(`from=${at(-365)}`),
    posts('from=2000-01-01T00:00:00Z'),
    posts(`to=${at(0)}`),
    posts(`from=${at(-60)}&to=${at(-30)}`),
    posts(`from=${at(0)}&to=${at(30)}`),
    posts(`from=${at(-365)}&status=published`),
    posts(`from=${at(-365)}&status=publishing`, true),
    posts((dataset) => `from=${at(-365)}&account_id=${dataset.accounts[2]}`, true),
    posts('updated_since=2000-01-01T00:00:00Z'),
    posts(`updated_since=${at(-0.01)}`),
    posts(`updated_since=${at(-365)}&status=failed`),
    posts(`updated_since=2000-01-01T00:00:00Z&from=${at(20)}`, true),
    posts('search=simit'),
    posts('search=truffle', true),
    posts('search=nowhere', true),
    posts('search=simit&status=draft'),
    { name: 'summaries', path: () => `/posts/summaries?from=${at(-60)}&to=${at(-30)}&limit=10` },
    {
      name: 'summaries of an account',
      path: (dataset) => `/posts/summaries?account_id=${dataset.accounts[2]}&limit=10`,
    },
    { name: 'counts', path: () => '/posts/counts' },
    list('deleted posts', '/posts/deleted'),
    list('playground', '/playground'),
    list('events', '/events'),
    list('events in the middle', `/events?cursor=${cursor(-14)}`),
    list('events since an hour', `/events?since=${at(-1 / 24)}`),
    list('events of a type', '/events?type=post.created'),
    list('events of a rare type', '/events?type=account.disconnected', true),
    list('events of no type', '/events?type=account.refresh_failed'),
    deliveries('state=delivered'),
    deliveries('state=waiting'),
    deliveries('state=held'),
    deliveries('state=failed'),
    deliveries('state=undelivered'),
    deliveries('attempted=true'),
    deliveries('attempted=false'),
    deliveries(`until=${at(-14)}`),
    deliveries(`since=${at(-1)}&until=${at(-0.5)}`),
    deliveries('type=post.created'),
    deliveries('type=account.disconnected', true),
    deliveries('type=account.refresh_failed', true),
    deliveries('type=account.disconnected&state=failed', true),
    list('deliveries', ({ webhook }) => `/webhooks/${webhook}/deliveries`),
    list('audit log', '/workspace/audit-log'),
    list('audit log of an action', '/workspace/audit-log?action=post.created'),
    list('audit log of a rare action', '/workspace/audit-log?action=webhook.updated', true),
    list('audit log of a group', '/workspace/audit-log?action=webhook.*', true),
    list('audit log until', `/workspace/audit-log?until=${at(-500)}`),
    list('audit log between', `/workspace/audit-log?since=${at(-500)}&until=${at(-400)}`),
    list('generations', '/ai/generations'),
    list('generations that failed', '/ai/generations?state=failed', true),
    list('generations of no kind', '/ai/generations?kind=video', true),
    ...['24h', '7d', '30d'].map((period) => ({
      name: `stats ${period}`,
      path: ({ webhook }: Dataset) => `/webhooks/${webhook}/stats?period=${period}`,
    })),
    { name: 'usage', path: () => '/workspace/usage', isBounded: true },
    { name: 'checklist', path: () => '/workspace/checklist' },
    { name: 'workspace', path: () => '/workspace' },
    list('accounts', '/accounts'),
    list('webhooks', '/webhooks'),
    list('members', '/workspace/members'),
    list('invitations', '/workspace/invitations'),
    list('tokens', '/api-tokens'),
  ]
}

/** Stands for the records of a workspace in the names of requests. */
const names: Dataset = { workspace_id: '', author: 'owner', accounts: ['one', 'two', 'rare', 'unused'], webhook: '' }
