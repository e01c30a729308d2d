import { apiKey } from '@better-auth/api-key'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import pg from 'pg'
import type { ConnectionConfig } from '../server/lib/database.ts'
import { atEnd, type Bench, type Claim, type Measured, sideBySide } from './harness.ts'
import { inMeydan } from './meydan.ts'
import { againstOpen, CONNECTIONS, startVerifier } from './verify.ts'

const WANTED = 0.8
const TIMES = 10

/** What the check of a token costs: in a whole HTTP request, and against the plugin that sign-in's library has for it. */
export const claim: Claim = {
  name: 'token-verify',
  wanted: `ratio ≥ ${WANTED.toFixed(2)}`,
  holds: ({ ratio, part }) => ratio >= (part ? TIMES : WANTED),
  measure: async (bench) => {
    const { connection, url, token } = await startVerifier()
    const inRequest = await againstOpen(bench, url, '/api/v1/public/closed', { authorization: `Bearer ${token}` })
    return [inRequest, await againstPlugin(bench, connection, token)]
  },
}

/** Verifications a second by as many callers at once as the requests came from, without HTTP. */
const verifications = (verify: () => Promise<unknown>) => async (seconds: number) => {
  const end = performance.now() + seconds * 1000
  const work = async () => {
    let done = 0
    for (; performance.now() < end; done++) if (!(await verify())) throw new Error('the credentials were refused')
    return done
  }
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, work))
  return counts.reduce((sum, count) => sum + count, 0) / seconds
}

async function againstPlugin({ quick, say }: Bench, connection: ConnectionConfig, token: string): Promise<Measured> {
  const plugin = await startPlugin(connection)
  return inMeydan(connection, async (deps) => {
    await deps.pulse.started
    const measured = await sideBySide({
      rounds: quick ? 4 : 10,
      seconds: quick ? 1 : 2,
      // A cached row answers without ever giving way to anything else; here it must not starve the pulse.
      value: verifications(async () => {
        const identity = await deps.authenticator.byToken(token)
        await new Promise(setImmediate)
        return identity
      }),
      floor: verifications(async () => (await plugin.api.verifyApiKey({ body: { key: plugin.key } })).valid),
      say,
    })
    return { ...measured, unit: 'checks/s', part: 'vs api-key plugin', wanted: `≥ ${TIMES} times` }
  })
}

/** The api-key plugin of better-auth as its documentation sets it up, in a database of its own on the same server. */
async function startPlugin(connection: ConnectionConfig) {
  const admin = new pg.Client(connection)
  await admin.connect()
  await admin.query('create database plugin')
  await admin.end()
  const pool = new pg.Pool({ ...connection, database: 'plugin', max: 20 })
  atEnd(() => pool.end())
  const options = {
    baseURL: 'http://localhost',
    secret: 'a secret key for benches, long enough',
    database: pool,
    telemetry: { enabled: false },
    emailAndPassword: { enabled: true },
    plugins: [apiKey({ rateLimit: { enabled: false } })],
  }
  await (await getMigrations(options)).runMigrations()
  const { api } = betterAuth(options)
  const { user } = await api.signUpEmail({ body: { email: 'b@example.com', password: 'correct horse', name: 'Bench' } })
  const { key } = await api.createApiKey({ body: { userId: user.id } })
  return { api, key }
}
