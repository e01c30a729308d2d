import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import type { Client } from '../client.ts'
import { expectStatus, playgroundAccount, signedIn, withWorkspace } from '../factories.ts'
import { expectProblem } from '../problem.ts'

const t = await testApp()
const owner = await withWorkspace(t)

describe('ids, limits and cursors', () => {
  test.each(['1', 'x', 'null', '01890000-0000-7000-8000-00000000000', '{01890000-0000-7000-8000-000000000000}', '-'])(
    '400 for the id %j, with its pointer',
    async (id) => {
      for (const path of ['posts', 'webhooks', 'accounts'])
        expectProblem(await owner.get(`/api/v1/${path}/${id}`), 400, 'validation_failed', '/id')
    },
  )

  test('404 for an unknown id, in any letter case and version of UUID', async () => {
    for (const id of [randomUUID(), randomUUID().toUpperCase(), '00000000-0000-0000-0000-000000000000'])
      expectProblem(await owner.get(`/api/v1/posts/${id}`), 404, 'not_found')
  })

  test.each(['0', '-1', '101', '1.5', '1e400', '99999999999999999999999', 'x', '', 'null', 'Infinity', '1&limit=2'])(
    '400 for limit=%s, with its pointer',
    async (limit) => {
      for (const path of ['posts', 'webhooks', 'accounts', 'api-tokens', 'workspaces', 'playground'])
        expectProblem(await owner.get(`/api/v1/${path}?limit=${limit}`), 400, 'validation_failed', '/limit')
    },
  )

  test.each([
    'x',
    '',
    "'; drop table post; --",
    Buffer.from('not an id').toString('base64url'),
    Buffer.from(`${randomUUID()}'`).toString('base64url'),
    randomUUID(),
    'x'.repeat(101),
  ])('400 for the cursor %j, with its pointer', async (cursor) => {
    for (const path of ['posts', 'webhooks', 'accounts', 'api-tokens', 'workspaces', 'playground']) {
      const response = await owner.get(`/api/v1/${path}?cursor=${encodeURIComponent(cursor)}`)
      expectProblem(response, 400, 'validation_failed', '/cursor')
    }
  })

  test('400 for an unknown query parameter', async () => {
    expectProblem(await owner.get('/api/v1/posts?page=2'), 400, 'validation_failed', '/page')
    expectProblem(await owner.get('/api/v1/workspaces?__proto__=x'), 400, 'validation_failed', '/__proto__')
  })

  test('paging repeats and skips no row while rows are added and deleted', async () => {
    const own = await withWorkspace(t)
    const create = async (content: string) =>
      expectStatus(await own.post('/api/v1/posts', { content }), 201).body.id as string
    const before: string[] = []
    for (let n = 0; n < 23; n++) before.unshift(await create(`before ${n}`))
    const gone = before[12] ?? ''
    const seen: string[] = []
    let pages = 0
    for (let cursor = ''; ; ) {
      const { body } = expectStatus(await own.get(`/api/v1/posts?limit=5${cursor}`), 200)
      seen.push(...body.data.map((row: { id: string }) => row.id))
      pages++
      await create(`meanwhile ${pages}`)
      if (pages === 1) expectStatus(await own.delete(`/api/v1/posts/${gone}`), 204)
      if (body.next_cursor === null) break
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(seen).toEqual(before.filter((id) => id !== gone))
    expect(pages).toBe(5)
  })

  test('a page that ends with the last row has no next_cursor', async () => {
    const own = await withWorkspace(t)
    for (let n = 0; n < 4; n++) expectStatus(await own.post('/api/v1/posts', { content: 'x' }), 201)
    const first = (await own.get('/api/v1/posts?limit=2')).body
    const second = (await own.get(`/api/v1/posts?limit=2&cursor=${first.next_cursor}`)).body
    expect([first.data.length, second.data.length, second.next_cursor]).toEqual([2, 2, null])
    // The format of all releases: a cursor must outlive an upgrade.
    expect(first.next_cursor).toBe(Buffer.from(first.data[1].id).toString('base64url'))
    expect((await own.get('/api/v1/posts?limit=4')).body.next_cursor).toBeNull()
  })
})

describe('large and slow reads', () => {
  /** Follows the cursors to the end. Returns the beginnings of the texts of each page. */
  async function textsOfPages(person: Client, path: string, field: string) {
    const pages: string[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor && `&cursor=${cursor}`
      const { body } = expectStatus(await person.get(`${path}limit=100${query}`), 200)
      pages.push(body.data.map((row: Record<string, string>) => row[field]?.split(' ', 1)[0]))
      if (body.data.length > 1) expect(JSON.stringify(body).length).toBeLessThan(510_000)
      cursor = body.next_cursor
    }
    return pages
  }
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n))

  test('a page of long posts ends before its limit, and cursors lead through all of them once', async () => {
    const writer = await withWorkspace(t)
    const account = await playgroundAccount(writer)
    const scheduled_at = new Date(t.clock.now().getTime() + 3600_000).toISOString()
    const text = (n: number) => `${n} ${'x'.repeat(n % 2 ? 60_000 : 10)}`
    for (let n = 0; n < 20; n++) {
      const targets = [{ account_id: account, content: 'ş'.repeat(400) }]
      expectStatus(await writer.post('/api/v1/posts', { content: text(n), scheduled_at, targets }), 201)
    }
    const ascending = ['from=2000-01-01T00:00:00Z&', 'updated_since=2000-01-01T00:00:00Z&']
    const descending = ['', `account_id=${account}&`, `author_id=${writer.id}&`, 'status=scheduled&', 'search=x&']
    for (const query of [...ascending, ...descending]) {
      const pages = await textsOfPages(writer, `/api/v1/posts?${query}`, 'content')
      const order = ascending.includes(query) ? numbers(20) : numbers(20).reverse()
      expect([query, pages.flat(), pages.length > 1]).toEqual([query, order, true])
    }
  })

  test('a page has at least one record, however long it is', async () => {
    const person = await withWorkspace(t)
    await sql`insert into playground_post (workspace_id, account_id, attempt_key, content)
      select ${person.workspace_id}, ${await playgroundAccount(person)}, 'long ' || n, n || ' ' || repeat('x', 60000)
      from generate_series(0, 19) as n`.execute(t.deps.db)
    const pages = await textsOfPages(person, '/api/v1/playground?', 'content')
    expect(pages.flat()).toEqual(numbers(20).reverse())
    expect(pages.map((page) => page.length)).toEqual([8, 8, 4])

    await sql`insert into mail (to_address, key, locale, subject, body_text, body_html, state)
      select 'x@example.com', 'long', 'en', n, repeat('x', 600000), '', 'sent' from generate_series(0, 2) as n`.execute(
      t.deps.db,
    )
    const admin = await signedIn(t, { instanceAdmin: true })
    expect(await textsOfPages(admin, '/api/v1/admin/outbox?search=long&', 'subject')).toEqual([['2'], ['1'], ['0']])
  })

  test('the slow reads of one user leave database connections for others', async () => {
    const greedy = await withWorkspace(t)
    const other = await withWorkspace(t)
    const reads = await t.deps.db.transaction().execute(async (tx) => {
      await sql`lock table post in access exclusive mode`.execute(tx)
      const waiting = Array.from({ length: 40 }, () => greedy.get('/api/v1/posts'))
      // Responds while the reads wait: this does not need the table.
      for (let round = 0; round < 10; round++) expectStatus(await other.get('/api/v1/workspaces'), 200)
      return { waiting }
    })
    for (const response of await Promise.all(reads.waiting)) expectStatus(response, 200)
  })
})
