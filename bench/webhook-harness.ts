import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type ConnectionConfig, inTransaction } from '../server/lib/db/database.ts'
import type { Deps } from '../server/lib/deps.ts'
import { emit, envelopeAfterId } from '../server/lib/events/emit.ts'
import type { Member } from '../server/lib/http/access.ts'
import { doneBy } from '../server/modules/auth/event-actor.ts'
import { createPost } from '../server/modules/posts/authoring/create-and-change.ts'
import { postEvents } from '../server/modules/posts/record/posts.events.ts'
import { createWebhook } from '../server/modules/webhooks/webhooks.ts'
import { createWorkspace } from '../server/modules/workspaces/workspaces.ts'
import { callAtRate, waitUntil } from './harness.ts'
import { CLI, createOwner, runLongStatement, serverSettings, withDeps } from './meydan.ts'
import { startPostgres, startProcess, startServer } from './processes.ts'

/** The number of endpoints that the claims are made for. Each event goes to the five of its workspace. */
export const ENDPOINTS = 100
const WORKSPACES = 20
const BODY_BYTES = 1024
/** The length of a post whose event is about one KB. */
export const CONTENT_LENGTH = 400
export const DELIVERIES_PER_EVENT = ENDPOINTS / WORKSPACES

export const SETTINGS = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }

export type WebhookSetup = { connection: ConnectionConfig; deps: Deps; owners: Member[]; receivers: Receivers }
type Receivers = Awaited<ReturnType<typeof startReceivers>>

/** Runs `work` with a database whose webhooks point to local receivers. No worker runs yet. `settings`: of PostgreSQL. */
export async function withWebhooks<T>(
  work: (setup: WebhookSetup) => Promise<T>,
  settings: Record<string, string> = {},
) {
  const connection = await startPostgres(settings)
  const receivers = await startReceivers()
  return withDeps(
    connection,
    async (deps) => work({ connection, deps, receivers, owners: await createWebhooks(deps, receivers.urls) }),
    SETTINGS,
  )
}

/** Starts a node with ROLE=worker. */
export const startWorker = (connection: ConnectionConfig, settings: Record<string, string> = {}) =>
  startProcess(
    CLI,
    { ...serverSettings(connection), ...SETTINGS, ROLE: 'worker', HEALTH_PORT: '0', ...settings },
    ['serve'],
    (log) => log.includes('ready to work'),
  )

type Report = { received: number; p50: number; p99: number }

/** Starts the receivers of `fixtures/webhook-receivers.ts` in their own process. */
async function startReceivers() {
  const { url } = await startServer('fixtures/webhook-receivers.ts', { ENDPOINTS: String(ENDPOINTS) })
  const call = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json()
  const ports = (await call('/ports')) as number[]
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}/webhook`),
    /** Resets the count, and counts what the endpoints from this one on receive. */
    count: (from = 0) => call(`/count?from=${from}`),
    /** Does the same, and measures the time from the timestamp in each body to its arrival. */
    time: (from = 0) => call(`/count?timed&from=${from}`),
    report: async () => (await call('/report')) as Report,
    /** Leaves requests to the first `endpoints` endpoints without a response, until the next call. */
    hang: (endpoints: number) => call(`/hang?below=${endpoints}`),
  }
}

/** Creates a webhook for each URL, spread evenly over the workspaces. Returns the owner of each workspace. */
export async function createWebhooks(deps: Deps, urls: string[]) {
  const owner = await createOwner(deps)
  const owners = [owner]
  while (owners.length < WORKSPACES) {
    const { id } = await createWorkspace(deps.db, owner, { name: `Bench ${owners.length}` })
    owners.push({ ...owner, workspace_id: id })
  }
  for (const [index, url] of urls.entries())
    await createWebhook(deps, owners[index % WORKSPACES] ?? owner, { url, events: ['*'] })
  return owners
}

/** The part of a body of one KB that follows the id of the event. */
export function bodyAfterId(workspace_id: string) {
  const envelope = (content: string) =>
    envelopeAfterId({ type: 'post.created', workspace_id, at: new Date(), data: JSON.stringify({ post: { content } }) })
  return envelope('x'.repeat(BODY_BYTES - '{"id":"'.length - 36 - envelope('').length))
}

const insertDeliveries = `insert into delivery (webhook_id, event_id, type, run_at)
  select webhook.id, made.id, 'post.created', made.created_at from made join webhook on team_id = workspace_id`

/** Inserts events and, for each webhook of their workspaces, a delivery that is due now. */
export async function fillQueue(
  { deps: { pool }, owners }: Pick<WebhookSetup, 'deps' | 'owners'>,
  deliveries: number,
  insert = insertDeliveries,
) {
  await runLongStatement(
    pool,
    `with made as (
      insert into event (id, workspace_id, type, payload, created_at)
      select id, ($1::uuid[])[place], 'post.created', '{"id":"' || id || ($2::text[])[place], clock_timestamp()
      from (select uuidv7() as id, 1 + n % cardinality($1::uuid[]) as place from generate_series(1, $3::int) as n) as fresh
      returning id, workspace_id, created_at
    ) ${insert}`,
    [
      owners.map(({ workspace_id }) => workspace_id),
      owners.map(({ workspace_id }) => bodyAfterId(workspace_id)),
      deliveries / DELIVERIES_PER_EVENT,
    ],
  )
  await runLongStatement(pool, 'analyze event, delivery')
}

/** Truncates this table alone: it waits for running writes, and together with other tables it could deadlock. */
const emptyQueue = ({ deps: { pool } }: WebhookSetup) => pool.query('truncate delivery')

async function count(pool: pg.Pool, from: string) {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${from}`)
  return rows[0]?.count ?? 0
}

/** Deliveries queued for each second: more than any side delivers. */
const QUEUED_PER_SECOND = 30_000
const RAMP_UP_SECONDS = 1

type Queue = {
  fill: (setup: WebhookSetup, deliveries: number) => Promise<unknown>
  empty: (setup: WebhookSetup) => Promise<unknown>
}

/**
 * Deliveries a second to the endpoints from `from` on while the queue never empties, without the ramp-up. Counts what
 * arrived or what was recorded as delivered, whichever is less.
 */
export async function deliveriesPerSecond(
  setup: WebhookSetup,
  seconds: number,
  { from = 0, fill = fillQueue, empty = emptyQueue }: Partial<Queue> & { from?: number } = {},
) {
  const { deps, receivers } = setup
  const state = async () => [await count(deps.pool, 'attempt where ok'), (await receivers.report()).received] as const
  await receivers.count(from)
  const amount = QUEUED_PER_SECOND * (seconds + RAMP_UP_SECONDS)
  await fill(setup, amount)
  await waitUntil(
    async () => (await receivers.report()).received > 0,
    () => 'a delivery arrives',
  )
  await sleep(RAMP_UP_SECONDS * 1000)
  const start = performance.now()
  const [recordedBefore, receivedBefore] = await state()
  await sleep(seconds * 1000)
  const [recorded, received] = await state()
  const elapsed = (performance.now() - start) / 1000
  if (received > 0.9 * amount) throw new Error(`${amount} deliveries were too few to keep the queue filled`)
  await empty(setup)
  await waitUntilQuiet(setup)
  await deps.pool.query('truncate attempt, event')
  return Math.min(recorded - recordedBefore, received - receivedBefore) / elapsed
}

/** Waits until no delivery has arrived for half a second. */
async function waitUntilQuiet({ receivers }: WebhookSetup) {
  let before = -1
  await waitUntil(
    async () => {
      const { received } = await receivers.report()
      const isQuiet = received === before
      before = received
      return isQuiet
    },
    () => 'the last delivery arrives',
    { every: 500, seconds: 120 },
  )
}

/** Returns a function that commits an event of one KB, in each of the workspaces in turn. */
export async function createEmitter({ deps, owners: [first, ...more] }: WebhookSetup) {
  if (!first) throw new Error('there is no workspace')
  const data = { post: await createPost(deps, first, { content: 'x'.repeat(CONTENT_LENGTH) }), by: doneBy(first) }
  return (index: number) => {
    const { workspace_id } = [first, ...more][index % WORKSPACES] ?? first
    return inTransaction(deps.db, (tx) => emit(tx, postEvents['post.created'], workspace_id, data, new Date()))
  }
}

/** Emits events at an even rate that makes `deliveries` a second fall due. */
export const emitAtRate = async (setup: WebhookSetup, deliveries: number, seconds: number) =>
  callAtRate(deliveries / DELIVERIES_PER_EVENT, seconds, await createEmitter(setup))

/** Measures the time from an event to its deliveries to the endpoints from `from` on, while `cause` creates events. */
export async function deliveryDelays(
  setup: WebhookSetup,
  cause: (seconds: number) => Promise<unknown>,
  seconds: number,
  from = 0,
) {
  await cause(1)
  await setup.receivers.time(from)
  await cause(seconds)
  await waitUntilQuiet(setup)
  const report = await setup.receivers.report()
  await emptyQueue(setup)
  await setup.deps.pool.query('truncate attempt, event')
  return report
}
