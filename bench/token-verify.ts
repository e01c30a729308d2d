import { apiKey } from '@better-auth/api-key'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import pg from 'pg'
import type { ConnectionConfig } from '../server/lib/db/database.ts'
import { atLeast, type Bench, type Claim, callsPerSecond, compareWithBaseline } from './harness.ts'
import { withDeps } from './meydan.ts'
import { createDatabase, onCleanUp } from './processes.ts'
import { CONNECTIONS, compareWithOpenRoute, startProtectedRoute } from './protected-route.ts'

const MIN_RATIO_TO_PLUGIN = 10

/** Measures the cost of checking a token: in an HTTP request, and compared with better-auth's api-key plugin. */
export const claim: Claim = {
  name: 'token-verify',
  target: atLeast(0.8),
  measure: async (bench) => {
    const { connection, url, owners } = await startProtectedRoute()
    const credentials = owners.map(({ token }) => ({ authorization: `Bearer ${token}` }))
    return [
      await compareWithOpenRoute(bench, url, '/api/v1/public/protected', credentials),
      await compareWithPlugin(bench, connection, owners[0]?.token ?? ''),
    ]
  },
}

/** Compares the check alone, without HTTP, with as many concurrent callers as the requests have connections. */
async function compareWithPlugin(bench: Bench, connection: ConnectionConfig, token: string) {
  const plugin = await createPlugin(connection)
  return withDeps(connection, async (deps) => {
    await deps.invalidationBus.started
    const measurement = await compareWithBaseline(bench, {
      unit: 'checks/s',
      rounds: 10,
      seconds: 2,
      value: callsPerSecond(CONNECTIONS, async () => {
        if (!(await deps.authenticator.byToken(token))) throw new Error('the token was refused')
        // A cached token never waits for anything. Without this, the heartbeat of the cache would not be processed.
        await new Promise(setImmediate)
      }),
      baseline: callsPerSecond(CONNECTIONS, async () => {
        const { valid } = await plugin.api.verifyApiKey({ body: { key: plugin.key } })
        if (!valid) throw new Error('the key was refused')
      }),
    })
    const target = atLeast(MIN_RATIO_TO_PLUGIN, `≥ ${MIN_RATIO_TO_PLUGIN} times`)
    return { ...measurement, part: 'vs api-key plugin', target }
  })
}

/** Sets up the api-key plugin as its documentation does, in its own database on the same server. */
async function createPlugin(connection: ConnectionConfig) {
  const pool = new pg.Pool({ ...(await createDatabase(connection, 'plugin')), max: 20 })
  onCleanUp(() => pool.end())
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
