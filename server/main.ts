import { createServer } from 'node:net'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { createDeps, type Deps } from './deps.ts'
import type { ConnectionConfig } from './lib/database.ts'
import { startEmbeddedPostgres } from './lib/embedded-postgres.ts'
import { createLog, sayStep } from './lib/log.ts'
import { StartError } from './lib/start-error.ts'
import { hasInstanceAdmin, setUpCode } from './modules/auth/auth.ts'
import { ensureConfiguredAdmin } from './modules/workspaces/setup.ts'
import { startWorker } from './worker.ts'

/** How long requests that are under way may take to end when Meydan stops. */
const DRAIN_MS = 2000

/** Starts Meydan: database, migrations, worker, HTTP. Resolves to what stops it again, in the reverse order. */
export async function serve(config: Config, { dev = false } = {}) {
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    // Every one gets its turn: what fails to close must not leave PostgreSQL behind.
    const failures: unknown[] = []
    for (const close of closers.splice(0).reverse()) await close().catch((error) => failures.push(error))
    if (failures.length) throw failures[0]
  }
  try {
    const log = createLog(config.LOG_LEVEL)
    const port = config.PORT || (await freePort(config.HOST).catch(refuseAddress))
    const settled = { ...config, PORT: port }

    const connection = await openDatabase(settled, closers)
    const deps = await createDeps(settled, connection, { log })
    closers.push(deps.close)
    await ensureConfiguredAdmin(deps)

    if (settled.ROLE !== 'worker') {
      const app = await buildApp(deps, { dev })
      // The address is told once, below, in the form that a person can open.
      await app
        .listen({ port, host: settled.HOST, listenTextResolver: () => 'accepting connections' })
        .catch(refuseAddress)
      closers.push(async () => {
        const hangUp = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
        await app.close()
        clearTimeout(hangUp)
      })
    }
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
  throw new StartError(`Meydan cannot listen there: ${error.message}. Choose another PORT or HOST.`)
}

/** The database that the settings name, which is started when it is the embedded one. */
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
  if (!(await hasInstanceAdmin(db))) sayStep(`Set it up, once, at ${baseUrl}/setup?code=${setUpCode(keyring)}`)
}

/** PORT 0: the port has to be known before anything listens, because links carry it. */
async function freePort(host: string) {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
