import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { webhookReceiver } from '../../../test/receiver.ts'
import { blueskyServer } from '../../../test/stand-ins/bluesky.ts'
import { inTransaction } from '../../lib/db/database.ts'

let t: TestApp
let owner: WorkspaceOwner
let account: string
beforeAll(async () => {
  t = await testApp()
  owner = await withWorkspace(t)
  account = await playgroundAccount(owner)
})
afterAll(() => t.close())

const create = (body: object, person = owner) => person.post('/api/v1/posts', { content: 'Hello', ...body })
const created = async (body: object = {}, person = owner) => expectStatus(await create(body, person), 201).body
const inMinutes = (minutes: number) => new Date(t.clock.now().getTime() + minutes * 60_000).toISOString()
const published = async (person = owner) => {
  const post = await created({ account_ids: [account], publish_now: true }, person)
  await t.runJobs()
  return post
}

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

/** Connects an account of the owner on a separate Bluesky. */
async function withBluesky() {
  const bluesky = await blueskyServer()
  const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
  const { body } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  return { account: body.id as string, bluesky }
}

describe('the whole flow', () => {
  test('a scheduled post is published at its time, and a webhook receives both events', async () => {
    const owner = await withWorkspace(t)
    const account = await playgroundAccount(owner)
    const receiver = await webhookReceiver()
    expectStatus(await owner.post('/api/v1/webhooks', { url: receiver.url, events: ['*'] }), 201)
    t.dispatch()

    const scheduled_at = new Date(t.clock.now().getTime() + 60_000).toISOString()
    const created = expectStatus(
      await owner.post('/api/v1/posts', { content: 'Hello', account_ids: [account], scheduled_at }),
      201,
    )
    expect(created.body).toMatchObject({ status: 'scheduled', scheduled_at, targets: [{ status: 'pending' }] })

    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${created.body.id}`)).body.status).toBe('scheduled')
    await t.advance(60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${created.body.id}`)).body).toMatchObject({
      status: 'published',
      targets: [{ status: 'published' }],
    })
    await receiver.until((received) => received.length === 2)
    expect(receiver.received.map((message) => message.type)).toEqual(['post.created', 'post.published'])
    receiver.close()
  })
})

describe('POST /posts', () => {
  test('201 creates a draft without an account or a text', async () => {
    const post = await created({ content: '', labels: ['idea'] })
    expect(post).toMatchObject({
      status: 'draft',
      scheduled_at: null,
      targets: [],
      labels: ['idea'],
      author_id: owner.id,
    })
    expect(post.warnings).toEqual([{ pointer: '/targets', message: 'Choose at least one account.' }])
  })

  test('201 creates a draft that is too long, with a warning', async () => {
    const post = await created({ content: 'x'.repeat(5001), account_ids: [account] })
    expect(post.warnings).toMatchObject([
      { pointer: '/content', message: 'Playground allows at most 5000 characters; this text has 5001.' },
    ])
  })

  test('201 counts characters as readers see them', async () => {
    expect((await created({ content: '👨‍👩‍👧‍👦'.repeat(5000), account_ids: [account] })).warnings).toEqual([])
  })

  test('201 returns a time with an offset in UTC', async () => {
    const scheduled_at = inMinutes(60).replace('Z', '+00:00')
    const post = await created({ scheduled_at, account_ids: [account] })
    expect(post).toMatchObject({
      status: 'scheduled',
      scheduled_at: new Date(scheduled_at).toISOString(),
      warnings: [],
    })
  })

  test('201 accepts a time less than a minute ago as now', async () => {
    expect((await created({ scheduled_at: inMinutes(-0.9), account_ids: [account] })).status).toBe('scheduled')
  })

  const id = '01a1fc38-46b0-733e-b506-dd1c233cfde5'
  test.each<[object, string]>([
    [{ content: 7 }, '/content'],
    [{ content: 'x'.repeat(65_537) }, '/content'],
    [{ content: 'a\u0000b' }, '/content'],
    [{ content: 'a\ud800b' }, '/content'],
    [{ content: ' ', publish_now: true, account_ids: ['ACCOUNT'] }, '/content'],
    [{ content: 'x'.repeat(5001), publish_now: true, account_ids: ['ACCOUNT'] }, '/content'],
    [{ publish_now: true }, '/targets'],
    [{ publish_now: true, account_ids: [] }, '/account_ids'],
    [{ account_ids: [id] }, '/account_ids/0'],
    [{ account_ids: ['ACCOUNT', id] }, '/account_ids/1'],
    [{ account_ids: ['not-an-id'] }, '/account_ids/0'],
    [{ targets: [{ account_id: id }] }, '/targets/0/account_id'],
    [{ targets: [{ account_id: 'ACCOUNT' }, { account_id: 'ACCOUNT' }] }, '/targets/1/account_id'],
    [{ targets: [{ account_id: 'ACCOUNT', content: 'x'.repeat(5001) }], publish_now: true }, '/targets/0/content'],
    [{ targets: [{ account_id: 'ACCOUNT', options: { colour: 'red' } }] }, '/targets/0/options/colour'],
    [{ targets: [{ account_id: 'ACCOUNT', tone: 'x' }] }, '/targets/0/tone'],
    [{ targets: [{ account_id: 'ACCOUNT' }], account_ids: ['ACCOUNT'] }, '/targets'],
    [{ account_ids: ['ACCOUNT'], scheduled_at: '2020-01-01T00:00:00Z' }, '/scheduled_at'],
    [{ account_ids: ['ACCOUNT'], scheduled_at: '9999-12-31T23:59:59Z' }, '/scheduled_at'],
    [{ account_ids: ['ACCOUNT'], scheduled_at: '+99999-01-01T00:00:00Z' }, '/scheduled_at'],
    [{ account_ids: ['ACCOUNT'], scheduled_at: '2030-02-30' }, '/scheduled_at'],
    [{ account_ids: ['ACCOUNT'], scheduled_at: '2099-01-01T00:00:00Z', publish_now: true }, '/publish_now'],
    [{ labels: ['a', 'a'] }, '/labels'],
    [{ labels: ['a', ' '] }, '/labels/1'],
    [{ labels: ['a\nb'] }, '/labels/0'],
    [{ labels: ['a\u200bb'] }, '/labels/0'],
    [{ media_ids: [] }, '/media_ids'],
  ])('400 for %j, with the pointer %s', async (body, pointer) => {
    const filled = JSON.parse(JSON.stringify(body).replaceAll('ACCOUNT', account))
    expectProblem(await create(filled), 400, 'validation_failed', pointer)
  })

  test('400 for an account that is listed twice in different letter case', async () => {
    const twice = [account, account.toUpperCase()]
    expectProblem(await create({ account_ids: twice }), 400, 'validation_failed', '/account_ids/1')
    const targets = twice.map((account_id) => ({ account_id }))
    expectProblem(await create({ targets }), 400, 'validation_failed', '/targets/1/account_id')
    expect((await created({ account_ids: twice.slice(1) })).targets).toMatchObject([{ account_id: account }])
  })

  test('400 read_only for a field that only publishing sets', async () => {
    expectProblem(await create({ status: 'published' }), 400, 'read_only', '/status')
  })

  test('400 when the texts for many accounts together exceed the size of an event', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => playgroundAccount(owner)))
    const targets = accounts.map((account_id) => ({ account_id, content: 'x'.repeat(65_000) }))
    expectProblem(await create({ targets }), 400, 'validation_failed', '/content')
  })

  test('400 for an account of another workspace, as for an unknown one', async () => {
    const other = await withWorkspace(t)
    expectProblem(await create({ account_ids: [account] }, other), 400, 'validation_failed', '/account_ids/0')
  })

  test('403 for viewers and for tokens that may only read', async () => {
    expectProblem(await create({}, await memberOf(t, owner.workspace_id, 'viewer')), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['posts:read'])
    expectProblem(await reader.post('/api/v1/public/posts', { content: 'x' }), 403, 'insufficient_scope')
  })
})

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
      const answer = await member.get('/api/v1/posts?search=needle')
      if (answer.status === 429 && ++refused === 6) turnedAway.resolve()
      return answer
    })
    await turnedAway.promise
    expectStatus(await person.get('/api/v1/accounts'), 200)
    await unlock()
    const answers = await Promise.all(searches)
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(10).fill(200), ...Array(6).fill(429)])
    for (const answer of answers)
      if (answer.status === 429) {
        expectProblem(answer, 429, 'too_many_requests')
        expect(answer.headers.get('retry-after')).toBe('1')
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

describe('PATCH /posts/:id', () => {
  test('a post names the member who changed it last, and nobody while it is new or only being published', async () => {
    const colleague = await memberOf(t, owner.workspace_id, 'editor')
    const post = await created({ account_ids: [account] })
    expect(post.updated_by_id).toBeNull()
    const path = `/api/v1/posts/${post.id}`
    expect(expectStatus(await colleague.patch(path, { content: 'Hi' }), 200).body.updated_by_id).toBe(colleague.id)
    expect(expectStatus(await owner.post(`${path}/publish`), 200).body.updated_by_id).toBe(owner.id)
    await t.runJobs()
    expect((await owner.get(path)).body).toMatchObject({ status: 'published', updated_by_id: owner.id })
  })

  test('updated_at increases with each change, even within one millisecond', async () => {
    const { body: post } = expectStatus(await owner.post('/api/v1/posts', { content: '0' }), 201)
    const times: string[] = [post.updated_at]
    for (const content of ['1', '2', '3'])
      times.push(expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { content }), 200).body.updated_at)
    expect(new Set(times).size).toBe(4)
    expect(times.toSorted()).toEqual(times)
  })

  test('200 changes text, labels, targets and time, and a null time makes the post a draft', async () => {
    const post = await created({ account_ids: [account], scheduled_at: inMinutes(10) })
    const change = (body: object) => owner.patch(`/api/v1/posts/${post.id}`, body)
    const later = inMinutes(20)
    expect((await change({ content: 'New', labels: ['a'], scheduled_at: later })).body).toMatchObject({
      content: 'New',
      labels: ['a'],
      status: 'scheduled',
      scheduled_at: later,
    })
    await t.advance(10 * 60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('scheduled')
    expect((await change({ scheduled_at: null })).body).toMatchObject({ status: 'draft', scheduled_at: null })
    await t.advance(60 * 60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('draft')
    expect((await change({ targets: [] })).body.targets).toEqual([])
  })

  test('200 reorders, adds and removes targets', async () => {
    const [second, third] = [await playgroundAccount(owner), await playgroundAccount(owner)]
    const post = await created({ account_ids: [account, second] })
    for (const account_ids of [[third, second, account], [second], []]) {
      const { body } = expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { account_ids }), 200)
      expect(body.targets.map((target: { account_id: string }) => target.account_id)).toEqual(account_ids)
    }
  })

  test('200 reschedules a failed post, which is published at the new time', async () => {
    const { account: network, bluesky } = await withBluesky()
    for (const more of [{}, { account_ids: [network] }]) {
      bluesky.failNext({ kind: 'answer', status: 400, error: 'InvalidRequest' })
      const post = await created({ account_ids: [network], publish_now: true })
      await t.runJobs()
      const read = async () => (await owner.get(`/api/v1/posts/${post.id}`)).body
      expect((await read()).status).toBe('failed')
      const { body } = expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { content: 'Better', ...more }), 200)
      expect(body).toMatchObject({
        status: 'draft',
        scheduled_at: null,
        targets: [{ status: 'pending', error_code: null, error_message: null, attempts: 0 }],
      })
      expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { scheduled_at: inMinutes(5) }), 200)
      await t.runJobs()
      expect((await read()).status).toBe('scheduled')
      await t.advance(5 * 60_000)
      await t.runJobs()
      expect((await read()).status).toBe('published')
    }
    bluesky.close()
  })

  test('400 for a change that would make a scheduled post unpublishable, and nothing changes', async () => {
    const post = await created({ account_ids: [account], scheduled_at: inMinutes(10) })
    expectProblem(
      await owner.patch(`/api/v1/posts/${post.id}`, { account_ids: [] }),
      400,
      'validation_failed',
      '/account_ids',
    )
    expectProblem(await owner.patch(`/api/v1/posts/${post.id}`, {}), 400, 'validation_failed')
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body).toEqual(post)
    await t.advance(10 * 60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('published')
  })

  test('403 for authors who change the post of another user, 200 for editors', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const [mine, theirs] = [await created({}, author), await created()]
    expectStatus(await author.patch(`/api/v1/posts/${mine.id}`, { content: 'x' }), 200)
    expectProblem(await author.patch(`/api/v1/posts/${theirs.id}`, { content: 'x' }), 403, 'forbidden_role')
    expectProblem(await author.delete(`/api/v1/posts/${theirs.id}`), 403, 'forbidden_role')
    expectProblem(await author.post(`/api/v1/posts/${theirs.id}/publish`), 403, 'forbidden_role')
    expectStatus(await editor.patch(`/api/v1/posts/${mine.id}`, { content: 'y' }), 200)
  })

  test('404 for a post of another workspace', async () => {
    const post = await created()
    const other = await withWorkspace(t)
    expectProblem(await other.patch(`/api/v1/posts/${post.id}`, { content: 'x' }), 404, 'not_found')
    expectProblem(await other.get(`/api/v1/posts/${post.id}`), 404, 'not_found')
    expectProblem(await other.delete(`/api/v1/posts/${post.id}`), 404, 'not_found')
  })

  test('409 with the state for a published post', async () => {
    const post = await published()
    const answer = await owner.patch(`/api/v1/posts/${post.id}`, { content: 'x' })
    expectProblem(answer, 409, 'invalid_transition')
    expect(answer.body.state).toBe('published')
  })
})

describe('DELETE /posts/:id', () => {
  test('204 keeps a scheduled post from being published, and leaves a published one on its network', async () => {
    const content = 'To be deleted'
    const scheduled = await created({ content, account_ids: [account], scheduled_at: inMinutes(1) })
    expectStatus(await owner.delete(`/api/v1/posts/${scheduled.id}`), 204)
    await t.advance(120_000)
    await t.runJobs()
    const timeline = async () => (await owner.get('/api/v1/playground?limit=100')).body.data
    expect((await timeline()).map((entry: { content: string }) => entry.content)).not.toContain(content)
    const post = await published()
    const before = await timeline()
    expectStatus(await owner.delete(`/api/v1/posts/${post.id}`), 204)
    expectProblem(await owner.delete(`/api/v1/posts/${post.id}`), 404, 'not_found')
    expect(await timeline()).toEqual(before)
  })

  test('409 while the post is being published', async () => {
    const { account: network, bluesky } = await withBluesky()
    bluesky.failNext({ kind: 'hang_up', arrives: true })
    const post = await created({ account_ids: [network], publish_now: true })
    await t.runJobs()
    for (const answer of [
      await owner.delete(`/api/v1/posts/${post.id}`),
      await owner.patch(`/api/v1/posts/${post.id}`, { content: 'x' }),
      await owner.post(`/api/v1/posts/${post.id}/publish`),
      await owner.post(`/api/v1/posts/${post.id}/retry`),
    ]) {
      expectProblem(answer, 409, 'invalid_transition')
      expect(answer.body.state).toBe('publishing')
    }
    bluesky.close()
  })
})

describe('POST /posts/:id/publish', () => {
  test('200 publishes a draft at once, and 409 for the second call', async () => {
    const post = await created({ account_ids: [account] })
    expect(expectStatus(await owner.post(`/api/v1/posts/${post.id}/publish`), 200).body.status).toBe('scheduled')
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('published')
    expectProblem(await owner.post(`/api/v1/posts/${post.id}/publish`), 409, 'invalid_transition')
  })

  test('400 for an incomplete draft, which stays a draft', async () => {
    const post = await created()
    expectProblem(await owner.post(`/api/v1/posts/${post.id}/publish`), 400, 'validation_failed', '/targets')
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('draft')
  })

  test('one of twenty concurrent calls succeeds, and the post is published once', async () => {
    const post = await created({ content: 'Twenty', account_ids: [account] })
    await Promise.all(Array.from({ length: 20 }, () => owner.post(`/api/v1/posts/${post.id}/publish`)))
    await t.runJobs()
    const { body } = await owner.get('/api/v1/playground?limit=100')
    expect(body.data.filter((entry: { content: string }) => entry.content === 'Twenty')).toHaveLength(1)
  })
})

describe('POST /posts/:id/retry', () => {
  test('200 although an account that was published to is disconnected', async () => {
    const { account: network, bluesky } = await withBluesky()
    const reached = await playgroundAccount(owner)
    bluesky.failNext({ kind: 'answer', status: 400, error: 'InvalidRequest' })
    const post = await created({ account_ids: [reached, network], publish_now: true })
    await t.runJobs()
    expectStatus(await owner.delete(`/api/v1/accounts/${reached}`), 204)
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`), 200)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('published')
    bluesky.close()
  })

  test('400 when the account that failed is disconnected', async () => {
    const gone = await playgroundAccount(owner)
    const post = await created({ account_ids: [gone], publish_now: true })
    expectStatus(await owner.delete(`/api/v1/accounts/${gone}`), 204)
    await t.runJobs()
    expectProblem(await owner.post(`/api/v1/posts/${post.id}/retry`), 400, 'validation_failed', '/targets/0')
  })

  test('409 for a post that has not failed', async () => {
    expectProblem(await owner.post(`/api/v1/posts/${(await created()).id}/retry`), 409, 'invalid_transition')
    expectProblem(await owner.post(`/api/v1/posts/${(await published()).id}/retry`), 409, 'invalid_transition')
  })
})
