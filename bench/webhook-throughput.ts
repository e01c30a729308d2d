import { request } from 'undici'
import { openSecrets, type SealedWebhook, sealedColumns } from '../server/modules/webhooks/secrets.ts'
import { signedHeaders } from '../server/modules/webhooks/signature.ts'
import { type Bench, type Claim, type Measured, sideBySide, startServer } from './harness.ts'
import { serverSettings } from './meydan.ts'
import { drain, fillQueue, inWorld, rest, startWorker, type World } from './webhooks.ts'

const WANTED = 0.5
const TIMES = 1.5
/** Requests at a time of the client alone: with more of them it is slower. */
const CONCURRENCY = 64

/** Durable deliveries a second, against what the HTTP client does alone, and against a job library with a job for each. */
export const claim: Claim = {
  name: 'webhook-throughput',
  wanted: `ratio ≥ ${WANTED.toFixed(2)}`,
  holds: ({ ratio, part }) => ratio >= (part ? TIMES : WANTED),
  measure: (bench) =>
    inWorld(async (world) => {
      await startWorker(world.connection)
      return [await againstClient(bench, world), await againstJobs(bench, world)]
    }),
}

const rounds = ({ quick, say }: Bench) => ({ rounds: quick ? 2 : 5, seconds: quick ? 2 : 5, say })

async function againstClient(bench: Bench, world: World): Promise<Measured> {
  const send = await client(world)
  const measured = await sideBySide({ ...rounds(bench), value: (seconds) => drain(world, seconds), floor: send })
  return { ...measured, unit: 'deliveries/s' }
}

/** What undici does with the same agent and signer: everything that is sent is in memory, answers are read, nothing is written down. */
async function client({ deps, owners }: World) {
  const rows: (SealedWebhook & { team_id: string })[] = await deps.db
    .selectFrom('webhook')
    .select([...sealedColumns, 'team_id'])
    .execute()
  const endpoints = rows.map((row) => ({ endpoint: openSecrets(deps.keyring, row), rest: rest(row.team_id) }))
  const id = owners[0]?.workspace_id ?? ''
  let sent = 0
  const work = async (end: number) => {
    while (performance.now() < end) {
      const next = endpoints[sent++ % endpoints.length]
      if (!next) throw new Error('there is no endpoint')
      const body = `{"id":"${id}${next.rest}`
      const { url, headers } = next.endpoint
      const answer = await request(url, {
        method: 'POST',
        headers: { ...headers, ...signedHeaders(next.endpoint, id, body, new Date()) },
        body,
        dispatcher: deps.dispatcher,
      })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`a request was answered with ${answer.statusCode}`)
    }
  }
  return async (seconds: number) => {
    sent = 0
    const begun = performance.now()
    await Promise.all(Array.from({ length: CONCURRENCY }, () => work(begun + seconds * 1000)))
    return (sent * 1000) / (performance.now() - begun)
  }
}

/** The same deliveries as jobs of `floors/jobs.ts`. */
const jobs = {
  fill: (world: World, deliveries: number) =>
    fillQueue(
      world,
      deliveries,
      `select count(*) from jobs.add_jobs((
        select array_agg(('deliver', json_build_object('event_id', made.id, 'webhook_id', webhook.id),
          null, null, null, null, null, null)::jobs.job_spec)
        from made join webhook on team_id = workspace_id
      ))`,
    ),
  empty: ({ deps: { pool } }: World) => pool.query('truncate jobs._private_jobs'),
}

async function againstJobs(bench: Bench, world: World): Promise<Measured> {
  const { connection } = world
  await startServer(new URL('floors/jobs.ts', import.meta.url), {
    ...serverSettings(connection),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  })
  const measured = await sideBySide({
    ...rounds(bench),
    value: (seconds) => drain(world, seconds),
    floor: (seconds) => drain(world, seconds, jobs),
    say: bench.say,
  })
  return { ...measured, unit: 'deliveries/s', part: 'vs job library', wanted: `≥ ${TIMES} times` }
}
