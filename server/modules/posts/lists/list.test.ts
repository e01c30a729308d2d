import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { MAX_SCANNED } from '../../../lib/db/index-range.ts'

const t = await testApp()
const owner = await withWorkspace(t)

type Listed = { id: string; content: string }

const created = async (body: object, person = owner): Promise<Listed> =>
  expectStatus(await person.post('/api/v1/posts', { content: 'Hello', ...body }), 201).body
const page = async (person: WorkspaceOwner, query: string): Promise<{ data: Listed[]; next_cursor: string | null }> =>
  expectStatus(await person.get(`/api/v1/posts?${query}`), 200).body
const inMinutes = (minutes: number) => new Date(t.clock.now().getTime() + minutes * 60_000).toISOString()

/** Follows the cursors to the end. Returns the ids of each page. */
async function allPages(person: WorkspaceOwner, query: string) {
  const pages: string[][] = []
  let cursor: string | null = ''
  do {
    const { data, next_cursor }: Awaited<ReturnType<typeof page>> = await page(
      person,
      `${query}${cursor && `&cursor=${cursor}`}`,
    )
    pages.push(data.map(({ id }) => id))
    cursor = next_cursor
  } while (cursor)
  return pages
}

/** Adds more posts than one page looks through, which are newer than all others. */
const crowd = ({ workspace_id }: WorkspaceOwner) =>
  sql`insert into post (workspace_id, content, status, scheduled_at)
    select ${workspace_id}, 'Filler', 'published', now() from generate_series(1, ${MAX_SCANNED + 5})`.execute(t.deps.db)

describe('GET /posts in a large workspace', () => {
  test('a page ends after 10,000 posts that do not match, and its cursor leads to those that do', async () => {
    const person = await withWorkspace(t)
    const rare = await playgroundAccount(person)
    const needle = await created({ content: 'A needle', account_ids: [rare], scheduled_at: inMinutes(60) }, person)
    await crowd(person)
    for (const query of [
      'search=needle',
      `account_id=${rare}&search=filler`,
      'status=published&search=needle',
      `from=2000-01-01T00:00:00Z&account_id=${rare}`,
      `updated_since=2000-01-01T00:00:00Z&status=scheduled`,
    ]) {
      const pages = await allPages(person, query)
      const found = query.includes('filler') || query.includes('published') ? [] : [needle.id]
      expect([query, pages.flat()]).toEqual([query, found])
    }
    expect(await allPages(person, 'search=needle')).toEqual([[], [needle.id]])
    expect(await allPages(person, 'search=filler&limit=100')).toSatisfy(
      (pages: string[][]) => new Set(pages.flat()).size === MAX_SCANNED + 5,
    )
  })

  test('the filter of an account finds its posts at once, however many newer ones there are', async () => {
    const person = await withWorkspace(t)
    const rare = await playgroundAccount(person)
    const post = await created({ account_ids: [rare] }, person)
    await crowd(person)
    expect(await allPages(person, `account_id=${rare}`)).toEqual([[post.id]])
  })
})

test('posts of the same time are listed once each, page by page, in both orders of time', async () => {
  const person = await withWorkspace(t)
  const account_ids = [await playgroundAccount(person)]
  const scheduled_at = inMinutes(60)
  const since = t.clock.now().toISOString()
  const ids = [] as string[]
  for (let n = 0; n < 3; n++) ids.push((await created({ account_ids, scheduled_at }, person)).id)
  for (const query of [`from=${scheduled_at}`, `to=${inMinutes(61)}`, `updated_since=${since}`]) {
    expect((await allPages(person, `${query}&limit=1`)).flat()).toEqual(ids)
    expect((await allPages(person, `${query}&limit=2`)).flat()).toEqual(ids)
  }
  expect(await allPages(person, `from=${inMinutes(61)}`)).toEqual([[]])
  expect(await allPages(person, `to=${scheduled_at}`)).toEqual([[]])
})

test('the account of another workspace finds no posts', async () => {
  const other = await withWorkspace(t)
  const account = await playgroundAccount(other)
  await created({ account_ids: [account] }, other)
  expect(await page(owner, `account_id=${account}`)).toEqual({ data: [], next_cursor: null })
})

describe('filters by author and label', () => {
  test('author_id finds the posts that one member wrote, alone and with other filters', async () => {
    const person = await withWorkspace(t)
    const colleague = await memberOf(t, person.workspace_id, 'author')
    const account_id = await playgroundAccount(person)
    const scheduled_at = inMinutes(60)
    await created({ content: 'Mine', account_ids: [account_id], scheduled_at }, person)
    const draft = await created({ content: 'A draft', labels: ['spring'] }, colleague)
    const planned = await created({ content: 'Planned', account_ids: [account_id], scheduled_at }, colleague)
    const theirs = `author_id=${colleague.id}`
    expect((await allPages(person, `${theirs}&limit=1`)).flat()).toEqual([planned.id, draft.id])
    for (const [query, ids] of [
      ['status=draft', [draft.id]],
      [`account_id=${account_id}`, [planned.id]],
      [`from=${inMinutes(0)}`, [planned.id]],
      ['updated_since=2000-01-01T00:00:00Z', [draft.id, planned.id]],
      ['search=draft', [draft.id]],
      ['label=spring', [draft.id]],
    ] as const)
      expect([query, (await page(person, `${theirs}&${query}`)).data.map(({ id }) => id)]).toEqual([query, ids])
  })

  test('author_id finds no posts that the user wrote in another workspace, nor deleted ones', async () => {
    const other = await withWorkspace(t)
    const post = await created({}, other)
    expect(await page(owner, `author_id=${other.id}`)).toEqual({ data: [], next_cursor: null })
    expectStatus(await other.delete(`/api/v1/posts/${post.id}`), 204)
    expect(await page(other, `author_id=${other.id}`)).toEqual({ data: [], next_cursor: null })
  })

  test('label finds the posts with exactly this label, and author_id its posts at once, however many others there are', async () => {
    const person = await withWorkspace(t)
    const spring = await created({ labels: ['news', 'spring'] }, person)
    await created({ labels: ['Spring', 'spring sale'] }, person)
    expect(await allPages(person, 'label=spring')).toEqual([[spring.id]])
    expect(await allPages(person, `label=${encodeURIComponent("%' or")}`)).toEqual([[]])
    await crowd(person)
    expect(await allPages(person, 'label=spring')).toEqual([[], [spring.id]])
    expect((await allPages(person, `author_id=${person.id}`)).map((ids) => ids.length)).toEqual([2])
  })

  test('GET /posts/summaries takes both filters', async () => {
    const person = await withWorkspace(t)
    const post = await created({ labels: ['spring'] }, person)
    await created({}, person)
    const summaries = async (query: string) =>
      expectStatus(await person.get(`/api/v1/posts/summaries?${query}`), 200).body.data.map(({ id }: Listed) => id)
    expect(await summaries('label=spring')).toEqual([post.id])
    expect(await summaries(`author_id=${person.id}`)).toHaveLength(2)
    expect(await summaries(`author_id=${owner.id}`)).toEqual([])
  })

  test('400 for an author that is no id and an empty label', async () => {
    expectProblem(await owner.get('/api/v1/posts?author_id=ada'), 400, 'validation_failed', '/author_id')
    expectProblem(await owner.get('/api/v1/posts?label='), 400, 'validation_failed', '/label')
  })
})

test.each([
  ['ogrenci', 'Öğrenci günü'],
  ['ÖĞRENCİ', 'ogrenci'],
  ['sekerci ışık', 'ŞEKERCİ ISIK'],
  ['cafe', 'Café'],
  ['smorrebrod', 'Smørrebrød'],
  ['günü öğrenci', 'Öğrenci ve öğretmen günü'],
  ['  simit   taze ', 'Taze, sıcak simit'],
  ['strasse', 'Straße'],
  ['한국', '한국어'],
])('the search for %j finds %j', async (search, content) => {
  const person = await withWorkspace(t)
  await created({ content }, person)
  await created({ content: 'Something else: simit' }, person)
  const { data } = await page(person, `search=${encodeURIComponent(search)}`)
  expect(data.map((post) => post.content)).toEqual([content])
})

test('GET /posts/summaries returns a month with 1,000 posts in one call, with what a calendar shows of each', async () => {
  const person = await withWorkspace(t)
  const [account_id, other] = [await playgroundAccount(person), await playgroundAccount(person)]
  const image = await uploaded(person)
  const scheduled_at = inMinutes(60)
  const post = await created(
    { content: 'x'.repeat(300), account_ids: [account_id], media_ids: [image.id], labels: ['spring'], scheduled_at },
    person,
  )
  await sql`with written as (
      insert into post (workspace_id, content, status, scheduled_at)
      select ${person.workspace_id}, repeat('y', 500), 'published', ${inMinutes(61)} from generate_series(1, 999)
      returning id
    )
    insert into post_target (post_id, account_id, position) select id, ${other}, 0 from written`.execute(t.deps.db)
  const month = `from=${inMinutes(0)}&to=${inMinutes(30 * 24 * 60)}`
  const { data, next_cursor } = expectStatus(await person.get(`/api/v1/posts/summaries?${month}`), 200).body
  expect([data.length, next_cursor]).toEqual([1000, null])
  expect(data[0]).toEqual({
    id: post.id,
    excerpt: 'x'.repeat(200),
    is_idea: false,
    held: null,
    thumbnail_url: `/api/v1/media/${image.id}/thumbnail`,
    review: 'none',
    review_scheduled_at: null,
    labels: ['spring'],
    status: 'scheduled',
    scheduled_at,
    published_at: null,
    recurring_post_id: null,
    author_id: person.id,
    targets: [{ account_id, network: 'playground', warning: null }],
    updated_at: expect.any(String),
  })
  expect(data[1].thumbnail_url).toBeNull()
  const mine = expectStatus(await person.get(`/api/v1/posts/summaries?${month}&account_id=${account_id}`), 200).body
  expect(mine.data.map(({ id }: { id: string }) => id)).toEqual([post.id])
  expectProblem(await person.get('/api/v1/posts/summaries?limit=1001'), 400, 'validation_failed', '/limit')
})

test('a page reads its own posts only, also before PostgreSQL has statistics of the table', async () => {
  const young = await testApp()
  const person = await withWorkspace(young)
  await sql`insert into post (workspace_id, content, status, updated_at)
    select ${person.workspace_id}, 'Filler', 'draft', now() from generate_series(1, 5000)`.execute(young.deps.db)
  const statements = vi.spyOn(pg.Client.prototype, 'query')
  expect(expectStatus(await person.get('/api/v1/posts?limit=25'), 200).body.data).toHaveLength(25)
  const configs = statements.mock.calls.map(([config]): pg.QueryConfig => Object(config))
  const { text = '', values = [] } = configs.find(({ text }) => text?.includes('bytes_before')) ?? {}
  statements.mockRestore()
  const { rows } = await young.deps.pool.query(`explain (analyze, format json) ${text}`, values)
  const scanned = [...JSON.stringify(rows).matchAll(/"Relation Name":"post",.*?"Actual Rows":([\d.]+)/g)]
  expect(scanned.map(([, read]) => Number(read))).toEqual([26, 26])
  await young.close()
})
