import { request } from 'undici'
import { signedHeaders } from '../server/lib/crypto/webhook-signature.ts'
import {
  endpointColumns,
  openSecrets,
  type SealedWebhook,
} from '../server/modules/webhooks/delivery/sending/secrets.ts'
import { atLeast, type Bench, type Claim, callsPerSecond, compareWithBaseline } from './harness.ts'
import { serverSettings } from './meydan.ts'
import { startServer } from './processes.ts'
import {
  bodyAfterId,
  deliveriesPerSecond,
  fillQueue,
  startWorker,
  type WebhookSetup,
  withWebhooks,
} from './webhook-harness.ts'

const MIN_RATIO_TO_JOB_LIBRARY = 1.5
/** Concurrent requests of the HTTP client alone. More of them are slower. */
const CONCURRENCY = 64

/** Compares deliveries a second with the HTTP client alone, and with a job library that runs one job per delivery. */
export const claim: Claim = {
  name: 'webhook-throughput',
  target: atLeast(0.5),
  measure: (bench) =>
    withWebhooks(async (setup) => {
      await startWorker(setup.connection)
      return [await compareWithClient(bench, setup), await compareWithJobLibrary(bench, setup)]
    }),
}

const common = (setup: WebhookSetup) => ({
  unit: 'deliveries/s',
  rounds: 5,
  seconds: 5,
  value: (seconds: number) => deliveriesPerSecond(setup, seconds),
})

const compareWithClient = async (bench: Bench, setup: WebhookSetup) =>
  compareWithBaseline(bench, { ...common(setup), baseline: await httpClient(setup) })

/** undici with the same agent and signer. All endpoints are in memory, responses are read, and nothing is recorded. */
async function httpClient({ deps, owners }: WebhookSetup) {
  const rows: (SealedWebhook & { team_id: string })[] = await deps.db
    .selectFrom('webhook')
    .select([...endpointColumns, 'team_id'])
    .execute()
  const endpoints = rows.map((row) => ({
    endpoint: openSecrets(deps.keyring, row),
    afterId: bodyAfterId(row.team_id),
  }))
  const id = owners[0]?.workspace_id ?? ''
  return callsPerSecond(CONCURRENCY, async (index) => {
    const next = endpoints[index % endpoints.length]
    if (!next) throw new Error('there is no endpoint')
    const body = `{"id":"${id}${next.afterId}`
    const { url, headers } = next.endpoint
    const response = await request(url, {
      method: 'POST',
      headers: { ...headers, ...signedHeaders(next.endpoint, id, body, new Date()) },
      body,
      dispatcher: deps.dispatcher,
    })
    await response.body.dump()
    if (response.statusCode !== 200) throw new Error(`an endpoint responded with ${response.statusCode}`)
  })
}

/** The same deliveries as jobs of `baselines/job-library.ts`. */
const jobQueue = {
  fill: (setup: WebhookSetup, deliveries: number) =>
    fillQueue(
      setup,
      deliveries,
      `select count(*) from jobs.add_jobs((
        select array_agg(('deliver', json_build_object('event_id', made.id, 'webhook_id', webhook.id),
          null, null, null, null, null, null)::jobs.job_spec)
        from made join webhook on team_id = workspace_id
      ))`,
    ),
  empty: ({ deps: { pool } }: WebhookSetup) => pool.query('truncate jobs._private_jobs'),
}

async function compareWithJobLibrary(bench: Bench, setup: WebhookSetup) {
  await startServer('baselines/job-library.ts', {
    ...serverSettings(setup.connection),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  })
  const measurement = await compareWithBaseline(bench, {
    ...common(setup),
    baseline: (seconds) => deliveriesPerSecond(setup, seconds, jobQueue),
  })
  const target = atLeast(MIN_RATIO_TO_JOB_LIBRARY, `≥ ${MIN_RATIO_TO_JOB_LIBRARY} times`)
  return { ...measurement, part: 'vs job library', target }
}
