import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { OpenKeyring } from './crypto/keyring.ts'
import type { Database, Db } from './db/database.ts'
import type { Readiness } from './db/readiness.ts'
import type { Authenticator } from './http/authorize.ts'
import type { GuardedAgent, SafeFetch, UrlRules } from './outbound/safe-http.ts'
import type { InvalidationBus } from './runtime/caches/invalidation-bus.ts'
import type { Clock } from './runtime/clock.ts'
import type { LastUse } from './runtime/last-use.ts'
import type { OutageLog } from './runtime/logging/outage-log.ts'
import type { Timings } from './runtime/timings.ts'

/**
 * Dependencies of all functions of Meydan, created once per process by `createDeps`. A module that provides one declares
 * it in its own file, by adding to this interface. A function names the ones it needs: `Pick<Deps, 'db' | 'clock'>`.
 */
export interface Deps {
  config: Config
  baseUrl: string
  db: Db
  pool: pg.Pool
  /** Connections for jobs, heartbeat and webhook deliveries. */
  workerDatabase: Database
  readiness: Readiness
  /** A few connections for checks of the installation, which must not wait behind requests, nor they behind it. */
  checkDatabase: Database
  keyring: OpenKeyring
  authenticator: Authenticator
  lastUse: LastUse
  invalidationBus: InvalidationBus
  /** For every address that a user supplied. */
  dispatcher: GuardedAgent
  safeFetch: SafeFetch
  urlRules: UrlRules
  clock: Clock
  /** Leases, heartbeats and polls. */
  timings: Timings
  /** Steps of agents that run at the same time in this process. */
  agentConcurrency: number
  log: Logger
  outageLog: OutageLog
  close: () => Promise<void>
}
