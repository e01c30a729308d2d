import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Deps } from '../server/deps.ts'
import { doneBy, emit, envelopeAfterId } from '../server/events.ts'
import type { Member } from '../server/lib/access.ts'
import { type ConnectionConfig, inTransaction } from '../server/lib/database.ts'
import { createPost } from '../server/modules/posts/posts.ts'
import { createWebhook } from '../server/modules/webhooks/webhooks.ts'
import { createWorkspace } from '../server/modules/workspaces/workspaces.ts'
import { startPostgres, startProcess, startServer } from './harness.ts'
import { inMeydan, newOwner, serverSettings } from './meydan.ts'

/** As many as Meydan is promised for. Each event goes to the five of its workspace. */
export const ENDPOINTS = 100
const WORKSPACES = 20
const BODY_BYTES = 1024
/** As long as makes the event of a post about one KB. */
export const CONTENT = 400
export const FAN_OUT = ENDPOINTS / WORKSPACES

export const SETTINGS = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }

export type World = { connection: ConnectionConfig; deps: Deps; owners: Member[]; sink: Sink }
type Sink = Awaited<ReturnType<typeof startSink>>

/** A Meydan without a worker, whose webhooks lead to a sink. */
export async function inWorld<T>(work: (world: World) => Promise<T>) {
  const connection = await startPostgres()
  const sink = await startSink()
  const settle = async (deps: Deps) => work({ connection, deps, sink, owners: await subscribe(deps, sink.urls) })
  return inMeydan(connection, settle, SETTINGS)
}

/** The process that a node of ROLE=worker is. */
export const startWorker = (connection: ConnectionConfig, settings: Record<string, string> = {}) =>
  startProcess(
    new URL('../server/cli.ts', import.meta.url),
    { ...serverSettings(connection), ...SETTINGS, ROLE: 'worker', ...settings },
    ['serve'],
    (said) => said.includes('ready to work'),
  )

type Report = { received: number; p50: number; p99: number }

/** What stands for the receivers, in a process of its own: `floors/sink.ts`. */
async function startSink() {
  const { url } = await startServer(new URL('floors/sink.ts', import.meta.url), { ENDPOINTS: String(ENDPOINTS) })
  const call = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json()
  const ports = (await call('/ports')) as number[]
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}/webhook`),
    /** Counts anew, what comes to the endpoints from this one on. */
    count: (from = 0) => call(`/count?from=${from}`),
    /** The same, and how long after the timestamp in its body each came. */
    time: (from = 0) => call(`/count?timed&from=${from}`),
    report: async () => (await call('/report')) as Report,
    /** Leaves the calls to so many endpoints without an answer, until it is called again. */
    hang: (endpoints: number) => call(`/hang?below=${endpoints}`),
  }
}

/** Webhooks for all these addresses, dealt out to the workspaces. Answers who owns each workspace. */
export async function subscribe(deps: Deps, urls: string[]) {
  const owner = await newOwner(deps)
  const owners = [owner]
  while (owners.length < WORKSPACES) {
    const { id } = await createWorkspace(deps.db, owner, { name: `Bench ${owners.length}` })
    owners.push({ ...owner, workspace_id: id })
  }
  for (const [index, url] of urls.entries())
    await createWebhook(deps, owners[index % WORKSPACES] ?? owner, { url, events: ['*'] })
  return owners
}

/** What follows the id in a body of one KB. */
export function rest(workspace_id: string) {
  const envelope = (content: string) =>
    envelopeAfterId({ type: 'post.created', workspace_id, at: new Date(), data: JSON.stringify({ post: { content } }) })
  return envelope('x'.repeat(BODY_BYTES - '{"id":"'.length - 36 - envelope('').length))
}

const asDeliveries = `insert into delivery (webhook_id, event_id, type, run_at)
  select webhook.id, made.id, 'post.created', made.created_at from made join webhook on team_id = workspace_id`

/** Events that are due at once, with a delivery to each webhook of their workspaces, in one transaction. */
export async function fillQueue(
  { deps: { pool }, owners }: Pick<World, 'deps' | 'owners'>,
  deliveries: number,
  as = asDeliveries,
) {
  const client = await pool.connect()
  // What a client may wait for is no measure for so many rows.
  await client.query('set statement_timeout = 0')
  await client.query(
    `with made as (
      insert into event (id, workspace_id, type, payload, created_at)
      select id, ($1::uuid[])[place], 'post.created', '{"id":"' || id || ($2::text[])[place], clock_timestamp()
      from (select uuidv7() as id, 1 + n % cardinality($1::uuid[]) as place from generate_series(1, $3::int) as n) as fresh
      returning id, workspace_id, created_at
    ) ${as}`,
    [
      owners.map(({ workspace_id }) => workspace_id),
      owners.map(({ workspace_id }) => rest(workspace_id)),
      deliveries / FAN_OUT,
    ],
  )
  await client.query('analyze event, delivery')
  client.release(true)
}

/** Alone, so that it waits for what is being written and nothing waits for it in turn. */
const emptyQueue = ({ deps: { pool } }: World) => pool.query('truncate delivery')

export async function count(pool: pg.Pool, from: string) {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${from}`)
  return rows[0]?.count ?? 0
}

/** More deliveries a second than any side gets done here. */
const PLENTY = 30_000
const RAMP_S = 1

type Queue = {
  fill: (world: World, deliveries: number) => Promise<unknown>
  empty: (world: World) => Promise<unknown>
}

/**
 * Deliveries a second to the endpoints from `from` on while there is more to do than can be done, without the ramp:
 * those that arrived, of these no more than are written down as delivered.
 */
export async function drain(
  world: World,
  seconds: number,
  { from = 0, fill = fillQueue, empty = emptyQueue }: Partial<Queue> & { from?: number } = {},
) {
  const { deps, sink } = world
  const state = async () => [await count(deps.pool, 'attempt where ok'), (await sink.report()).received] as const
  await sink.count(from)
  const amount = PLENTY * (seconds + RAMP_S)
  await fill(world, amount)
  while ((await sink.report()).received === 0) await sleep(10)
  await sleep(RAMP_S * 1000)
  const begun = performance.now()
  const [written, received] = await state()
  await sleep(seconds * 1000)
  const [writtenThen, receivedThen] = await state()
  const took = (performance.now() - begun) / 1000
  if (receivedThen > 0.9 * amount) throw new Error(`${amount} deliveries were too few to keep it busy`)
  await empty(world)
  await quiet(world)
  await deps.pool.query('truncate attempt, event')
  return Math.min(writtenThen - written, receivedThen - received) / took
}

/** Waits until nothing arrives any more. */
export async function quiet({ sink }: World) {
  for (let before = -1; ; ) {
    const { received } = await sink.report()
    if (received === before) return
    before = received
    await sleep(500)
  }
}

/** Begins one `act` after the other at an even rate, whether or not the ones before have ended. */
export async function steadily(rate: number, seconds: number, act: (n: number) => Promise<unknown>) {
  const begun = performance.now()
  const acts: Promise<unknown>[] = []
  while (acts.length < rate * seconds) {
    const due = Math.min(rate * seconds, ((performance.now() - begun) / 1000) * rate)
    while (acts.length < due) acts.push(act(acts.length))
    await sleep(2)
  }
  await Promise.all(acts)
}

/** Commits an event of one KB in each of the workspaces in turn. */
export async function emitter({ deps, owners: [first, ...more] }: World) {
  if (!first) throw new Error('there is no workspace')
  const data = { post: await createPost(deps, first, { content: 'x'.repeat(CONTENT) }), by: doneBy(first) }
  return (n: number) => {
    const { workspace_id } = [first, ...more][n % WORKSPACES] ?? first
    return inTransaction(deps.db, (tx) => emit(tx, 'post.created', workspace_id, data, new Date()))
  }
}

/** The same at an even rate, so that so many deliveries a second fall due. */
export const emitSteadily = async (world: World, deliveries: number, seconds: number) =>
  steadily(deliveries / FAN_OUT, seconds, await emitter(world))

/** How long after what caused them deliveries come to the endpoints from `from` on, while `cause` causes some. */
export async function delays(world: World, cause: (seconds: number) => Promise<unknown>, seconds: number, from = 0) {
  await cause(1)
  await world.sink.time(from)
  await cause(seconds)
  await quiet(world)
  const report = await world.sink.report()
  await emptyQueue(world)
  await world.deps.pool.query('truncate attempt, event')
  return report
}
