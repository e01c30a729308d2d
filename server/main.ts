import { createServer } from 'node:net'
import { buildApp } from './app.ts'
import type { Config } from './config/config.ts'
import { createDeps } from './deps.ts'
import { buildHealthApp } from './health.ts'
import type { ConnectionConfig } from './lib/db/database.ts'
import { startEmbeddedPostgres } from './lib/db/embedded/embedded-postgres.ts'
import type { Deps } from './lib/deps.ts'
import { watchDisk } from './lib/runtime/logging/disk-watch.ts'
import { createLog, sayStep } from './lib/runtime/logging/log.ts'
import { StartError } from './lib/runtime/start-error.ts'
import { hasInstanceAdmin, setUpCode } from './modules/auth/instance-admin.ts'
import { updateBuiltInRecipes } from './modules/catalog/built-in/built-in.ts'
import { ensureConfiguredAdmin } from './modules/workspaces/setup.ts'
import { startWorker } from './worker.ts'

/** Milliseconds that running requests get to end when Meydan stops. */
const DRAIN_MS = 2000

/** Starts Meydan: database, migrations, worker, HTTP. Resolves to a function that stops them in the reverse order. */
export async function serve(config: Config, { dev = false } = {}) {
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    // Runs all closers: one that fails must not leave PostgreSQL running.
    const failures: unknown[] = []
    for (const close of closers.splice(0).reverse()) await close().catch((error) => failures.push(error))
    if (failures.length) throw failures[0]
  }
  try {
    const log = createLog(config)
    const port = config.PORT || (await freePort(config.HOST).catch(refuseAddress))
    const settled = { ...config, PORT: port }

    const connection = await openDatabase(settled, closers)
    if (!settled.DATABASE_URL) closers.push(await watchDisk(settled.DATA_DIR, log))
    const deps = await createDeps(settled, connection, { log })
    closers.push(deps.close)
    await ensureConfiguredAdmin(deps)
    await updateBuiltInRecipes(deps)

    const { ROLE, HOST, HEALTH_PORT } = settled
    const app = ROLE === 'worker' ? buildHealthApp(deps) : await buildApp(deps, { dev })
    // The address is printed once, below, in a form that a person can open.
    await app
      .listen({
        port: ROLE === 'worker' ? (HEALTH_PORT ?? port) : port,
        host: HOST,
        listenTextResolver: () => 'accepting connections',
      })
      .catch(refuseAddress)
    closers.push(async () => {
      const hangUp = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
      await app.close()
      clearTimeout(hangUp)
    })
    if (settled.ROLE !== 'api') {
      const worker = await startWorker(deps, { alone: settled.DATABASE_URL === undefined })
      closers.push(worker.stop)
    }
    if (settled.ROLE === 'worker') sayStep('Meydan is ready to work')
    else await sayWhere(deps)
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const refuseAddress = (error: Error): never => {
  throw new StartError(
    `Meydan cannot listen on this address: ${error.message}. Choose another PORT, HEALTH_PORT or HOST.`,
  )
}

/** Connection to the configured database. Starts the database first if it is the embedded one. */
export async function openDatabase(
  { DATABASE_URL, DATA_DIR }: Config,
  closers: (() => Promise<unknown>)[],
): Promise<ConnectionConfig> {
  if (DATABASE_URL) return { connectionString: DATABASE_URL }
  const postgres = await startEmbeddedPostgres({ dataDir: DATA_DIR, log: sayDetail })
  closers.push(postgres.stop)
  return postgres.connection
}

const sayDetail = (message: string, detail?: object) =>
  sayStep(detail && 'error' in detail ? `${message}: ${detail.error}` : message)

async function sayWhere({ baseUrl, db, keyring }: Deps) {
  sayStep(`Meydan is ready at ${baseUrl}`)
  if (!(await hasInstanceAdmin(db))) sayStep(`Create the first admin at ${baseUrl}/setup?code=${setUpCode(keyring)}`)
}

/** For PORT 0: the port must be known before the server listens, because links contain it. */
async function freePort(host: string) {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
