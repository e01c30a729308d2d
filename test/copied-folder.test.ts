import { execFile } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { client } from './client.ts'
import { expectStatus, sessionCookie } from './factories.ts'
import { freePort, kill, killPostgres, processTimings, removeCluster, startMeydan } from './processes.ts'
import { blueskyServer } from './stand-ins/bluesky.ts'
import { until } from './until.ts'

/** Time after which posts are due: enough for the stop before the copy. */
const DUE_MS = 4000
const ADMIN = { email: 'admin@example.com', password: 'a password for tests' }

/** An embedded Meydan that can be stopped, and its folder copied. */
async function embeddedMeydan() {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-copied-'))
  const dataDir = join(folder, 'data')
  const port = await freePort()
  const settings = {
    PORT: String(port),
    DATA_DIR: dataDir,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    // The test asks again and again.
    RATE_LIMIT_READ: '0',
  }
  let meydan: Awaited<ReturnType<typeof startMeydan>> | undefined
  onTestFinished(async () => {
    await kill(meydan)
    await killPostgres(dataDir)
    await removeCluster(dataDir)
    await rm(folder, { recursive: true, force: true })
  })
  const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to])
  return {
    anyone: client(`http://127.0.0.1:${port}`),
    start: async () => {
      meydan = await startMeydan(settings)
    },
    stop: () => kill(meydan, 'SIGTERM'),
    /** Copies the folder, and its cluster if that is elsewhere. Returns what puts the copy back. */
    copyFolder: async () => {
      const places = [dataDir]
      const cluster = await realpath(join(dataDir, 'postgres'))
      if (!cluster.startsWith(await realpath(dataDir))) places.push(cluster)
      const copies = places.map((place, index) => ({ place, saved: join(folder, `copy-${index}`) }))
      for (const { place, saved } of copies) await copy(place, saved)
      return async () => {
        for (const { place, saved } of copies) {
          await rm(place, { recursive: true })
          await copy(saved, place)
        }
      }
    },
  }
}

test('a folder that was copied back publishes nothing again that went out after the copy: it holds it', async () => {
  const bluesky = await blueskyServer()
  onTestFinished(bluesky.close)
  const { anyone, start, stop, copyFolder } = await embeddedMeydan()
  await start()
  const signedIn = expectStatus(await anyone.post('/api/auth/sign-in/email', ADMIN), 200)
  const admin = anyone.with({ cookie: sessionCookie(signedIn.headers) })
  expectStatus(await admin.post('/api/v1/workspaces', { name: 'Bakery' }), 201)
  const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
  const account = expectStatus(await admin.post('/api/v1/accounts', fields), 201).body.id
  const holdAfter = async (value: number) =>
    expectStatus(await admin.put('/api/v1/options/posts.publish_late_minutes', { value }), 200)
  // An hour late would be too long for a test to wait.
  await holdAfter(0)
  const schedule = async (content: string, ms: number) => {
    const post = { content, account_ids: [account], scheduled_at: new Date(Date.now() + ms).toISOString() }
    return `/api/v1/posts/${expectStatus(await admin.post('/api/v1/posts', post), 201).body.id}`
  }
  const due = [await schedule('First', DUE_MS), await schedule('Second', DUE_MS)]
  const later = await schedule('Later', 3600_000)
  await stop()
  const stoppedAt = Date.now()
  const putBack = await copyFolder()

  await start()
  // Without any tolerance, a heartbeat that is late on a busy machine holds posts too.
  await holdAfter(60)
  // The restart itself can make a post late.
  for (const post of due) expect([200, 409]).toContain((await admin.post(`${post}/publish`)).status)
  for (const post of due)
    await until(async () => expect((await admin.get(post)).body).toMatchObject({ status: 'published' }))
  await stop()
  expect(bluesky.count('putRecord')).toBe(2)
  const silence = Math.max(DUE_MS, 2 * processTimings().nodeSilence)
  await until(() => expect(Date.now()).toBeGreaterThan(stoppedAt + silence))
  await putBack()

  await start()
  for (const post of due)
    await until(async () => expect((await admin.get(post)).body).toMatchObject({ status: 'scheduled', held: 'late' }))
  expect((await admin.get('/api/v1/posts/counts')).body).toMatchObject({ held: 2 })
  expect((await admin.get(later)).body).toMatchObject({ status: 'scheduled', held: null })
  expect(bluesky.count('putRecord')).toBe(2)
  await holdAfter(60)
  const [first = ''] = due
  expectStatus(await admin.post(`${first}/publish`), 200)
  await until(async () => expect((await admin.get(first)).body).toMatchObject({ status: 'published' }))
  expect(bluesky.count('putRecord')).toBe(3)
})
