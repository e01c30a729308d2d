import type { ConnectionConfig } from '../../server/lib/db/database.ts'
import type { TestApp } from '../app.ts'
import { databaseUrl } from '../database.ts'
import { startProcess } from '../processes.ts'

/** Starts a worker in a process of its own, on the database of `t`, by default without a proxy. */
export const startTortureWorker = (
  { deps, database }: TestApp,
  settings: Record<string, string> = {},
  connection: ConnectionConfig = database.connection,
) =>
  startProcess(['test/torture/worker.ts'], {
    SECRET_KEY: String(deps.config.SECRET_KEY),
    DATABASE_URL: databaseUrl({ ...connection, database: database.connection.database }),
    BASE_URL: 'http://meydan.test',
    ...settings,
  })
