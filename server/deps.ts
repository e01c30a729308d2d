import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type Config, forgetVendorVariables } from './config.ts'
import type { Role } from './lib/access.ts'
import type { Authenticator } from './lib/authorize.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { type ConnectionConfig, createDatabase, type Database, type Db } from './lib/database.ts'
import { heardCache } from './lib/heard-cache.ts'
import { followKeys, loadKeyring, type OpenKeyring } from './lib/keyring.ts'
import { createLastUse, type LastUse } from './lib/last-use.ts'
import { createLog, sayStep } from './lib/log.ts'
import { migrate } from './lib/migrate.ts'
import { createPulse, type Pulse } from './lib/pulse.ts'
import { rateLimit } from './lib/rate-limit.ts'
import { type GuardedAgent, guardedAgent, type SafeFetch, safeFetch, type UrlRules } from './lib/safe-http.ts'
import { StartError } from './lib/start-error.ts'
import { type Bell, createBell } from './lib/wake.ts'
import { vendorFetch } from './modules/ai/vendor-fetch.ts'
import { type Auth, authSecret, createAuth } from './modules/auth/better-auth.ts'
import { sameOriginCheck, sessionReader } from './modules/auth/sessions.ts'
import { queueMail } from './modules/mail/mail.ts'
import { createMailer } from './modules/mail/mailer.ts'
import type { MailTransport } from './modules/mail/transport.ts'
import { createOptions, type Options } from './modules/options/options.ts'
import { entitlements } from './modules/plans/entitlements.ts'
import { tokenVerifier } from './modules/tokens/verify.ts'
import { readMembership, readOnlyMembership } from './modules/workspaces/workspaces.ts'

/** Everything that the functions of Meydan stand on. Made once a process; tests override single entries. */
export type Deps = {
  config: Config
  baseUrl: string
  db: Db
  pool: pg.Pool
  /** Connections for jobs, heartbeat and webhook deliveries. */
  workerDatabase: Database
  keyring: OpenKeyring
  auth: Auth
  authenticator: Authenticator
  lastUse: LastUse
  pulse: Pulse
  /** Rung by `emit` after its commit; the dispatcher listens. */
  bell: Bell
  /** What an instance admin may change while Meydan runs. */
  options: Options
  /** To the mail server that the options name now (`canSendMail` tells whether they do). */
  mailTransport: MailTransport
  /** For every address that a user supplied. */
  dispatcher: GuardedAgent
  safeFetch: SafeFetch
  urlRules: UrlRules
  /** For the addresses of AI models. */
  aiUrlRules: UrlRules
  aiFetch: typeof fetch
  clock: Clock
  log: Logger
  close: () => Promise<void>
}

/** For the jobs that run at a time, the listener for new ones and the dispatcher. Idle ones are closed again. */
const WORKER_CONNECTIONS = 25
const CLOSE_MS = 1500

type Overrides = Partial<Pick<Deps, 'clock' | 'log'> & Pick<Authenticator, 'hasFeature'>>

/** Connects, migrates, and builds the rest. `connection` leads to the database, embedded or not. */
export async function createDeps(
  config: Config,
  connection: ConnectionConfig,
  overrides: Overrides = {},
): Promise<Deps> {
  forgetVendorVariables()
  const log = overrides.log ?? createLog(config.LOG_LEVEL)
  const clock = overrides.clock ?? systemClock
  const baseUrl = config.BASE_URL ?? `http://localhost:${config.PORT}`

  await migrate(connection, sayStep)
  const { db, pool, close: closeDatabase } = createDatabase(connection)
  // Apart, so that a rush of requests leaves the jobs their connections.
  const workerDatabase = createDatabase(connection, WORKER_CONNECTIONS)
  const keyring = await loadKeyring(db, await secretOf(config), config.SECRET_KEY_PREVIOUS)

  const pulse = createPulse(connection, log)
  followKeys(keyring, pulse, log)
  const options = createOptions({ config, db, keyring, pulse })
  const mailTransport = createMailer({ options, log })
  const auth = createAuth({
    db,
    keyring,
    baseUrl,
    sendMail: async (tx, mail) => {
      await queueMail(tx, { options, baseUrl, log }, mail)
    },
  })
  const bell = createBell([db, workerDatabase.db], pulse.wake)
  pulse.onWake(bell.heard)
  const lastUse = createLastUse({ db, clock, log })
  const memberships = heardCache<{ workspace_id: string; role: Role }>(pulse)
  const authenticator: Authenticator = {
    bySession: sessionReader({
      db,
      secret: authSecret(keyring),
      secure: baseUrl.startsWith('https:'),
      pulse,
      clock,
      lastUse,
    }),
    byToken: tokenVerifier({ db, keyring, pulse, clock, lastUse }),
    membership: (user_id, workspace) =>
      workspace === undefined
        ? readOnlyMembership(db, user_id)
        : memberships(`${user_id} ${workspace}`, async () => (await readMembership(db, { user_id, workspace }))[0]),
    isSameOrigin: sameOriginCheck(baseUrl),
    hasFeature: overrides.hasFeature ?? entitlements({ db, pulse }),
    limits: {
      read: rateLimit('read', config.RATE_LIMIT_READ, clock),
      write: rateLimit('write', config.RATE_LIMIT_WRITE, clock),
    },
  }
  const urlRules = { allow: config.WEBHOOK_ALLOW_CIDRS, allowHttp: baseUrl.startsWith('http:') }
  const dispatcher = guardedAgent({ ...urlRules, proxy: config.WEBHOOK_PROXY_URL })
  const aiUrlRules = { allow: config.AI_ALLOW_CIDRS, allowHttp: false }
  const aiDispatcher = guardedAgent(aiUrlRules)

  return {
    config,
    baseUrl,
    db,
    pool,
    workerDatabase,
    keyring,
    auth,
    authenticator,
    lastUse,
    pulse,
    bell,
    options,
    mailTransport,
    dispatcher,
    safeFetch: safeFetch(dispatcher),
    urlRules,
    aiUrlRules,
    aiFetch: vendorFetch(aiDispatcher),
    clock,
    log,
    close: async () => {
      mailTransport.close()
      const failures = await Promise.allSettled([
        lastUse.close(),
        pulse.close(),
        dispatcher.destroy(),
        dispatcher.once.destroy(),
        aiDispatcher.destroy(),
        aiDispatcher.once.destroy(),
      ])
      // A query that still runs must not hold up the stop: PostgreSQL breaks it off when the connection is gone.
      await Promise.race([Promise.all([closeDatabase(), workerDatabase.close()]), setTimeout(CLOSE_MS)])
      for (const ended of failures)
        if (ended.status === 'rejected') log.warn({ err: ended.reason }, 'not closed cleanly')
    },
  }
}

/** SECRET_KEY, or the one in DATA_DIR. */
export const secretOf = async (config: Config) => config.SECRET_KEY ?? (await generatedSecret(config))

/** The key in DATA_DIR, made at the first start. Written aside and linked into place, so that it is whole or absent. */
async function generatedSecret({ DATA_DIR }: Config) {
  const file = join(DATA_DIR, 'secret.key')
  const draft = `${file}.${process.pid}`
  await mkdir(DATA_DIR, { recursive: true })
  const secret = await readFile(file, 'utf8').catch(async () => {
    await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
    await link(draft, file).catch(() => undefined)
    await rm(draft)
    return readFile(file, 'utf8')
  })
  if (secret.trim().length < 32)
    throw new StartError(
      `${file} holds no key. Restore it from a backup: without it the stored credentials cannot be opened.`,
    )
  return secret.trim()
}
