import { createToken } from '../server/modules/tokens/tokens.ts'
import { type Bench, load, sideBySide, startPostgres, startServer } from './harness.ts'
import { inMeydan, newOwner, serverSettings } from './meydan.ts'

export const CONNECTIONS = 32

/** A server with the route of `floors/verify.ts`, and an owner with a token. */
export async function startVerifier() {
  const connection = await startPostgres()
  const { workspace_id, token } = await inMeydan(connection, async (deps) => {
    const owner = await newOwner(deps)
    const { token } = await createToken(deps, owner, { name: 'bench', scopes: ['workspace:read'] })
    return { workspace_id: owner.workspace_id, token }
  })
  const { url } = await startServer(new URL('floors/verify.ts', import.meta.url), {
    ...serverSettings(connection),
    CONNECTION: JSON.stringify(connection),
  })
  return { connection, url, workspace_id, token }
}

/** The closed route, called with `headers`, against the same route open to anyone, both in one process. */
export async function againstOpen({ quick, say }: Bench, url: string, path: string, headers: Record<string, string>) {
  const call = (path: string) => (seconds: number) =>
    load(url, [path], { connections: CONNECTIONS, seconds, headers, awake: true })
  return {
    ...(await sideBySide({
      rounds: quick ? 4 : 20,
      seconds: quick ? 1 : 2,
      value: call(path),
      floor: call('/api/v1/open'),
      say,
    })),
    unit: 'requests/s',
  }
}
