/** An instance in a process of its own, from which scripts publish to real servers of networks. */
import type { ChildProcess } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client } from '../test/client.ts'
import { expectStatus, sessionCookie } from '../test/factories.ts'
import { freePort, kill, killPostgres, removeCluster, startMeydan } from '../test/processes.ts'

const ADMIN = { email: 'admin@example.com', password: 'a password of this script' }

/** An instance that can be killed and started again. */
export async function instance() {
  const dataDir = await mkdtemp(join(tmpdir(), 'meydan-real-data-'))
  const port = await freePort()
  let meydan: ChildProcess | undefined
  const start = async () => {
    const { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } = ADMIN
    meydan = await startMeydan({ PORT: String(port), DATA_DIR: dataDir, ADMIN_EMAIL, ADMIN_PASSWORD })
  }
  await start()
  const anyone = client(`http://127.0.0.1:${port}`)
  const { headers } = expectStatus(await anyone.post('/api/auth/sign-in/email', ADMIN), 200)
  const admin = anyone.with({ cookie: sessionCookie(headers) })
  expectStatus(await admin.post('/api/v1/workspaces', { name: 'Real' }), 201)
  return {
    admin,
    killAndStart: async () => {
      await kill(meydan)
      await start()
    },
    close: async () => {
      await kill(meydan)
      await killPostgres(dataDir)
      await removeCluster(dataDir)
    },
  }
}
