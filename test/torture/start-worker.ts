import type { ConnectionConfig } from '../../server/lib/db/database.ts'
import type { TestApp } from '../app.ts'
import { databaseUrl } from '../database.ts'
import { freePort, startProcess } from '../processes.ts'

/** Starts a worker in a process of its own, on the database of `t`, by default without a proxy. */
export const startTortureWorker = (
  t: TestApp,
  settings: Record<string, string> = {},
  connection: ConnectionConfig = t.database.connection,
) => startOn('test/torture/worker.ts', t, settings, connection)

/** Starts a node that serves the API too, on the clock of `t` as it is now. Returns its process and its address. */
export async function startTortureNode(
  t: TestApp,
  settings: Record<string, string>,
  connection: ConnectionConfig = t.database.connection,
) {
  const port = String(await freePort())
  const CLOCK_AHEAD_MS = String(t.clock.now().getTime() - Date.now())
  const node = await startOn('test/torture/node.ts', t, { PORT: port, CLOCK_AHEAD_MS, ...settings }, connection)
  return { process: node, url: `http://127.0.0.1:${port}` }
}

const startOn = (
  file: string,
  { deps, database }: TestApp,
  settings: Record<string, string>,
  connection: ConnectionConfig,
) =>
  startProcess([file], {
    SECRET_KEY: String(deps.config.SECRET_KEY),
    DATABASE_URL: databaseUrl({ ...connection, database: database.connection.database }),
    BASE_URL: 'http://meydan.test',
    ...settings,
  })
