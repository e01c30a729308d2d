import { setTimeout } from 'node:timers/promises'
import { type Config, forgetProviderVariables } from './config/config.ts'
import { followKeys, loadKeyring } from './lib/crypto/keyring.ts'
import { readSecret } from './lib/crypto/secret-file.ts'
import { type ConnectionConfig, checkTimeLimits, createDatabase } from './lib/db/database.ts'
import { migrate } from './lib/db/migrate.ts'
import { createReadiness } from './lib/db/readiness.ts'
import type { Deps } from './lib/deps.ts'
import { createDueSignal } from './lib/events/due-signal.ts'
import type { Authenticator } from './lib/http/authorize.ts'
import { rateLimit } from './lib/http/limits/rate-limit.ts'
import { createUserShares } from './lib/http/limits/user-shares.ts'
import type { Role } from './lib/http/roles.ts'
import { createOriginDispatcher } from './lib/outbound/bounded-request.ts'
import { guardedAgent, safeFetch } from './lib/outbound/safe-http.ts'
import { createInvalidatedCache } from './lib/runtime/caches/invalidated-cache.ts'
import { createInvalidationBus } from './lib/runtime/caches/invalidation-bus.ts'
import { CHECK_MS } from './lib/runtime/checks/run-checks.ts'
import { startDatabaseClock } from './lib/runtime/clock.ts'
import { createLastUse } from './lib/runtime/last-use.ts'
import { createLog, sayStep } from './lib/runtime/logging/log.ts'
import { createOutageLog } from './lib/runtime/logging/outage-log.ts'
import { createMetrics } from './lib/runtime/metrics.ts'
import { createTimings } from './lib/runtime/timings.ts'
import { lifecycle } from './lifecycle.ts'
import { providerFetch } from './modules/ai/providers/provider-fetch.ts'
import { authSecret } from './modules/auth/better-auth/auth-options.ts'
import { createAuth } from './modules/auth/better-auth/better-auth.ts'
import { sameOriginCheck, sessionReader } from './modules/auth/sessions/sessions.ts'
import { queueMail } from './modules/mail/mail.ts'
import { createMailer } from './modules/mail/mailer.ts'
import { openStorage } from './modules/media/storage/open-storage.ts'
import { createOptions } from './modules/options/options.ts'
import { entitlements } from './modules/plans/entitlements.ts'
import { tokenVerifier } from './modules/tokens/token-cache.ts'
import { readMembership, readOnlyMembership } from './modules/workspaces/workspaces.ts'

const REQUEST_CONNECTIONS = 20
/** Connections for concurrent jobs, the job listener and the dispatcher. Idle ones are closed. */
const WORKER_CONNECTIONS = 32
/** Connections for checks, which run rarely. */
const CHECK_CONNECTIONS = 4
const CLOSE_MS = 1500

type Overrides = Partial<Pick<Deps, 'clock' | 'log'> & Pick<Authenticator, 'isSubscribed' | 'hasFeature'>>

/**
 * Connects, migrates, and creates the rest. `connection`: leads to the database, embedded or not, or to its PgBouncer.
 */
export async function createDeps(
  config: Config,
  connection: ConnectionConfig,
  overrides: Overrides = {},
): Promise<Deps> {
  forgetProviderVariables()
  const log = overrides.log ?? createLog(config)
  const storage = await openStorage(config, log)
  const baseUrl = config.BASE_URL ?? `http://localhost:${config.PORT}`

  // Sessions that LISTEN or hold a lock do not work through PgBouncer in transaction mode. The job runner has such ones.
  const { DATABASE_DIRECT_URL } = config
  const direct = DATABASE_DIRECT_URL ? { connectionString: DATABASE_DIRECT_URL } : connection
  await migrate(direct, sayStep)
  const requestDatabase = createDatabase(connection, REQUEST_CONNECTIONS, { pooled: direct !== connection })
  await checkTimeLimits(requestDatabase.pool, log)
  const { db, pool } = requestDatabase
  // A separate pool, so that a rush of requests leaves the jobs their connections.
  const workerDatabase = createDatabase(direct, WORKER_CONNECTIONS)
  const checkDatabase = createDatabase({ ...connection, query_timeout: CHECK_MS }, CHECK_CONNECTIONS, {
    pooled: direct !== connection,
  })
  const clock = overrides.clock ?? (await startDatabaseClock(db, log))
  const readiness = createReadiness(connection, log)
  const outageLog = createOutageLog(log, async ({ diskFull }) =>
    diskFull ? readiness.canWrite() : !(await readiness.check()),
  )
  const keyring = await loadKeyring(db, await readSecret(config, db), config.SECRET_KEY_PREVIOUS)

  const invalidationBus = createInvalidationBus(direct, log)
  followKeys(keyring, invalidationBus, log)
  invalidationBus.onSilentLoss((since) => {
    for (const database of [requestDatabase, workerDatabase, checkDatabase]) database.destroyOlderThan(since)
  })
  const options = createOptions({ config, db, keyring, invalidationBus })
  const mailTransport = createMailer({ options, log })
  const auth = createAuth({
    db,
    clock,
    keyring,
    baseUrl,
    sendMail: async (tx, mail) => {
      await queueMail(tx, { options, baseUrl, log }, mail)
    },
  })
  const dueSignal = createDueSignal([db, workerDatabase.db], invalidationBus.broadcast)
  invalidationBus.onBroadcast(dueSignal.receive)
  const lastUse = createLastUse({ db, clock, outageLog })
  const memberships = createInvalidatedCache<{ workspace_id: string; role: Role }>(invalidationBus)
  const authenticator: Authenticator = {
    bySession: sessionReader({
      db,
      secret: authSecret(keyring),
      secure: baseUrl.startsWith('https:'),
      invalidationBus,
      clock,
      lastUse,
    }),
    byToken: tokenVerifier({ db, keyring, invalidationBus, clock, lastUse }),
    membership: (user_id, workspace) =>
      workspace === undefined
        ? readOnlyMembership(db, user_id)
        : memberships(`${user_id} ${workspace}`, async () => (await readMembership(db, { user_id, workspace }))[0]),
    isSameOrigin: sameOriginCheck(baseUrl),
    ...entitlements({ db, invalidationBus }),
    ...(overrides.isSubscribed && { isSubscribed: overrides.isSubscribed }),
    ...(overrides.hasFeature && { hasFeature: overrides.hasFeature }),
    limits: {
      read: rateLimit('read', config.RATE_LIMIT_READ, clock),
      write: rateLimit('write', config.RATE_LIMIT_WRITE, clock),
    },
    userShares: createUserShares(),
  }
  const urlRules = { allow: config.WEBHOOK_ALLOW_CIDRS, allowHttp: baseUrl.startsWith('http:') }
  const dispatcher = guardedAgent({ ...urlRules, proxy: config.WEBHOOK_PROXY_URL })
  const originDispatcher = createOriginDispatcher()
  const aiUrlRules = { allow: config.AI_ALLOW_CIDRS, allowHttp: false }
  const aiDispatcher = guardedAgent(aiUrlRules)

  return {
    config,
    baseUrl,
    db,
    pool,
    workerDatabase,
    readiness,
    checkDatabase,
    keyring,
    auth,
    authenticator,
    lastUse,
    invalidationBus,
    lifecycle,
    dueSignal,
    options,
    mailTransport,
    dispatcher,
    safeFetch: safeFetch(dispatcher),
    storage,
    urlRules,
    originDispatcher,
    aiUrlRules,
    aiFetch: providerFetch(aiDispatcher),
    clock,
    timings: createTimings(config.TIMINGS_DIVISOR),
    agentConcurrency: config.AGENT_CONCURRENCY,
    log,
    outageLog,
    metrics: createMetrics({ requests: pool, jobs: workerDatabase.pool }),
    close: async () => {
      clock.stop?.()
      mailTransport.close()
      storage.close()
      outageLog.close()
      const failures = await Promise.allSettled([
        lastUse.close(),
        readiness.close(),
        invalidationBus.close(),
        dispatcher.destroy(),
        dispatcher.once.destroy(),
        originDispatcher.destroy(),
        aiDispatcher.destroy(),
        aiDispatcher.once.destroy(),
      ])
      // A running query must not delay the stop: PostgreSQL cancels it when the connection is gone.
      await Promise.race([
        Promise.all([requestDatabase.close(), workerDatabase.close(), checkDatabase.close()]),
        setTimeout(CLOSE_MS),
      ])
      for (const ended of failures)
        if (ended.status === 'rejected') log.warn({ err: ended.reason }, 'a connection was not closed cleanly')
    },
  }
}
