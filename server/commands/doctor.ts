/**
 * `meydan doctor`: runs the checks of the system status from the command line, whether Meydan runs or not. It migrates
 * nothing and creates no keys, so it can be run before an update and on a broken installation.
 */
import { mkdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import packageJson from '../../package.json' with { type: 'json' }
import { checks } from '../checks.ts'
import type { Config } from '../config/config.ts'
import { fittingSecret, readKeyring } from '../lib/crypto/keyring.ts'
import { readSecret } from '../lib/crypto/secret-file.ts'
import { type ConnectionConfig, createDatabase, type Db } from '../lib/db/database.ts'
import { AlreadyRunning, besideRunning } from '../lib/db/embedded/embedded-postgres.ts'
import { codeOf } from '../lib/error-code.ts'
import { type CheckContext, check, error, type Level, ok } from '../lib/runtime/checks/check.ts'
import { CHECK_MS, type CheckResult, NoDatabase, NoSecretKey, runChecks } from '../lib/runtime/checks/run-checks.ts'
import { createLog, sayStep } from '../lib/runtime/logging/log.ts'
import { openStorage } from '../modules/media/storage/open-storage.ts'
import { createOptions } from '../modules/options/options.ts'
import { openDatabase } from './serve.ts'

type Closers = (() => Promise<unknown>)[]

/** Prints what the checks find. The process ends with 1 if something is wrong, and with 0 if there are only warnings. */
export async function runDoctor(config: Config) {
  const closers: Closers = []
  try {
    await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 }).catch(() => undefined)
    const opened = await open(config, closers)
    const context = await contextOf(config, opened, closers)
    const results = await runChecks(context, [portCheck, ...checks])
    process.stdout.write(`${report(results, context)}\n`)
    if (results.some(({ level }) => level === 'error')) process.exitCode = 1
  } finally {
    for (const close of closers.reverse()) await close().catch(() => undefined)
  }
}

type Opened = { connection?: ConnectionConfig; fault?: NoDatabase; isBesideRunning: boolean }

async function open(config: Config, closers: Closers): Promise<Opened> {
  const { DATABASE_URL, DATA_DIR } = config
  const isNew = DATABASE_URL === undefined && !(await stat(join(DATA_DIR, 'postgres')).catch(() => undefined))
  if (isNew) return { fault: new NoDatabase(), isBesideRunning: false }
  try {
    return { connection: await openDatabase(config, closers), isBesideRunning: false }
  } catch (fault) {
    if (fault instanceof AlreadyRunning)
      return { connection: await besideRunning(DATA_DIR, sayStep), isBesideRunning: true }
    return { fault: new NoDatabase('The database cannot be opened', { cause: fault }), isBesideRunning: false }
  }
}

/** The parts that the checks look at. A part that cannot be opened throws when a check asks for it. */
async function contextOf(
  config: Config,
  { connection, fault, isBesideRunning }: Opened,
  closers: Closers,
): Promise<CheckContext> {
  const database = connection && createDatabase({ ...connection, query_timeout: CHECK_MS }, 4)
  if (database) closers.push(database.close)
  const { keyring, keyFault } = await openKeys(config, database?.db)
  const db = () => {
    if (database) return database.db
    throw fault ?? new NoDatabase()
  }
  const storage = openStorage(config, createLog({ ...config, LOG_LEVEL: 'silent' }))
  // The check of the storage reports it.
  storage.then(
    ({ close }) => closers.push(async () => close()),
    () => undefined,
  )
  return {
    config,
    baseUrl: config.BASE_URL ?? `http://localhost:${config.PORT}`,
    now: () => new Date(),
    database: db,
    options: () => {
      const own = db()
      if (!keyring) throw keyFault
      return createOptions({ config, db: own, keyring, invalidationBus: withoutBus })
    },
    storage: () => storage,
    isServing:
      isBesideRunning ||
      (config.DATABASE_URL !== undefined && (await isMeydanAt(config))) ||
      (database !== undefined && (await hasWorker(database.db).catch(() => false))),
  }
}

/** Whether a process on any machine runs jobs. */
const hasWorker = async (db: Db) =>
  (await db
    .selectFrom('worker_node')
    .select('id')
    .where('seen_at', '>', sql<Date>`now() - interval '1 minute'`)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** One command reads each value once. */
const withoutBus = { isConnected: () => false, onInvalidate: () => undefined }

/** The key ring; none if the database or the secret key cannot be used, whose checks say why. */
async function openKeys(config: Config, db: Db | undefined) {
  if (!db) return {}
  try {
    const hasKeys = await db.selectFrom('keyring').select('id').limit(1).executeTakeFirst()
    // Without keys there are no sealed options.
    if (!hasKeys) return { keyring: await readKeyring(db, '') }
    const secret = await fittingSecret(db, [await readSecret(config, db), config.SECRET_KEY_PREVIOUS])
    return secret === undefined ? { keyFault: new NoSecretKey() } : { keyring: await readKeyring(db, secret) }
  } catch (keyFault) {
    return { keyFault: codeOf(keyFault) === '' ? new NoSecretKey() : keyFault }
  }
}

const portOf = ({ ROLE, PORT, HEALTH_PORT }: Config) => (ROLE === 'worker' ? (HEALTH_PORT ?? PORT) : PORT)

const PROBE_MS = 2000

/** Whether a Meydan responds at the address on which this one listens. */
async function isMeydanAt(config: Config) {
  const host = ['0.0.0.0', '::'].includes(config.HOST) ? '127.0.0.1' : config.HOST
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${portOf(config)}/healthz`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) })
    return response.ok && (await response.text()) === '{"status":"ok"}'
  } catch {
    return false
  }
}

const portCheck = check({
  name: 'port',
  group: 'address',
  outcomes: {
    serving: ok('Meydan responds on port {{port}}.'),
    free: ok('Port {{port}} is free for Meydan.'),
    taken: error(
      'Port {{port}} is taken by another program.',
      'Stop that program (“ss -ltnp” lists it), or set PORT to another one.',
    ),
    refused: error(
      'Meydan cannot listen on port {{port}} of {{host}}: {{reason}}.',
      'Set HOST to an address of this machine, and PORT to one above 1023.',
    ),
  },
  find: async ({ config }) => {
    const port = portOf(config)
    const values = { port: String(port) }
    const reason = await refusalOf(port, config.HOST)
    if (reason === undefined) return { outcome: 'free', values }
    if (reason === 'EADDRINUSE') return { outcome: (await isMeydanAt(config)) ? 'serving' : 'taken', values }
    return { outcome: 'refused', values: { ...values, host: config.HOST, reason } }
  },
})

/** The error code with which the system refuses to listen there; undefined if it does not. */
const refusalOf = (port: number, host: string) =>
  new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', (fault) => resolve(codeOf(fault)))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })

const marks: Record<Level, string> = { ok: 'ok     ', warning: 'WARNING', error: 'ERROR  ' }

function report(results: CheckResult[], { isServing }: CheckContext) {
  const time = new Date().toISOString().slice(0, 16).replace('T', ' ')
  // Checks that the database kept from running are only named: its own check reports the reason.
  const skipped = results.filter(({ code }) => /^check\.(not_checked|no_secret_key|not_migrated)$/.test(code))
  const found = results.filter((result) => !skipped.includes(result))
  const width = Math.max(...found.map(({ name }) => name.length))
  const lines = found.flatMap(({ name, level, message, remedy }) => [
    `${marks[level]}  ${name.padEnd(width)}  ${message}`,
    ...(remedy === null ? [] : [`${' '.repeat(width + 11)}→ ${remedy}`]),
  ])
  const count = (level: Level) => found.filter((result) => result.level === level).length
  return [
    `Meydan ${packageJson.version} on ${hostname()} at ${time} UTC, ${isServing ? 'running' : 'stopped'}`,
    '',
    ...lines,
    '',
    ...(skipped.length > 0 ? [`Not checked: ${skipped.map(({ name }) => name).join(', ')}`] : []),
    `Errors: ${count('error')}. Warnings: ${count('warning')}.`,
  ].join('\n')
}
