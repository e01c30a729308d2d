import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../../test/factories.ts'
import { postCalls } from '../../../../test/posts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { inTransaction } from '../../../lib/db/database.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

const { created, inMinutes } = postCalls(() => ({ t, owner, account }))

/** Returns the texts that a search finds. */
const finder =
  (person: WorkspaceOwner) =>
  async (search: string): Promise<string[]> =>
    expectStatus(await person.get(`/api/v1/posts?search=${encodeURIComponent(search)}`), 200).body.data.map(
      (post: { content: string }) => post.content,
    )

/** Blocks reads of posts. Returns the unlock function. */
async function lockPosts() {
  const [locked, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lock = inTransaction(t.deps.db, async (tx) => {
    await sql`lock table post in access exclusive mode`.execute(tx)
    locked.resolve()
    await unlocked.promise
  })
  await locked.promise
  return () => {
    unlocked.resolve()
    return lock
  }
}

describe('GET /posts', () => {
  test('200 filters by status, account and time, page by page', async () => {
    const person = await withWorkspace(t)
    const [first, second] = [await playgroundAccount(person), await playgroundAccount(person)]
    await created({}, person)
    const soon = await created({ account_ids: [first], scheduled_at: inMinutes(60) }, person)
    const late = await created({ account_ids: [first, second], scheduled_at: inMinutes(600) }, person)
    const ids = async (query: string) =>
      expectStatus(await person.get(`/api/v1/posts?${query}`), 200).body.data.map((post: { id: string }) => post.id)
    expect(await ids('status=scheduled')).toEqual([late.id, soon.id])
    expect(await ids(`account_id=${second}`)).toEqual([late.id])
    expect(await ids(`from=${inMinutes(30)}&to=${inMinutes(90)}`)).toEqual([soon.id])
    const page = expectStatus(await person.get('/api/v1/posts?status=scheduled&limit=1'), 200).body
    expect(await ids(`status=scheduled&limit=1&cursor=${page.next_cursor}`)).toEqual([soon.id])
    expect(await ids(`from=0000-01-01T00:00:00Z`)).toEqual([soon.id, late.id])
    const first_page = expectStatus(await person.get(`/api/v1/posts?to=${inMinutes(700)}&limit=1`), 200).body
    expect(await ids(`to=${inMinutes(700)}&limit=1&cursor=${first_page.next_cursor}`)).toEqual([late.id])
  })

  test('200 finds a part of the text in any letter case, and treats wildcards as ordinary characters', async () => {
    const person = await withWorkspace(t)
    for (const content of ['Yazlık İNDİRİM başladı', '100% cotton', '1000 threads', 'snake_case', 'snakeXcase \\n'])
      await created({ content }, person)
    const found = finder(person)
    expect(await found('yazlık')).toEqual(['Yazlık İNDİRİM başladı'])
    expect(await found('BAŞLADI')).toEqual(['Yazlık İNDİRİM başladı'])
    expect(await found('baŞla')).toEqual(['Yazlık İNDİRİM başladı'])
    expect(await found('0%')).toEqual(['100% cotton'])
    expect(await found('E_C')).toEqual(['snake_case'])
    expect(await found('\\N')).toEqual(['snakeXcase \\n'])
    expect(await found('%')).toEqual(['100% cotton'])
    expect(await found('nowhere')).toEqual([])
  })

  test.each([
    ['ısparta', 'ISPARTA'],
    ['isparta', 'Isparta'],
    ['ılık', 'ILIK'],
    ['ILIK', 'ılık'],
    ['İZMİR', 'izmir'],
    ['izmir', 'İzmir'],
    ['izmir', 'I\u0307ZMI\u0307R'],
    ['istanbul', 'İstanbul'.toLowerCase()],
    ['ÇAĞ', 'çağ'],
    ['café'.normalize('NFD'), 'Café'.normalize('NFC')],
    ['CAFÉ'.normalize('NFC'), 'Café'.normalize('NFD')],
  ])('the search for %s finds %s', async (search, content) => {
    const person = await withWorkspace(t)
    await created({ content }, person)
    expect(await finder(person)(search)).toEqual([content])
  })

  test('the search covers the first 5,000 characters of the current text', async () => {
    const person = await withWorkspace(t)
    const found = finder(person)
    const content = `${'🎈'.repeat(4995)}first last`
    const { id } = await created({ content }, person)
    expect([await found('FIRST'), await found('last')]).toEqual([[content], []])
    expectStatus(await person.patch(`/api/v1/posts/${id}`, { content: 'other' }), 200)
    expect([await found('first'), await found('OTHER')]).toEqual([[], ['other']])
  })

  test('429 for too many concurrent searches of a workspace, while other requests and later searches succeed', async () => {
    const person = await withWorkspace(t)
    await created({ content: 'needle' }, person)
    // Each user has two searches at a time, so it takes several to reach the limit of their workspace.
    const members = await Promise.all(Array.from({ length: 8 }, () => memberOf(t, person.workspace_id, 'viewer')))
    const unlock = await lockPosts()
    const turnedAway = Promise.withResolvers<void>()
    let refused = 0
    const searches = [...members, ...members].map(async (member) => {
      const response = await member.get('/api/v1/posts?search=needle')
      if (response.status === 429 && ++refused === 6) turnedAway.resolve()
      return response
    })
    await turnedAway.promise
    expectStatus(await person.get('/api/v1/accounts'), 200)
    await unlock()
    const responses = await Promise.all(searches)
    expect(responses.map((response) => response.status).sort()).toEqual([...Array(10).fill(200), ...Array(6).fill(429)])
    for (const response of responses)
      if (response.status === 429) {
        expectProblem(response, 429, 'too_many_requests')
        expect(response.headers.get('retry-after')).toBe('1')
      }
    expectStatus(await person.get('/api/v1/posts?search=needle'), 200)
  })

  test('400 search_too_slow for a search that takes seconds', async () => {
    const unlock = await lockPosts()
    expectProblem(await owner.get('/api/v1/posts?search=x'), 400, 'search_too_slow')
    await unlock()
  })

  test('200 lists posts that changed since a time, combined with other filters, page by page', async () => {
    const person = await withWorkspace(t)
    const mine = await playgroundAccount(person)
    const [first, second, third] = [
      await created({}, person),
      await created({ account_ids: [mine], scheduled_at: inMinutes(60) }, person),
      await created({}, person),
    ]
    await t.advance(1000)
    const since = encodeURIComponent(t.clock.now().toISOString())
    const ids = async (query = '') =>
      expectStatus(await person.get(`/api/v1/posts?updated_since=${since}${query}`), 200).body.data.map(
        (post: { id: string }) => post.id,
      )
    expect(await ids()).toEqual([])
    for (const { id } of [first, second])
      expectStatus(await person.patch(`/api/v1/posts/${id}`, { content: 'Changed' }), 200)
    expect(await ids()).toEqual([first.id, second.id])
    expect(await ids('&status=draft')).toEqual([first.id])
    expect(await ids(`&from=${inMinutes(0)}&to=${inMinutes(90)}`)).toEqual([second.id])
    const page = (await person.get(`/api/v1/posts?updated_since=${since}&limit=1`)).body
    expect(await ids(`&limit=1&cursor=${page.next_cursor}`)).toEqual([second.id])
    expect(await ids('&search=change')).not.toContain(third.id)
  })

  test.each([
    'status=burning',
    'account_id=x',
    'from=yesterday',
    'limit=0',
    'limit=101',
    'cursor=x',
    'colour=red',
    'updated_since=now',
    'search=',
  ])('400 for ?%s', async (query) => {
    expectProblem(await owner.get(`/api/v1/posts?${query}`), 400, 'validation_failed', `/${query.split('=')[0]}`)
  })
})
