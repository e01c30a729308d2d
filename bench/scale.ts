import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Deps } from '../server/lib/deps.ts'
import type { Member } from '../server/lib/http/access.ts'
import { connectAccount } from '../server/modules/accounts/connect.ts'
import { createAgent } from '../server/modules/agents/agents.ts'
import { startRun } from '../server/modules/agents/runs/runs.ts'
import { createModel } from '../server/modules/ai/models/models.ts'
import { createPost } from '../server/modules/posts/authoring/create-and-change.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { createWebhook } from '../server/modules/webhooks/webhooks.ts'
import { createWorkspace } from '../server/modules/workspaces/workspaces.ts'
import { cpuOf, cpuWithChildren, parentOf } from './cpu.ts'
import {
  aim,
  type Bench,
  type Claim,
  callInLoops,
  createMany,
  type Measurement,
  median,
  quartiles,
  tableRow,
  waitUntil,
} from './harness.ts'
import { CLI, serverSettings } from './meydan.ts'
import { startServer } from './processes.ts'
import { fillQueue, SETTINGS, type WebhookSetup, withWebhooks } from './webhook-harness.ts'

/** From most to fewest: the same warm processes do all of the work, and some are stopped before each next part. */
const NODES = [4, 2, 1]
const ROUNDS = 3
const MAX_RATIO = 1.4
/** Enough for the pools of all nodes. */
const CONNECTIONS = 300
const CONCURRENCY = 8
const ACCOUNTS = 32
const READ_POSTS = 200
/** Workspaces with one agent each. The runs of one workspace follow each other, so these keep all nodes busy. */
const AGENTS = 16
const POSTS_PER_RUN = 3
/** Time from filling the queue until its deliveries are due, in milliseconds: queueing them is not measured. */
const QUEUE_MS = 4000
const IDLE_SECONDS = 8

/** CPU milliseconds. */
type Cost = { node: number; postgres: number }
type Node = { url: string; pid: number; stop: () => Promise<void>; http: Pool }

/** Does units of work on these nodes and waits for their end. Calls `begin` where measuring begins. Returns how many. */
type Work = (nodes: readonly Node[], amount: number, begin: () => Promise<void>) => Promise<number>
/** `warmUp`: for each node. */
type Unit = { work: Work; measured: number; warmUp: number }

/**
 * Compares the CPU time of each unit of work on four and two nodes with that on one, all on one PostgreSQL. A node is a
 * process that serves the API and does jobs.
 */
export const claim: Claim = {
  name: 'scale',
  target: aim(`≤ ${MAX_RATIO} times`),
  measure: (bench) =>
    withWebhooks(
      async (setup) => {
        const costs = await measureAll(bench, setup, await prepare(setup, bench.part))
        printCosts(bench, costs)
        return [...costs].flatMap(([name, byCount]) => (name === IDLE ? [] : compareWithOneNode(name, byCount)))
      },
      { max_connections: String(CONNECTIONS) },
    ),
}

/** The costs of each round, by unit and number of nodes. */
type Costs = Map<string, Map<number, Cost[]>>
const IDLE = 'idle second'

async function measureAll({ quick, log }: Bench, setup: WebhookSetup, units: Map<string, Unit>): Promise<Costs> {
  const rounds = quick ? 1 : ROUNDS
  const share = quick ? 2 : 1
  const nodes = await startNodes(setup, Math.max(...NODES))
  const postmaster = await parentOf(await backendOf(setup.deps))
  const used = async (): Promise<Cost> => {
    const cpu = await Promise.all(nodes.map(({ pid }) => cpuOf(pid)))
    return { node: cpu.reduce((sum, own) => sum + own), postgres: await cpuWithChildren(postmaster) }
  }
  const costs: Costs = new Map(
    [...units.keys(), IDLE].map((name) => [name, new Map(NODES.map((count): [number, Cost[]] => [count, []]))]),
  )
  const measure = async (name: string, work: (begin: () => Promise<void>) => Promise<number>) => {
    let before = await used()
    const done = await work(async () => {
      before = await used()
    })
    const after = await used()
    const cost = { node: (after.node - before.node) / done, postgres: (after.postgres - before.postgres) / done }
    costs.get(name)?.get(nodes.length)?.push(cost)
    log(`${nodes.length} nodes, ${name}: ${cost.node.toFixed(3)} ms of Node, ${cost.postgres.toFixed(3)} of PostgreSQL`)
  }

  log('warming up')
  for (const { work, warmUp } of units.values())
    await work(nodes, (warmUp * nodes.length) / share, async () => undefined)
  for (const count of NODES) {
    for (const { stop, http } of nodes.splice(count)) {
      await http.close()
      await stop()
    }
    // For each node. It is in the cost of the units, so a busy machine, which takes longer for them, shows higher ones.
    await measure(IDLE, () => sleep(IDLE_SECONDS * 1000, IDLE_SECONDS * count))
    for (let round = 1; round <= rounds; round++)
      for (const [name, { work, measured }] of units)
        await measure(name, (begin) => work(nodes, measured / share, begin))
  }
  return costs
}

async function backendOf({ pool }: Deps) {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** Prints the medians of Node and of PostgreSQL with their quartiles. */
function printCosts({ log }: Bench, costs: Costs) {
  const row = tableRow([14, 8, 10, 18, 12, 18])
  const shown = (values: number[]) => [
    median(values).toFixed(3),
    quartiles(values)
      .map((ms) => ms.toFixed(3))
      .join('–'),
  ]
  log(row('unit', 'nodes', 'Node ms', '', 'PostgreSQL', ''))
  for (const [name, byCount] of costs)
    for (const [count, rounds] of byCount) {
      const [node, postgres] = [rounds.map((cost) => cost.node), rounds.map((cost) => cost.postgres)]
      log(row(name, String(count), ...shown(node), ...shown(postgres)))
    }
}

function compareWithOneNode(name: string, byCount: Map<number, Cost[]>): Measurement[] {
  const totals = (count: number) => (byCount.get(count) ?? []).map(({ node, postgres }) => node + postgres)
  const baseline = median(totals(1))
  return NODES.filter((count) => count > 1).map((count) => {
    const values = totals(count)
    return {
      part: `${name}, ${count} nodes`,
      value: median(values),
      baseline,
      unit: 'ms',
      ratio: median(values) / baseline,
      spread: quartiles(values.map((value) => value / baseline)),
    }
  })
}

const startNodes = ({ connection }: WebhookSetup, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (): Promise<Node> => {
      const server = await startServer(CLI, { ...serverSettings(connection), ...SETTINGS, ROLE: 'all' }, ['serve'])
      return { ...server, http: new Pool(server.url) }
    }),
  )

/** Creates what the units work on: all of them, or one. */
async function prepare(setup: WebhookSetup, only: string | undefined) {
  const { deps, owners, receivers } = setup
  const [owner] = owners
  if (!owner) throw new Error('there is no workspace')
  const newWorkspace = async (name: string): Promise<Member> => ({
    ...owner,
    workspace_id: (await createWorkspace(deps.db, owner, { name })).id,
  })
  const delivered = async (count: number) => {
    await waitUntil(
      async () => (await receivers.report()).received >= count,
      () => `${count} deliveries arrive`,
      { every: 50, seconds: 300 },
    )
    await waitUntil(
      async () => (await deps.pool.query('select from delivery limit 1')).rowCount === 0,
      () => 'the deliveries are recorded',
      { every: 250 },
    )
  }
  const makers: Record<string, () => Promise<Unit>> = {
    post: async () => ({
      work: await publishing(setup, await newWorkspace('Posts'), delivered),
      measured: 120,
      warmUp: 250,
    }),
    read: async () => ({ work: await reading(deps, await newWorkspace('Reads')), measured: 1500, warmUp: 3000 }),
    delivery: async () => ({ work: delivering(setup, delivered), measured: 6000, warmUp: 6000 }),
    'agent step': async () => ({
      work: await running(deps, newWorkspace),
      measured: AGENTS * POSTS_PER_RUN,
      warmUp: AGENTS * POSTS_PER_RUN,
    }),
  }
  const units = new Map<string, Unit>()
  for (const [name, make] of Object.entries(makers))
    if (only === undefined || only === name) units.set(name, await make())
  if (units.size === 0) throw new Error(`The parts of this claim are: ${Object.keys(makers).join(', ')}`)
  return units
}

/** Posts created over HTTP and published on the Playground, with both events delivered to a webhook. */
async function publishing(
  { deps, receivers }: WebhookSetup,
  owner: Member,
  delivered: (count: number) => Promise<void>,
): Promise<Work> {
  await createWebhook(deps, owner, { url: receivers.urls[0] ?? '', events: ['*'] })
  const accounts = await createMany(ACCOUNTS, () => connectAccount(deps, owner, { network: 'playground' }))
  const call = await callerOf(deps, owner, 'posts:write')
  return async (nodes, posts) => {
    await receivers.count()
    await callInLoops(
      CONCURRENCY,
      (begun) => begun >= posts,
      (index) => {
        const account_ids = [accounts[index % ACCOUNTS]?.id]
        const body = { content: `Post ${index}`, account_ids, publish_now: true }
        return call(nodes, index, { method: 'POST', path: '/api/v1/public/posts', body })
      },
    )
    await delivered(2 * posts)
    return posts
  }
}

/** Reads of a post with a token. */
async function reading(deps: Deps, owner: Member): Promise<Work> {
  const posts = await createMany(READ_POSTS, (index) => createPost(deps, owner, { content: `Post number ${index}` }))
  const call = await callerOf(deps, owner, 'posts:read')
  return (nodes, reads) =>
    callInLoops(
      CONCURRENCY,
      (begun) => begun >= reads,
      (index) => call(nodes, index, { method: 'GET', path: `/api/v1/public/posts/${posts[index % READ_POSTS]?.id}` }),
    )
}

/** Deliveries of one KB that are due at the same time, to 100 endpoints. */
function delivering(setup: WebhookSetup, delivered: (count: number) => Promise<void>): Work {
  return async (_nodes, deliveries, begin) => {
    await setup.receivers.count()
    const due = Date.now() + QUEUE_MS
    await fillQueue(
      setup,
      deliveries,
      `insert into delivery (webhook_id, event_id, type, run_at)
        select webhook.id, made.id, 'post.created', '${new Date(due).toISOString()}'
        from made join webhook on team_id = workspace_id`,
    )
    if (Date.now() > due) throw new Error('the deliveries were due before all of them were queued')
    await sleep(due - Date.now())
    await begin()
    await delivered(deliveries)
    return deliveries
  }
}

/** Calls of a model that agents make for drafts. */
async function running(deps: Deps, newWorkspace: (name: string) => Promise<Member>): Promise<Work> {
  const { url } = await startServer('fixtures/chat-model.ts', {})
  const calls = async () => ((await (await fetch(`${url}/calls`)).json()) as { calls: number }).calls
  const first = await newWorkspace('Agents 0')
  const model = {
    provider: 'custom',
    model_key: 'bench',
    name: 'Bench',
    api_params: { base_url: `${url}/v1` },
  } as const
  await createModel(deps, first, model)
  const agents: { owner: Member; id: string }[] = []
  for (let index = 0; index < AGENTS; index++) {
    const owner = index === 0 ? first : await newWorkspace(`Agents ${index}`)
    const { id: account_id } = await connectAccount(deps, owner, { network: 'playground' })
    const { id } = await createAgent(deps, owner, {
      name: 'Bench',
      system_prompt: 'Write about something else each time.',
      posts_per_run: POSTS_PER_RUN,
      daily_limit: 50,
      autonomy_level: 'draft',
      account_ids: [account_id],
    })
    agents.push({ owner, id })
  }
  return async (_nodes, steps) => {
    const before = await calls()
    for (let wanted = 0; wanted < steps; wanted += AGENTS * POSTS_PER_RUN) {
      await deps.pool.query('delete from agent_day')
      for (const { owner, id } of agents.slice(0, Math.ceil((steps - wanted) / POSTS_PER_RUN)))
        await startRun(deps, owner, id)
      await waitUntil(
        async () =>
          (await deps.pool.query(`select from agent_run where status in ('queued', 'running') limit 1`)).rowCount === 0,
        () => 'the agents end their runs',
        { every: 100, seconds: 300 },
      )
    }
    const { rows } = await deps.pool.query<{ reason: string }>(
      `select reason from agent_run where status <> 'completed' limit 1`,
    )
    if (rows[0]) throw new Error(`A run of an agent was not completed: ${rows[0].reason}`)
    return (await calls()) - before
  }
}

type Call = { method: 'GET' | 'POST'; path: string; body?: object }

/** Returns a function that calls one node after the other with a token of this scope. */
async function callerOf(deps: Deps, owner: Member, scope: 'posts:read' | 'posts:write') {
  const { token } = await createToken(deps, owner, { name: 'Bench', scopes: [scope] })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async (nodes: readonly Node[], index: number, { method, path, body }: Call) => {
    const node = nodes[index % nodes.length]
    if (!node) throw new Error('there is no node')
    const response = await node.http.request({ method, path, headers, body: body ? JSON.stringify(body) : null })
    const text = await response.body.text()
    if (response.statusCode >= 300) throw new Error(`${method} ${path} failed with ${response.statusCode}: ${text}`)
  }
}
