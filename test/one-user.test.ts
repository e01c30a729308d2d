import { once } from 'node:events'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from './app.ts'
import type { ApiResponse } from './client.ts'
import { expectStatus, signedIn, withWorkspace } from './factories.ts'
import { expectProblem } from './problem.ts'
import { holdTimers } from './timers.ts'
import { until } from './until.ts'

const t = await testApp()

/** Runs `work` while every query that needs the table waits. `waiting` counts those queries. */
const whileLocked = async <T>(table: string, work: (waiting: () => Promise<number>) => Promise<T>) =>
  t.deps.db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
    return work(async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_locks where not granted and relation = ${table}::regclass
          and database = (select oid from pg_database where datname = current_database())`.execute(t.deps.db)
      return rows[0]?.count ?? 0
    })
  })

/** Sends calls of one user and one of another. Expects that `most` of the user run, and that the other does. */
async function expectRunning(
  most: number,
  send: () => Promise<ApiResponse>,
  calls: number,
  { table = 'post', path = '/api/v1/posts', isAdmin = false } = {},
) {
  const other = await (isAdmin ? signedIn(t, { instanceAdmin: true }) : withWorkspace(t))
  const pending = await whileLocked(table, async (waiting) => {
    const pending = [...Array.from({ length: calls }, send), other.get(path)]
    await until(async () => expect(await waiting()).toBe(most + 1))
    for (let round = 0; round < 20; round++) expect(await waiting()).toBe(most + 1)
    return pending
  })
  return Promise.all(pending)
}

describe('what one user does at a time on a node', () => {
  test('is at most two large pages, four other pages or sixteen records, and all are returned in the end', async () => {
    const user = await withWorkspace(t)
    const { body: post } = expectStatus(await user.post('/api/v1/posts', { content: 'One' }), 201)
    for (const [path, most] of [
      ['/api/v1/posts?limit=100', 2],
      ['/api/v1/posts?search=one', 2],
      ['/api/v1/posts', 4],
      [`/api/v1/posts/${post.id}`, 16],
    ] as const) {
      for (const response of await expectRunning(most, () => user.get(path), 24)) expectStatus(response, 200)
    }
  })

  test('is at most eight changes, or two with large bodies', async () => {
    const user = await withWorkspace(t)
    for (const [length, most] of [
      [10, 8],
      [65_536, 2],
    ] as const) {
      const create = () => user.post('/api/v1/posts', { content: 'x'.repeat(length) })
      for (const response of (await expectRunning(most, create, 12)).slice(0, -1)) expectStatus(response, 201)
    }
  })

  test('is at most four calls of a payment provider, or two checks of the whole ledger', async () => {
    const user = await withWorkspace(t)
    for (const path of ['/api/v1/billing/change-plan?plan_code=pro', '/api/v1/billing/payment-method'])
      for (const { status } of await expectRunning(4, () => user.get(path), 8, { table: 'subscription', path }))
        expect(status).toBeOneOf([402, 404])
    const admin = await signedIn(t, { instanceAdmin: true })
    const [table, path] = ['ledger_account', '/api/v1/admin/ledger/check']
    const checks = await expectRunning(2, () => admin.get(path), 6, { table, path, isAdmin: true })
    for (const response of checks) expectStatus(response, 200)
  })

  test('includes calls whose client has left, because their work goes on', async () => {
    const user = await withWorkspace(t)
    const create = (signal?: AbortSignal) =>
      user.call('POST', '/api/v1/posts', { body: { content: 'One' }, ...(signal && { signal }) })
    const later = await whileLocked('post', async (waiting) => {
      const leaving = new AbortController()
      const left = Array.from({ length: 8 }, () => create(leaving.signal).catch(() => undefined))
      await until(async () => expect(await waiting()).toBe(8))
      leaving.abort()
      await Promise.all(left)
      const later = Array.from({ length: 4 }, () => create())
      for (let round = 0; round < 30; round++) expect(await waiting()).toBe(8)
      return later
    })
    for (const response of await Promise.all(later)) expectStatus(response, 201)
  })

  test('includes responses that the user does not read', async () => {
    const user = await signedIn(t)
    expectStatus(await user.post('/api/v1/workspaces', { name: 'Unread' }), 201)
    // Longer than what the operating system holds for a connection.
    const content = '\u0001'.repeat(28_000)
    for (let n = 0; n < 6; n++) expectStatus(await user.post('/api/v1/posts', { content }), 201)
    const { port, hostname } = new URL(t.url)
    const sockets = [connect(Number(port), hostname), connect(Number(port), hostname)]
    const page = `GET /api/v1/posts?limit=100 HTTP/1.1\r\nhost: meydan.test\r\ncookie: ${user.headers.cookie}\r\n\r\n`
    for (const socket of sockets) {
      await once(socket, 'connect')
      socket.pause()
      socket.write(page.repeat(20))
    }
    const other = await withWorkspace(t)
    const readByOther = async () => {
      for (let n = 0; n < 50; n++) expectStatus(await other.get('/api/v1/posts?limit=100'), 200)
    }
    // Once the operating system holds no more, a page of this user waits as long as the connections are open.
    const own = await until(async () => {
      const page = user.get('/api/v1/posts?limit=100')
      expect(await Promise.race([page, readByOther()])).toBeUndefined()
      return { page }
    })
    for (const socket of sockets) socket.destroy()
    expectStatus(await own.page, 200)
  })

  test('leaves further calls waiting, and refuses them with 429 when 300 wait already', async () => {
    const user = await withWorkspace(t)
    const responses = await whileLocked('post', async () => {
      const pending = Array.from({ length: 320 }, () => user.get('/api/v1/posts'))
      expectProblem(await Promise.race(pending), 429, 'too_many_requests')
      return pending
    }).then((pending) => Promise.all(pending))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(304)
    for (const response of responses) expect(['1', null]).toContain(response.headers.get('retry-after'))
  })
})

describe('large texts', () => {
  test('end a page by the bytes that they take as JSON, and cursors lead through all of them once', async () => {
    const user = await withWorkspace(t)
    for (let n = 0; n < 16; n++)
      expectStatus(await user.post('/api/v1/posts', { content: `${n} ${'\u0001'.repeat(28_000)}` }), 201)
    const seen: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor && `&cursor=${cursor}`
      const { body } = expectStatus(await user.get(`/api/v1/posts?limit=100${query}`), 200)
      expect(JSON.stringify(body).length).toBeLessThan(1_010_000)
      seen.push(...body.data.map(({ content }: { content: string }) => Number(content.split(' ', 1)[0])))
      cursor = body.next_cursor
    }
    expect(seen).toEqual(Array.from({ length: 16 }, (_, n) => 15 - n))
  })

  test('an export reads them in small batches, and has each once', async () => {
    const user = await withWorkspace(t)
    const values = Array.from({ length: 120 }, (_, n) => ({
      workspace_id: user.workspace_id,
      author_id: user.id,
      content: `${n} ${'x'.repeat(n % 60 === 0 ? 60_000 : 20)}`,
      status: 'draft' as const,
    }))
    for (const value of values) await t.deps.db.insertInto('post').values(value).execute()
    const { body } = expectStatus(await user.get('/api/v1/me/export'), 200)
    expect(body.posts.map(({ content }: { content: string }) => content)).toEqual(values.map(({ content }) => content))
  })
})

test('a user who goes on calling far over the limit waits a second for each refusal', async () => {
  const limited = await testApp({ RATE_LIMIT_READ: '1' })
  try {
    const user = await signedIn(limited)
    const refused = async () => expectProblem(await user.get('/api/v1/me'), 429, 'too_many_requests')
    expectStatus(await user.get('/api/v1/me'), 200)
    await Promise.all(Array.from({ length: 300 }, refused))
    const pauses = holdTimers(1000)
    let hasEnded = false
    const late = refused().finally(() => {
      hasEnded = true
    })
    // Libraries of the process have timers of a second too, so this one may be another's.
    await until(() => expect(pauses.count()).toBeGreaterThan(0))
    // A call that is refused without a pause would have ended before these.
    const other = await signedIn(limited)
    expectStatus(await other.get('/api/v1/me'), 200)
    expectProblem(await other.get('/api/v1/me'), 429, 'too_many_requests')
    expect(hasEnded).toBe(false)
    await until(() => {
      pauses.expire()
      expect(hasEnded).toBe(true)
    })
    await late
  } finally {
    await limited.close()
  }
})
