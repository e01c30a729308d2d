import type { ChildProcess } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Answer, type Client, client } from './client.ts'
import { expectStatus, sessionCookie } from './factories.ts'
import { freePort, kill, killPostgres, postmasterOf, removeCluster, startMeydan } from './processes.ts'
import { webhookReceiver } from './receiver.ts'
import { blueskyServer } from './stand-ins/bluesky.ts'
import { timesOf } from './torture/settings.ts'

// More of it: npm run torture -- postgres
const POSTGRES_KILLS = timesOf('CRASH_POSTGRES_KILLS', 1)

const ADMIN = { email: 'admin@example.com', password: 'a password for tests' }

let dataDir: string
let port: number
let bluesky: Awaited<ReturnType<typeof blueskyServer>>
let meydan: ChildProcess | undefined

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'meydan-crash-'))
  bluesky = await blueskyServer()
  port = await freePort()
})
afterEach(async () => {
  await kill(meydan)
  await killPostgres(dataDir)
  bluesky.close()
  await removeCluster(dataDir)
})

async function start(): Promise<Client> {
  meydan = await startMeydan({
    PORT: String(port),
    DATA_DIR: dataDir,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  })
  return client(`http://127.0.0.1:${port}`)
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The admin with a workspace and a Bluesky account. */
async function prepare(anyone: Client) {
  const { headers } = expectStatus(await anyone.post('/api/auth/sign-in/email', ADMIN), 200)
  const admin = anyone.with({ cookie: sessionCookie(headers) })
  expectStatus(await admin.post('/api/v1/workspaces', { name: 'Crash' }), 201)
  const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
  const { body: account } = expectStatus(await admin.post('/api/v1/accounts', fields), 201)
  const publish = async (content: string) =>
    expectStatus(await admin.post('/api/v1/posts', { content, account_ids: [account.id], publish_now: true }), 201).body
  return { admin, publish }
}

/** All records of a list, from all pages. */
async function readAll(reader: Client, path: string) {
  const records: { id: string; content: string }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: Answer = expectStatus(await reader.get(`${path}?limit=100${cursor && `&cursor=${cursor}`}`), 200)
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
    const { admin, publish } = await prepare(await start())
    bluesky.failNext({ kind: 'hang', arrives })
    const post = await publish('Only once')
    await bluesky.called('putRecord', 1)
    await kill(meydan)
    expect(bluesky.records.size).toBe(arrives ? 1 : 0)

    await start()
    const status = async () => (await admin.get(`/api/v1/posts/${post.id}`)).body.status
    await expect.poll(status, { timeout: 200_000, interval: 100 }).toBe('published')
    expect(bluesky.records.size).toBe(1)
  })
})

test('SIGTERM while publishing stops all processes within ten seconds, and the next start completes the post', async () => {
  const { admin, publish } = await prepare(await start())
  bluesky.failNext({ kind: 'hang', arrives: true })
  const post = await publish('Interrupted')
  await bluesky.called('putRecord', 1)
  const pid = await postmasterOf(dataDir)
  const begun = performance.now()
  await kill(meydan, 'SIGTERM')
  // PostgreSQL has ended, but stays in the process table until the system has reaped it.
  const left = 10_000 - (performance.now() - begun)
  expect(left).toBeGreaterThan(0)
  await expect.poll(() => isAlive(pid), { timeout: left, interval: 20 }).toBe(false)

  await start()
  const status = async () => (await admin.get(`/api/v1/posts/${post.id}`)).body.status
  await expect.poll(status, { timeout: 200_000, interval: 100 }).toBe('published')
  expect(bluesky.records.size).toBe(1)
})

test('every request with a 2xx response is stored and its webhook sent although Meydan and PostgreSQL were killed', async () => {
  const { admin } = await prepare(await start())
  const receiver = await webhookReceiver()
  onTestFinished(receiver.close)
  expectStatus(await admin.post('/api/v1/webhooks', { url: receiver.url, events: ['post.created'] }), 201)
  const answered: string[] = []
  const writing = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; ; n++) {
      const answer = await admin.post('/api/v1/posts', { content: `${writer}.${n}` }).catch(() => undefined)
      if (answer?.status !== 201) return
      answered.push(answer.body.id)
    }
  })
  await expect.poll(() => answered.length, { timeout: 60_000, interval: 10 }).toBeGreaterThan(100)
  meydan?.kill('SIGKILL')
  await killPostgres(dataDir)
  await Promise.all(writing)

  await start()
  const kept = new Set((await readAll(admin, '/api/v1/posts')).map(({ id }) => id))
  expect(answered.filter((id) => !kept.has(id))).toEqual([])

  const undelivered = () => {
    const delivered = new Set(receiver.received.map(({ raw }) => JSON.parse(raw.toString()).data.post.id))
    return answered.filter((id) => !delivered.has(id))
  }
  // Jobs claimed by the killed process are due again when the lease ends.
  await expect.poll(undelivered, { timeout: 200_000, interval: 500 }).toEqual([])
})

test(
  'posts that are being published when PostgreSQL is killed are published, each once',
  async () => {
    const { admin } = await prepare(await start())
    const accounts: string[] = []
    for (let n = 0; n < 5; n++) {
      const { body } = expectStatus(await admin.post('/api/v1/accounts', { network: 'playground', name: `P${n}` }), 201)
      accounts.push(body.id)
    }
    const answered: string[] = []
    let killed = false
    const writers = accounts.map(async (account) => {
      for (let n = 0; !killed || n < 20; n++) {
        const post = { content: `${account} ${n}`, account_ids: [account], publish_now: true }
        const answer = await admin.post('/api/v1/posts', post).catch(() => undefined)
        if (answer?.status === 201) answered.push(answer.body.id)
      }
    })
    for (let kills = 0; kills < POSTGRES_KILLS; kills++) {
      const before = answered.length
      await expect.poll(() => answered.length, { timeout: 200_000, interval: 10 }).toBeGreaterThan(before + 100)
      await killPostgres(dataDir)
    }
    killed = true
    await Promise.all(writers)

    const unfinished = async () => {
      const waiting = async (status: string) => {
        const answer = await admin.get(`/api/v1/posts?status=${status}&limit=100`)
        return answer.status === 200 ? answer.body.data.length : answer.status
      }
      return [await waiting('scheduled'), await waiting('publishing')]
    }
    await expect.poll(unfinished, { timeout: 200_000, interval: 500 }).toEqual([0, 0])
    const shown = (await readAll(admin, '/api/v1/playground')).map(({ content }) => content)
    expect(shown.length).toBeGreaterThanOrEqual(answered.length)
    expect(new Set(shown).size).toBe(shown.length)
  },
  400_000 * POSTGRES_KILLS,
)
