import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, inject } from 'vitest'
import { client } from './client.ts'
import { cloneDatabase, databaseUrl } from './database.ts'
import { expectStatus, sessionCookie } from './factories.ts'
import { freePort, kill, startMeydan } from './processes.ts'

const ADMIN = { email: 'admin@example.com', password: 'a password for tests' }

/** A Meydan in a process of its own for each test of a file, with a database that outlives its kills. */
export function killableApp() {
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  let dataDir: string
  let port: number
  let meydan: ChildProcess | undefined

  beforeEach(async () => {
    database = await cloneDatabase(inject('postgres'))
    dataDir = await mkdtemp(join(tmpdir(), 'meydan-crash-'))
    port = await freePort()
  })
  afterEach(async () => {
    await kill(meydan)
    await rm(dataDir, { recursive: true, force: true })
    await database.drop()
  })

  return {
    now: () => ({ database, dataDir, port }),
    start: async (settings: Record<string, string> = {}) => {
      meydan = await startMeydan({
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl(database.connection),
        SECRET_KEY: 'a secret key for tests, long enough',
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        ...settings,
      })
    },
    kill: () => kill(meydan),
    /** Signs the instance admin in, who gets a workspace. */
    signIn: async () => {
      const anyone = client(`http://127.0.0.1:${port}`)
      const { headers } = expectStatus(await anyone.post('/api/auth/sign-in/email', ADMIN), 200)
      const cookie = sessionCookie(headers)
      const admin = anyone.with({ cookie })
      expectStatus(await admin.post('/api/v1/workspaces', { name: 'Crash' }), 201)
      return { admin, cookie }
    },
  }
}
