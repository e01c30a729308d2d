import { createServer } from 'node:net'
import type { Config } from '../config/config.ts'
import type { ConnectionConfig } from '../lib/db/database.ts'
import { startEmbeddedPostgres } from '../lib/db/embedded/embedded-postgres.ts'
import { watchDisk } from '../lib/runtime/logging/disk-watch.ts'
import { createLog, sayStep } from '../lib/runtime/logging/log.ts'
import { refuseAddress } from '../lib/runtime/start-error.ts'

/** Nearly all of Meydan, which takes longer to load than PostgreSQL takes to start. */
const loadNode = () => import('./start-node.ts')

/** Starts Meydan: database, migrations, worker, HTTP. `stop` ends them in the reverse order. */
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

    const connection = await openDatabase(settled, closers, loadNode)
    if (!settled.DATABASE_URL) closers.push(await watchDisk(settled.DATA_DIR, log))
    const { startNode } = await loadNode()
    const { outageLog } = await startNode(settled, connection, closers, { dev, log })
    return { stop, outageLog }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Connection to the configured database. Starts the database first if it is the embedded one. `meanwhile`: what this
 * process can do while that one starts.
 */
export async function openDatabase(
  { DATABASE_URL, DATA_DIR }: Config,
  closers: (() => Promise<unknown>)[],
  meanwhile?: () => Promise<unknown>,
): Promise<ConnectionConfig> {
  if (DATABASE_URL) return { connectionString: DATABASE_URL }
  const postgres = await startEmbeddedPostgres({
    dataDir: DATA_DIR,
    log: sayDetail,
    ...(meanwhile && { meanwhile }),
  })
  closers.push(postgres.stop)
  return postgres.connection
}

const sayDetail = (message: string, detail?: object) =>
  sayStep(detail && 'error' in detail ? `${message}: ${detail.error}` : message)

/** Finds a port for PORT 0. It must be known before the server listens, because links contain it. */
async function freePort(host: string) {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
