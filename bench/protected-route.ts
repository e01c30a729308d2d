import { createToken } from '../server/modules/tokens/tokens.ts'
import { createWorkspace } from '../server/modules/workspaces/workspaces.ts'
import { type Bench, compareWithBaseline } from './harness.ts'
import { load } from './http.ts'
import { createOwner, createUser, serverSettings, withDeps } from './meydan.ts'
import { startPostgres, startServer } from './processes.ts'

export const CONNECTIONS = 32
/** Each in turn. One alone would reach its limit of requests a minute, of which a million is the largest. */
const OWNERS = 3

/** Starts a server with the routes of `fixtures/protected-route.ts`, and creates owners of a workspace with a token each. */
export async function startProtectedRoute() {
  const connection = await startPostgres()
  const owners = await withDeps(connection, async (deps) => {
    const first = await createOwner(deps)
    const others = Array.from({ length: OWNERS - 1 }, async (_, index) => {
      const user = await createUser(deps, first, `owner${index}@example.com`)
      const { id } = await createWorkspace(deps.db, user, { name: user.email })
      return { ...user, workspace_id: id }
    })
    const withToken = [first, ...(await Promise.all(others))].map(async (owner) => {
      const { token } = await createToken(deps, owner, { name: 'bench', scopes: ['workspace:read'] })
      return { email: owner.email, workspace_id: owner.workspace_id, token }
    })
    return Promise.all(withToken)
  })
  const { url } = await startServer('fixtures/protected-route.ts', {
    ...serverSettings(connection),
    CONNECTION: JSON.stringify(connection),
  })
  return { connection, url, owners }
}

/**
 * Compares the protected route with the same route open to anyone, both in one process. `credentials`: headers of each
 * caller, which take turns.
 */
export function compareWithOpenRoute(bench: Bench, url: string, path: string, credentials: Record<string, string>[]) {
  const call = (path: string) => {
    let turn = 0
    return (seconds: number) => {
      const headers = credentials[turn++ % credentials.length] ?? {}
      return load(url, [path], { connections: CONNECTIONS, seconds, headers, keepAwake: true })
    }
  }
  return compareWithBaseline(bench, {
    unit: 'requests/s',
    rounds: 20,
    seconds: 2,
    value: call(path),
    baseline: call('/api/v1/open'),
  })
}
