import { createToken } from '../server/modules/tokens/tokens.ts'
import { type Bench, compareWithBaseline } from './harness.ts'
import { load } from './http.ts'
import { createOwner, serverSettings, withDeps } from './meydan.ts'
import { startPostgres, startServer } from './processes.ts'

export const CONNECTIONS = 32

/** Starts a server with the routes of `fixtures/protected-route.ts`, and creates an owner with a token. */
export async function startProtectedRoute() {
  const connection = await startPostgres()
  const { workspace_id, token } = await withDeps(connection, async (deps) => {
    const owner = await createOwner(deps)
    const { token } = await createToken(deps, owner, { name: 'bench', scopes: ['workspace:read'] })
    return { workspace_id: owner.workspace_id, token }
  })
  const { url } = await startServer('fixtures/protected-route.ts', {
    ...serverSettings(connection),
    CONNECTION: JSON.stringify(connection),
  })
  return { connection, url, workspace_id, token }
}

/** Compares the protected route, called with `headers`, with the same route open to anyone, both in one process. */
export function compareWithOpenRoute(bench: Bench, url: string, path: string, headers: Record<string, string>) {
  const call = (path: string) => (seconds: number) =>
    load(url, [path], { connections: CONNECTIONS, seconds, headers, keepAwake: true })
  return compareWithBaseline(bench, {
    unit: 'requests/s',
    rounds: 20,
    seconds: 2,
    value: call(path),
    baseline: call('/api/v1/open'),
  })
}
