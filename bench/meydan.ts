import type pg from 'pg'
import { readConfig } from '../server/config/config.ts'
import { createDeps } from '../server/deps.ts'
import type { ConnectionConfig } from '../server/lib/db/database.ts'
import type { Deps } from '../server/lib/deps.ts'
import type { Member } from '../server/lib/http/access.ts'
import { setUpCode } from '../server/modules/auth/instance-admin.ts'
import { setUp } from '../server/modules/workspaces/setup.ts'
import { HOUR } from '../shared/time.ts'
import { postJson } from './http.ts'
import { startServer } from './processes.ts'

const SECRET_KEY = 'a secret key for benches, long enough'
/** More requests than any bench sends: counting towards a limit is measured, refusing is not. */
const RATE_LIMITS = { RATE_LIMIT_READ: '1000000', RATE_LIMIT_WRITE: '1000000', RATE_LIMIT_AUTH: '100000' }
/** Signs in as the first user. */
export const OWNER = { email: 'bench@example.com', password: 'correct horse battery' }

/** Settings of a node that serves this database, with every check enabled that runs on each call. */
export const serverSettings = ({ user, password, host, database }: ConnectionConfig) => ({
  ROLE: 'api',
  SECRET_KEY,
  DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@localhost/${database}?host=${encodeURIComponent(String(host))}`,
  ...RATE_LIMITS,
})

export const CLI = '../server/cli.ts'

/** Runs `meydan serve` in its own process. */
export const startMeydan = (settings: Record<string, string>) => startServer(CLI, settings, ['serve'])

/** Runs `work` in this process with the dependencies of a node on this database, and closes them afterwards. */
export async function withDeps<T>(
  connection: ConnectionConfig,
  work: (deps: Deps) => Promise<T>,
  settings: Record<string, string> = {},
) {
  const config = readConfig({ SECRET_KEY, LOG_LEVEL: 'error', ...settings })
  // Filling a database takes longer than a query of a request may.
  const deps = await createDeps(config, { ...connection, query_timeout: HOUR })
  try {
    return await work(deps)
  } finally {
    await deps.close()
  }
}

/** Creates the first user, who owns a workspace. */
export async function createOwner(deps: Deps): Promise<Member> {
  const anonymous = { ip: '127.0.0.1', user_agent: null, user_id: null }
  const input = { ...OWNER, code: setUpCode(deps.keyring), name: 'Bench', workspace_name: 'Bench' }
  const { user_id, workspace_id } = await setUp(deps, anonymous, input)
  if (!workspace_id) throw new Error('set-up created no workspace')
  const identity = { user_id, email: OWNER.email, is_instance_admin: true, session_id: null, token: null }
  return { ...anonymous, ...identity, workspace_id, role: 'owner' }
}

/** Creates a user who signs in with the password of the owner, as a member of no workspace. */
export async function createUser({ pool }: Deps, owner: Member, email: string): Promise<Member> {
  const { rows } = await pool.query<{ id: string }>(
    `with made as (insert into "user" (email, name, email_verified) values ($1, $1, true) returning id)
    insert into credential (user_id, account_id, provider_id, password)
    select made.id, made.id::text, provider_id, password from made, credential where user_id = $2 returning user_id as id`,
    [email, owner.user_id],
  )
  const [made] = rows
  if (!made) throw new Error('The owner has no password')
  return { ...owner, user_id: made.id, email, is_instance_admin: false }
}

/** Signs in as the owner, or as another user with the same password. Returns the cookies to send. */
export async function signIn(url: string, email = OWNER.email) {
  const { headers } = await postJson(`${url}/api/auth/sign-in/email`, { ...OWNER, email })
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

/** Runs a statement without the statement timeout of the pool, which is too short for millions of rows. */
export async function runLongStatement(pool: pg.Pool, statement: string, values: unknown[] = []) {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(statement, values)
  } finally {
    client.release(true)
  }
}
