import { sql } from 'kysely'
import { codeOf } from '../error-code.ts'
import { check, error, ok, tenths, type Values, warning } from '../runtime/checks/check.ts'
import { NoDatabase, reasonOf } from '../runtime/checks/run-checks.ts'
import { type Db, isDiskFull } from './database.ts'
import { embeddedVersion } from './embedded/postgres-cluster.ts'
import { readMigrations } from './migrations.ts'

type Server = {
  version: string
  number: number
  encoding: string
  read_only: boolean
  bytes: string
}

async function readServer(db: Db) {
  const { rows } = await sql<Server>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding, pg_database_size(current_database()) as bytes,
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`.execute(db)
  return rows[0]
}

/** Fails with a full disk as `Readiness.canWrite` does: by a new file, which PostgreSQL drops at once. */
const writeProbe = (db: Db) =>
  sql`create temp table check_probe on commit drop as
    select string_agg(md5(n::text), '') from generate_series(1, 2000) n`.execute(db)

const isFull = (fault: unknown) => isDiskFull(fault) || (fault instanceof Error && /no space left/i.test(fault.message))

const database = check({
  name: 'database',
  group: 'database',
  outcomes: {
    ok: ok('PostgreSQL {{version}} responds. The database has {{mb}} MB.'),
    none: warning(
      'There is no database in DATA_DIR yet.',
      'Start Meydan, which creates it. If you expected your data here, check DATA_DIR.',
    ),
    timed_out: error(
      'PostgreSQL does not respond within {{seconds}} s.',
      'See whether its machine is overloaded, and whether the network between them drops connections.',
    ),
    outdated: warning(
      'PostgreSQL {{version}} runs, and this Meydan includes {{included}}.',
      'Restart Meydan, so that it starts the PostgreSQL that it includes.',
    ),
    unusable: error(
      'The database cannot be used: {{reason}}',
      'Make sure that PostgreSQL runs, and that DATABASE_URL is right. The log of an embedded PostgreSQL is in the folder postgres/log of DATA_DIR.',
    ),
    full: error('The disk of the database is full.', 'Free some space on it. Meydan goes on by itself.'),
    read_only: error(
      'The database is read-only: the server is a standby, or was demoted.',
      'Let DATABASE_URL lead to the primary.',
    ),
    too_old: error(
      'The database is PostgreSQL {{version}}, and Meydan requires 18 or later.',
      'Update PostgreSQL, or let DATABASE_URL lead to one of version 18 or later.',
    ),
    not_utf8: error(
      'The database is encoded in {{encoding}}, and Meydan requires UTF8.',
      'Create a database with the encoding UTF8, and let DATABASE_URL name it.',
    ),
  },
  find: async ({ config, database }) => {
    try {
      const db = database()
      const server = await readServer(db)
      if (!server) return { outcome: 'unusable', values: { reason: 'it returned no version' } }
      const { version, number, encoding, read_only, bytes } = server
      if (number < 180_000) return { outcome: 'too_old', values: { version } }
      if (encoding !== 'UTF8') return { outcome: 'not_utf8', values: { encoding } }
      if (read_only) return { outcome: 'read_only' }
      await writeProbe(db)
      const included = config.DATABASE_URL === undefined ? await embeddedVersion() : version
      if (minorOf(included) > minorOf(version)) return { outcome: 'outdated', values: { version, included } }
      return { outcome: 'ok', values: { version, mb: tenths(Number(bytes) / 1e6) } }
    } catch (fault) {
      const cause = fault instanceof NoDatabase ? fault.cause : fault
      if (cause === undefined) return { outcome: 'none' }
      if (isFull(cause)) return { outcome: 'full' }
      return { outcome: 'unusable', values: { reason: reasonOf(cause) } }
    }
  },
})

/** The second number of a version such as 18.4. Versions of npm have a third one. */
const minorOf = (version: string) => Number(version.split('.')[1] ?? 0)

const migrations = check({
  name: 'migrations',
  group: 'database',
  outcomes: {
    ok: ok('The database has all {{count}} migrations of this version.'),
    empty: warning(
      'The database has no tables of Meydan yet.',
      'Start Meydan, which creates them. If you expected your data here, check DATABASE_URL and DATA_DIR.',
    ),
    behind: warning(
      'The database lacks {{count}} migrations of this version, the first being {{first}}.',
      'Write a backup, then start Meydan or run “meydan migrate”, which apply them.',
    ),
    ahead: warning(
      'A newer Meydan has added {{count}} migrations, with which this version can work.',
      'Update this node to the newer version.',
    ),
    newer: error(
      'The database was migrated by a newer Meydan, with which this version cannot work: {{first}}.',
      'Start the newer version, or restore a backup of this version.',
    ),
  },
  find: async ({ database }) => {
    const applied = await readApplied(database())
    if (applied.length === 0) return { outcome: 'empty' }
    const own = await readMigrations()
    // A renamed migration is recognized by its text, as at a start.
    const isApplied = ({ name, checksum }: { name: string; checksum: string | null }) =>
      applied.some((row) => row.name === name || (row.checksum !== null && row.checksum === checksum))
    const missing = own.filter((migration) => !isApplied(migration))
    const unknown = applied.filter(
      ({ name, checksum }) => !own.some((migration) => migration.name === name || migration.checksum === checksum),
    )
    const newer = unknown.find(({ contracts }) => contracts)
    if (newer) return { outcome: 'newer', values: { first: newer.name } }
    if (missing[0]) return { outcome: 'behind', values: { count: missing.length, first: missing[0].name } }
    if (unknown.length > 0) return { outcome: 'ahead', values: { count: unknown.length } }
    return { outcome: 'ok', values: { count: own.length } }
  },
})

async function readApplied(db: Db) {
  try {
    return await db.selectFrom('migration').select(['name', 'checksum', 'contracts']).execute()
  } catch (fault) {
    if (codeOf(fault) === '42P01') return []
    throw fault
  }
}

const BUSY = 0.8
const NEARLY_ALL = 0.95

const connections = check({
  name: 'database_connections',
  group: 'database',
  outcomes: {
    ok: ok('{{used}} of {{most}} connections of PostgreSQL are open.'),
    many: warning(
      '{{used}} of {{most}} connections of PostgreSQL are open.',
      'Raise max_connections, or put PgBouncer in front. Each node of Meydan opens at most 60.',
    ),
    nearly_all: error(
      '{{used}} of {{most}} connections of PostgreSQL are open.',
      'Raise max_connections, or put PgBouncer in front. Each node of Meydan opens at most 60.',
    ),
  },
  find: async ({ database }) => {
    const { rows } = await sql<{ used: number; most: number }>`
      select count(*)::int as used, current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as most
      from pg_stat_activity where backend_type = 'client backend'`.execute(database())
    const { used = 0, most = 1 } = rows[0] ?? {}
    const values: Values = { used, most }
    return { outcome: used > most * NEARLY_ALL ? 'nearly_all' : used > most * BUSY ? 'many' : 'ok', values }
  },
})

const SKEWED_S = 10
/** Two codes of a second factor. */
const FAR_S = 60

const clock = check({
  name: 'clock',
  group: 'database',
  outcomes: {
    ok: ok('The clock of this machine agrees with that of PostgreSQL.'),
    differs: warning(
      'The clock of this machine differs from that of PostgreSQL by {{seconds}} s.',
      'Run an NTP service, such as chrony or systemd-timesyncd, on both machines.',
    ),
    far: error(
      'The clock of this machine differs from that of PostgreSQL by {{seconds}} s, so that signatures and codes of second factors can be refused.',
      'Run an NTP service, such as chrony or systemd-timesyncd, on both machines.',
    ),
  },
  find: async ({ database }) => {
    const db = database()
    const asked = Date.now()
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
    const receivedAt = Date.now()
    const ms = rows[0]?.ms ?? receivedAt
    // PostgreSQL read its clock at some moment between the two.
    const seconds = Math.round(Math.max(0, ms - receivedAt, asked - ms) / 1000)
    const outcome = seconds > FAR_S ? 'far' : seconds > SKEWED_S ? 'differs' : 'ok'
    return { outcome, values: { seconds } }
  },
})

export const databaseChecks = [database, migrations, connections, clock]
