import { buildApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import { createDeps } from '../deps.ts'
import { buildHealthApp } from '../health.ts'
import type { ConnectionConfig } from '../lib/db/database.ts'
import { isLocked, locks } from '../lib/db/locks.ts'
import type { Deps } from '../lib/deps.ts'
import { freeLeases } from '../lib/http/idempotency.ts'
import { type createLog, sayStep } from '../lib/runtime/logging/log.ts'
import { refuseAddress, StartError } from '../lib/runtime/start-error.ts'
import { hasInstanceAdmin, setUpCode } from '../modules/auth/instance-admin.ts'
import { updateBuiltInRecipes } from '../modules/catalog/built-in/built-in.ts'
import { holdRestoredServer, isHeld, onRelease } from '../modules/installation/hold.ts'
import { ensureConfiguredAdmin } from '../modules/workspaces/setup.ts'
import { startWorker } from '../worker.ts'

/** Milliseconds in which clients can read the responses to requests that were ended because Meydan stops. */
const HANG_UP_MS = 1000

/** Starts all but the database: migrations, worker, HTTP. Adds to `closers` what stops them. */
export async function startNode(
  config: Config,
  connection: ConnectionConfig,
  closers: (() => Promise<unknown>)[],
  { dev, log }: { dev: boolean; log: ReturnType<typeof createLog> },
) {
  const deps = await createDeps(config, connection, { log })
  closers.push(deps.close)
  if (await isLocked(deps.db, locks.restore))
    throw new StartError('A backup is being restored into this database. Start Meydan when that has ended.')
  await holdRestoredServer(deps.db)
  // The embedded database has no other process than this one.
  const alone = config.DATABASE_URL === undefined
  if (alone) await freeLeases(deps.db)
  await ensureConfiguredAdmin(deps)
  await updateBuiltInRecipes(deps)

  const { ROLE, PORT, HOST, HEALTH_PORT } = config
  const app = ROLE === 'worker' ? buildHealthApp(deps) : await buildApp(deps, { dev })
  // The address is printed once, below, in a form that a person can open.
  await app
    .listen({
      port: ROLE === 'worker' ? (HEALTH_PORT ?? PORT) : PORT,
      host: HOST,
      listenTextResolver: () => 'accepting connections',
    })
    .catch(refuseAddress)
  const closeHttp = async () => {
    const hangUp = setTimeout(() => app.server.closeAllConnections(), deps.timings.requestGrace + HANG_UP_MS)
    await app.close()
    clearTimeout(hangUp)
  }
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined
  const stopped = new AbortController()
  let releasing: Promise<void> | undefined
  closers.push(async () => {
    stopped.abort()
    await releasing
    const closed = closeHttp()
    const [requests, jobs] = await Promise.allSettled([closed, worker?.stop(closed)])
    for (const stopped of [requests, jobs]) if (stopped.status === 'rejected') throw stopped.reason
  })
  const work = async () => {
    worker = await startWorker(deps, { alone })
  }
  if (await isHeld(deps.db)) {
    sayStep(
      `This installation was restored, and is held. Sign in as an instance admin and open ${deps.baseUrl}/admin/hold`,
    )
    if (ROLE !== 'api') releasing = onRelease(deps, stopped.signal, work)
  } else if (ROLE !== 'api') await work()
  if (ROLE === 'worker') sayStep('Meydan is ready to work')
  else await sayWhere(deps)
  return deps
}

async function sayWhere({ baseUrl, db, keyring }: Deps) {
  sayStep(`Meydan is ready at ${baseUrl}`)
  if (!(await hasInstanceAdmin(db))) sayStep(`Create the first admin at ${baseUrl}/setup?code=${setUpCode(keyring)}`)
}
