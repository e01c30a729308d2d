import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ApiResponse, type Client, client } from './client.ts'
import { expectStatus, sessionCookie } from './factories.ts'
import { testImage } from './media.ts'
import { expectProblem } from './problem.ts'
import { freePort, kill, killPostgres, postmasterOf, recoveryTimeout, removeCluster, startMeydan } from './processes.ts'
import { webhookReceiver } from './receiver.ts'
import { scaled } from './run/machine.ts'
import { blueskyServer } from './stand-ins/bluesky.ts'
import { timesOf } from './torture/settings.ts'
import { until } from './until.ts'

// More of it: npm run torture -- postgres. With the real leases: npm run torture -- real-timings
const POSTGRES_KILLS = timesOf('CRASH_POSTGRES_KILLS', 1)
/** Posts that are created before a kill. */
const POSTS = timesOf('CRASH_WRITTEN_POSTS', 40)

const ADMIN = { email: 'admin@example.com', password: 'a password for tests' }
const patient = { timeout: recoveryTimeout() }
vi.setConfig({ testTimeout: scaled(60_000) + recoveryTimeout() })

let dataDir: string
let port: number
let meydan: ChildProcess | undefined

// One instance for all tests of the file: every kill leaves it to the next start, as in production.
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'meydan-crash-'))
  port = await freePort()
})
beforeEach(start)
afterAll(async () => {
  await kill(meydan)
  await killPostgres(dataDir)
  await removeCluster(dataDir)
})

/** Starts Meydan, unless it runs. */
async function start() {
  if (meydan && meydan.exitCode === null && meydan.signalCode === null) return
  meydan = await startMeydan({
    PORT: String(port),
    DATA_DIR: dataDir,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    RATE_LIMIT_AUTH: '0',
    RATE_LIMIT_READ: '0',
    RATE_LIMIT_WRITE: '0',
  })
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function withNewWorkspace() {
  const anyone = client(`http://127.0.0.1:${port}`)
  const { headers } = expectStatus(await anyone.post('/api/auth/sign-in/email', ADMIN), 200)
  const admin = anyone.with({ cookie: sessionCookie(headers) })
  const { body } = expectStatus(await admin.post('/api/v1/workspaces', { name: `Crash ${randomUUID()}` }), 201)
  return admin.with({ 'x-workspace-id': body.id })
}

/** The admin with a workspace and a Bluesky account. */
async function withBluesky() {
  const bluesky = await blueskyServer()
  onTestFinished(bluesky.close)
  const admin = await withNewWorkspace()
  const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
  const { body: account } = expectStatus(await admin.post('/api/v1/accounts', fields), 201)
  const publish = async (content: string) => {
    const post = { content, account_ids: [account.id], publish_now: true }
    const { id } = expectStatus(await admin.post('/api/v1/posts', post), 201).body
    return async () => (await admin.get(`/api/v1/posts/${id}`)).body.status
  }
  return { bluesky, publish }
}

/** All records of a list, from all pages. */
async function readAll(reader: Client, path: string) {
  const records: { id: string; content: string }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: ApiResponse = expectStatus(
      await reader.get(`${path}?limit=100${cursor && `&cursor=${cursor}`}`),
      200,
    )
    records.push(...body.data)
    cursor = body.next_cursor
  }
  return records
}

describe('a worker that is killed while publishing', () => {
  test.each([
    ['after the post arrived', true],
    ['before the post arrived', false],
  ])('a post whose worker was killed %s is completed by the next start, without a duplicate', async (_, arrives) => {
    const { bluesky, publish } = await withBluesky()
    bluesky.failNext({ kind: 'hang', arrives })
    const status = await publish('Only once')
    await bluesky.called('putRecord', 1)
    await kill(meydan)
    expect(bluesky.records.size).toBe(arrives ? 1 : 0)

    await start()
    await expect.poll(status, patient).toBe('published')
    expect(bluesky.records.size).toBe(1)
  })
})

test('after SIGTERM while publishing, Meydan and PostgreSQL end by themselves, and the next start completes the post', async () => {
  const { bluesky, publish } = await withBluesky()
  bluesky.failNext({ kind: 'hang', arrives: true })
  const status = await publish('Interrupted')
  await bluesky.called('putRecord', 1)
  const pid = await postmasterOf(dataDir)
  expect(isAlive(pid)).toBe(true)
  await kill(meydan, 'SIGTERM')
  // A stop that takes too long is cut, and exits with 1.
  expect(meydan?.exitCode).toBe(0)
  expect(await postmasterOf(dataDir)).toBe(0)
  // PostgreSQL has ended, but stays in the process table until the system has reaped it.
  await until(() => expect(isAlive(pid)).toBe(false))

  await start()
  await expect.poll(status, patient).toBe('published')
  expect(bluesky.records.size).toBe(1)
})

test('a call that a killed Meydan left running can be repeated with its key after the next start', async () => {
  const admin = await withNewWorkspace()
  const arrived = Promise.withResolvers<void>()
  const bytes = await testImage()
  let isHanging = true
  const site = createServer((_, response) => {
    if (isHanging) arrived.resolve()
    else response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void site.close().closeAllConnections())
  await once(site, 'listening')
  const { port } = site.address() as AddressInfo
  const key = { 'idempotency-key': randomUUID() }
  const importImage = () => admin.post('/api/v1/media/import', { url: `http://127.0.0.1:${port}/simit.png` }, key)
  const first = importImage().catch(() => undefined)
  await arrived.promise
  expectProblem(await importImage(), 409, 'idempotency_key_in_use')
  await kill(meydan)
  await first
  isHanging = false

  await start()
  expectStatus(await importImage(), 201)
})

test('every request with a 2xx response is stored and its webhook sent although Meydan and PostgreSQL were killed', async () => {
  const admin = await withNewWorkspace()
  const receiver = await webhookReceiver()
  onTestFinished(receiver.close)
  expectStatus(await admin.post('/api/v1/webhooks', { url: receiver.url, events: ['post.created'] }), 201)
  const acknowledged: string[] = []
  const writing = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; ; n++) {
      const response = await admin.post('/api/v1/posts', { content: `${writer}.${n}` }).catch(() => undefined)
      if (response?.status !== 201) return
      acknowledged.push(response.body.id)
    }
  })
  await until(() => expect(acknowledged.length).toBeGreaterThan(POSTS))
  meydan?.kill('SIGKILL')
  await killPostgres(dataDir)
  await Promise.all(writing)
  await kill(meydan)

  await start()
  const kept = new Set((await readAll(admin, '/api/v1/posts')).map(({ id }) => id))
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])

  const undelivered = () => {
    const delivered = new Set(receiver.received.map(({ raw }) => JSON.parse(raw.toString()).data.post.id))
    return acknowledged.filter((id) => !delivered.has(id))
  }
  // Deliveries claimed by the killed process are due again when the lease ends.
  await expect.poll(undelivered, patient).toEqual([])
})

test('posts that are being published when PostgreSQL is killed are published, each once', {
  timeout: (1 + POSTGRES_KILLS) * recoveryTimeout() + scaled(60_000),
}, async () => {
  const admin = await withNewWorkspace()
  const accounts: string[] = []
  for (let n = 0; n < 5; n++) {
    const { body } = expectStatus(await admin.post('/api/v1/accounts', { network: 'playground', name: `P${n}` }), 201)
    accounts.push(body.id)
  }
  const acknowledged: string[] = []
  let killed = false
  const writers = accounts.map(async (account) => {
    for (let n = 0; !killed || n < POSTS / 5; n++) {
      const post = { content: `${account} ${n}`, account_ids: [account], publish_now: true }
      const response = await admin.post('/api/v1/posts', post).catch(() => undefined)
      if (response?.status === 201) acknowledged.push(response.body.id)
    }
  })
  for (let kills = 0; kills < POSTGRES_KILLS; kills++) {
    const before = acknowledged.length
    // PostgreSQL recovers from the kill before it takes posts again.
    await expect.poll(() => acknowledged.length, patient).toBeGreaterThan(before + POSTS)
    await killPostgres(dataDir)
  }
  killed = true
  await Promise.all(writers)

  const unfinished = async () => {
    const waiting = async (status: string) => {
      const response = await admin.get(`/api/v1/posts?status=${status}&limit=100`)
      return response.status === 200 ? response.body.data.length : response.status
    }
    return [await waiting('scheduled'), await waiting('publishing')]
  }
  await expect.poll(unfinished, patient).toEqual([0, 0])
  const shown = (await readAll(admin, '/api/v1/playground')).map(({ content }) => content)
  expect(shown.length).toBeGreaterThanOrEqual(acknowledged.length)
  expect(new Set(shown).size).toBe(shown.length)
})
