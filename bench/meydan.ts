import { readConfig } from '../server/config.ts'
import { createDeps, type Deps } from '../server/deps.ts'
import type { Member } from '../server/lib/access.ts'
import type { ConnectionConfig } from '../server/lib/database.ts'
import { setUpCode } from '../server/modules/auth/auth.ts'
import { setUp } from '../server/modules/workspaces/setup.ts'

const SECRET_KEY = 'a secret key for benches, long enough'
/** More than any bench can reach: what is measured is a limit that counts, not one that refuses. */
const LIMIT = '1000000'
export const OWNER = { email: 'bench@example.com', password: 'correct horse battery' }

/** Settings of a Meydan that serves on this database, with everything switched on that it does for each call. */
export const serverSettings = ({ user, password, host, database }: ConnectionConfig) => ({
  ROLE: 'api',
  SECRET_KEY,
  DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@localhost/${database}?host=${encodeURIComponent(String(host))}`,
  RATE_LIMIT_READ: LIMIT,
  RATE_LIMIT_WRITE: LIMIT,
})

/** Works with a Meydan of its own on this database, which is gone afterwards. */
export async function inMeydan<T>(
  connection: ConnectionConfig,
  work: (deps: Deps) => Promise<T>,
  settings: Record<string, string> = {},
) {
  const deps = await createDeps(readConfig({ SECRET_KEY, LOG_LEVEL: 'error', ...settings }), connection)
  try {
    return await work(deps)
  } finally {
    await deps.close()
  }
}

/** The first user, who owns a workspace. */
export async function newOwner(deps: Deps): Promise<Member> {
  const anonymous = { ip: '127.0.0.1', user_agent: null, user_id: null }
  const input = { ...OWNER, code: setUpCode(deps.keyring), name: 'Bench', workspace_name: 'Bench' }
  const { user_id, workspace_id } = await setUp(deps, anonymous, input)
  if (!workspace_id) throw new Error('set-up made no workspace')
  const identity = { user_id, email: OWNER.email, is_instance_admin: true, session_id: null, token: null }
  return { ...anonymous, ...identity, workspace_id, role: 'owner' }
}
