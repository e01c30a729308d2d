import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Claim, callInLoops, type Measurement, median } from './harness.ts'
import { serverSettings, startMeydan, withDeps } from './meydan.ts'
import { startPostgres } from './processes.ts'

const SAMPLES = 1000
const LOW = 0.45
const HIGH = 0.55

type Endpoint = {
  part: string
  path: string
  body: (email: string) => object
  /** Which accounts its response could reveal. */
  known: (index: number) => string
  status: number
  /** Simultaneous requests: responses that wait for a fixed time leave the server idle. */
  concurrency: number
}

const verified = (index: number) => `verified${index}@example.com`
const unverified = (index: number) => `unverified${index}@example.com`
const unknown = () => `${randomBytes(6).toString('hex')}@example.com`

const signUp = {
  path: 'sign-up/email',
  body: (email: string) => ({ email, name: 'Ada', password: 'correct horse battery' }),
  status: 200,
  concurrency: 1,
}

const endpoints: Endpoint[] = [
  { part: 'sign up', ...signUp, known: verified },
  { part: 'sign up again', ...signUp, known: unverified },
  {
    part: 'request a reset',
    path: 'request-password-reset',
    body: (email) => ({ email }),
    known: verified,
    status: 200,
    concurrency: 1,
  },
  {
    part: 'request a code',
    path: 'email-otp/send-verification-otp',
    body: (email) => ({ email, type: 'email-verification' }),
    known: unverified,
    status: 200,
    concurrency: 1,
  },
  {
    part: 'guess a code',
    path: 'email-otp/verify-email',
    body: (email) => ({ email, otp: '000000' }),
    known: unverified,
    status: 400,
    concurrency: 4,
  },
]

/**
 * Shows that response times do not reveal who has an account: the probability that a response about an address with one
 * takes longer than a response about another (Mann-Whitney AUC). 0.5 reveals nothing.
 */
export const claim: Claim = {
  name: 'account-timing',
  target: { text: `AUC ${LOW}–${HIGH}`, isMet: (auc) => auc >= LOW && auc <= HIGH },
  measure: async ({ quick, log }) => {
    const connection = await startPostgres()
    const samples = quick ? SAMPLES / 10 : SAMPLES
    await withDeps(connection, ({ db }) =>
      // The second of each pair has a pending code, as after a sign-up.
      sql`with people as (
        insert into "user" (email, name, email_verified)
        select kind || n || '@example.com', 'Ada', kind = 'verified'
        from generate_series(0, ${samples - 1}::int) n, unnest(array['verified', 'unverified']) kind
        returning email, email_verified
      )
      insert into verification (identifier, value, expires_at)
      select 'email-verification-otp-' || email, md5(email) || ':0', now() + interval '1 h'
      from people where not email_verified`.execute(db),
    )
    const { url } = await startMeydan({ ...serverSettings(connection), ROLE: 'all', RATE_LIMIT_AUTH: '0' })
    const results: Measurement[] = []
    for (const endpoint of endpoints) {
      log(`measuring ${endpoint.part}`)
      results.push(await measureEndpoint(url, endpoint, samples))
    }
    return results
  },
}

async function measureEndpoint(
  url: string,
  { part, path, body, known, status, concurrency }: Endpoint,
  samples: number,
) {
  const time = async (email: string) => {
    const start = performance.now()
    const response = await fetch(`${url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body(email)),
    })
    await response.text()
    if (response.status !== status) throw new Error(`${path} responded with ${response.status}`)
    return performance.now() - start
  }
  for (let call = 0; call < 50; call++) await time(unknown())
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
  // In random order, because the mail of a request can delay the next one, whichever address that is about.
  const turns = Array.from({ length: samples }, (_, index) => index)
    .flatMap((index) => [
      async () => times.known.push(await time(known(index))),
      async () => times.unknown.push(await time(unknown())),
    ])
    .map((turn) => ({ turn, order: Math.random() }))
    .sort((first, second) => first.order - second.order)
  await callInLoops(
    concurrency,
    (begun) => begun >= turns.length,
    async (index) => turns[index]?.turn(),
  )
  const auc = probabilityOfGreater(times.known, times.unknown)
  const margin = 1.96 * Math.sqrt((2 * samples + 1) / (12 * samples * samples))
  return {
    part,
    value: median(times.known),
    baseline: median(times.unknown),
    unit: 'ms',
    ratio: auc,
    spread: [auc - margin, auc + margin] as [number, number],
  }
}

/** The part of all pairs in which the first value is greater; equal values count half. */
function probabilityOfGreater(first: readonly number[], second: readonly number[]) {
  let greater = 0
  for (const one of first) for (const other of second) greater += one > other ? 1 : one === other ? 0.5 : 0
  return greater / (first.length * second.length)
}
