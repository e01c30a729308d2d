import { createServer } from 'node:http'
import { run } from 'graphile-worker'
import { readConfig } from '../../server/config/config.ts'
import { createDeps } from '../../server/deps.ts'
import { graphileLogger } from '../../server/lib/runtime/jobs.ts'
import {
  type Endpoint,
  openSecrets,
  type SealedWebhook,
} from '../../server/modules/webhooks/delivery/sending/secrets.ts'
import { sendSigned } from '../../server/modules/webhooks/delivery/sending/send.ts'

// Deliveries on a job library: one job each, in batches as far as the library supports them. It has no queue for each
// endpoint, no leases and no circuit breaker.
const config = readConfig(process.env)
const deps = await createDeps(config, { connectionString: config.DATABASE_URL })
const { pool } = deps

/** The fastest setting here. */
const CONCURRENCY = 200

const endpoints = new Map<string, Endpoint>()

async function deliver(payload: unknown) {
  const { event_id, webhook_id } = payload as { event_id: string; webhook_id: string }
  const { rows } = await pool.query<SealedWebhook & { type: string; payload: string }>(
    `select webhook.id, url, headers, secret, previous_secret, previous_secret_expires_at, event.type, event.payload
    from webhook, event where webhook.id = $1 and event.id = $2`,
    [webhook_id, event_id],
  )
  const [row] = rows
  if (!row) return
  const endpoint = endpoints.get(row.secret) ?? openSecrets(deps.keyring, row)
  endpoints.set(row.secret, endpoint)
  const { ok, status, duration_ms, response, error } = await sendSigned(deps, { endpoint, event_id, body: row.payload })
  await pool.query(
    `insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, status, duration_ms, response, error)
    values ($1, uuidv7(), 1, $2, $3, 'schedule', $4, $5, $5, $6, $7, $8, $9)`,
    [webhook_id, event_id, row.type, deps.clock.now(), ok, status, duration_ms, response, error],
  )
  if (!ok) throw new Error(error ?? `the endpoint responded with ${status}`)
}

const runner = await run({
  pgPool: deps.workerDatabase.pool,
  schema: 'jobs',
  taskList: { deliver },
  noHandleSignals: true,
  logger: graphileLogger(deps.log),
  preset: {
    worker: {
      concurrentJobs: CONCURRENCY,
      pollInterval: 250,
      localQueue: { size: 4 * CONCURRENCY },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  },
})
createServer((_, response) => response.end()).listen(config.PORT, '127.0.0.1')
process.once('SIGTERM', () => void runner.stop().finally(() => process.exit(0)))
