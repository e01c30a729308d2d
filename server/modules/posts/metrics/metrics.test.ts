import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, openSession, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { mastodonServer } from '../../../../test/stand-ins/mastodon.ts'
import { accountNumbers, postNumbers } from '../../../../test/stand-ins/numbers.ts'
import { findDueAccountMetrics } from '../../accounts/metrics/read-metrics.ts'
import { recognizeColumns } from '../import/file/columns.ts'
import { findDuePostMetrics } from './read-metrics.ts'

const t = await testApp()
const server = await mastodonServer()
afterAll(() => server.close())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Account = { owner: WorkspaceOwner; account: string; token: string }

async function connected(): Promise<Account> {
  const owner = await withWorkspace(t)
  const { token } = server.addAccount()
  const fields = { network: 'mastodon', server: server.url, access_token: token }
  const { body } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  await readDue()
  return { owner, account: body.id, token }
}

async function published({ owner, account }: Account, content = 'Fresh simit') {
  const post = { content, account_ids: [account], publish_now: true }
  const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
  await t.runJobs()
  return String(body.id)
}

/** Reads what is due, as the minutely jobs do. */
async function readDue() {
  await findDueAccountMetrics(t.deps)
  await findDuePostMetrics(t.deps)
  await t.runJobs()
}

async function later(wait: number) {
  t.advance(wait)
  await readDue()
}

/** In a session of its own: the first one ends while the clock advances. */
async function read({ owner }: Account, path: string) {
  const reader = t.anyone.with(await openSession(t, owner.id)).with({ 'x-workspace-id': owner.workspace_id })
  return expectStatus(await reader.get(path), 200).body
}

const ofPost = (on: Account, id: string) => read(on, `/api/v1/posts/${id}/metrics`)
const targetOf = async (on: Account, id: string) => (await ofPost(on, id)).targets[0]
const ofAccount = (on: Account, query = '') => read(on, `/api/v1/accounts/${on.account}/metrics${query}`)

/** Calls of the server about statuses. */
const statusCalls = ({ token }: Account) =>
  server.calls.filter(
    ({ method, path, headers }) =>
      method === 'GET' && /\/statuses\/\d+$/.test(path) && headers.authorization === `Bearer ${token}`,
  ).length

describe('GET /posts/:id/metrics', () => {
  test('a post is read often in its first days, then seldom, and no more after 90 days', async () => {
    const on = await connected()
    const id = await published(on)
    const [first] = (await ofPost(on, id)).targets
    expect(first).toMatchObject({ state: 'planned', read_at: null, error: null, history: [] })
    expect(Date.parse(first.next_read_at) - t.clock.now().getTime()).toBe(15 * MINUTE)
    const ages: number[] = []
    const start = t.clock.now().getTime()
    for (let next = first.next_read_at; next !== null; next = (await targetOf(on, id)).next_read_at) {
      ages.push((Date.parse(next) - start) / HOUR)
      await later(Date.parse(next) - t.clock.now().getTime())
    }
    const days = [1, 2, 3, 5, 7, 14, 30, 60, 90].map((day) => day * 24)
    expect(ages).toEqual([0.25, 1, 3, 6, 12, ...days])
    const { targets, total } = await ofPost(on, id)
    expect(targets[0].history).toHaveLength(ages.length)
    expect(total).toEqual({
      ...{ likes: postNumbers.likes, comments: postNumbers.comments, shares: postNumbers.shares },
      ...{ quotes: postNumbers.quotes, views: null, reach: null, saves: null, clicks: null },
    })
    await later(30 * DAY)
    expect((await targetOf(on, id)).history).toHaveLength(ages.length)
  })

  test('GET /posts/export.csv has the numbers of a post in columns, which an import ignores', async () => {
    const on = await connected()
    await published(on)
    await later(15 * MINUTE)
    const csv: string = await read(on, '/api/v1/posts/export.csv')
    const [names = [], cells = []] = csv
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    const cell = Object.fromEntries(names.map((name, index) => [name, cells[index]]))
    expect(cell).toMatchObject({
      ...{ views: '', likes: '212', comments: '18', shares: '31', quotes: '4', saves: '', clicks: '' },
      text: 'Fresh simit',
      published_at: expect.stringMatching(/Z$/),
      published_urls: expect.stringContaining('http'),
    })
    expect(names).not.toContain('reach')
    const { fields } = recognizeColumns(names)
    expect(fields.slice(names.indexOf('published_at'))).toEqual(Array(9).fill('ignore'))
  })

  test('nodes that find the same due posts at once read them once', async () => {
    const on = await connected()
    await published(on)
    t.advance(15 * MINUTE)
    await Promise.all([1, 2, 3, 4].map(() => findDuePostMetrics(t.deps)))
    await t.runJobs()
    expect(statusCalls(on)).toBe(1)
  })

  test('a post that the network no longer has keeps its last numbers and says so', async () => {
    const on = await connected()
    const id = await published(on)
    await later(15 * MINUTE)
    for (const post of server.posts.values()) post.deleted = true
    await later(HOUR)
    expect(await targetOf(on, id)).toMatchObject({ state: 'absent', metrics: { likes: postNumbers.likes } })
  })

  test('a reading that fails says why and is repeated, and the numbers before it stay', async () => {
    const on = await connected()
    const id = await published(on)
    await later(15 * MINUTE)
    server.failAlways({ kind: 'response', status: 503, error: 'Down for maintenance' })
    await later(HOUR)
    server.failAlways()
    expect(await targetOf(on, id)).toMatchObject({
      ...{ state: 'read', metrics: { likes: postNumbers.likes }, error: { code: 'network_unavailable' } },
      next_read_at: new Date(t.clock.now().getTime() + HOUR).toISOString(),
    })
    await later(HOUR)
    const { error, history } = await targetOf(on, id)
    expect(error).toBeNull()
    expect(history).toHaveLength(2)
  })

  test('a post that the network refuses to show keeps its reason to itself, and the others are read', async () => {
    const on = await connected()
    const ids = [await published(on, 'One'), await published(on, 'Two'), await published(on, 'Three')]
    const second = [...server.posts.values()].find(
      ({ text, account }) => text === 'Two' && `token-${account.id}` === on.token,
    )
    server.refused.add(second?.id ?? '')
    await later(15 * MINUTE)
    const states = await Promise.all(ids.map((id) => targetOf(on, id)))
    expect(states).toMatchObject([
      { state: 'read', error: null },
      { state: 'planned', error: { code: 'rejected_by_network' } },
      { state: 'read', error: null },
    ])
    expect(Date.parse(states[1].next_read_at) - t.clock.now().getTime()).toBe(45 * MINUTE)
  })

  test('the network is not asked for accounts that are paused or disconnected', async () => {
    const on = await connected()
    const id = await published(on)
    expectStatus(await on.owner.patch(`/api/v1/accounts/${on.account}`, { paused: true }), 200)
    await later(HOUR)
    expect(statusCalls(on)).toBe(0)
    expectStatus(await on.owner.patch(`/api/v1/accounts/${on.account}`, { paused: false }), 200)
    await later(DAY)
    expect((await targetOf(on, id)).state).toBe('read')
    expectStatus(await on.owner.delete(`/api/v1/accounts/${on.account}`), 204)
    await later(30 * DAY)
    expect(await targetOf(on, id)).toMatchObject({ state: 'read', next_read_at: null })
    expect(statusCalls(on)).toBe(1)
  })

  test('a network that reports nothing, a draft and a post that was taken back have no numbers', async () => {
    const on = await connected()
    const { body: playground } = expectStatus(await on.owner.post('/api/v1/accounts', { network: 'playground' }), 201)
    const post = { content: 'Tea', account_ids: [playground.id, on.account] }
    const { body: draft } = expectStatus(await on.owner.post('/api/v1/posts', post), 201)
    const none = { state: 'unsupported', read_at: null, next_read_at: null, history: [] }
    expect((await ofPost(on, draft.id)).targets).toMatchObject([none, none])
    expectStatus(await on.owner.post(`/api/v1/posts/${draft.id}/publish`), 200)
    await t.runJobs()
    expect((await ofPost(on, draft.id)).targets).toMatchObject([none, { state: 'planned' }])
    expectStatus(await on.owner.post(`/api/v1/posts/${draft.id}/unpublish`), 200)
    await t.runJobs()
    await later(HOUR)
    expect((await ofPost(on, draft.id)).targets).toMatchObject([none, none])
    expect(statusCalls(on)).toBe(0)
  })

  test('404 for a post of another workspace and an unknown one', async () => {
    const on = await connected()
    const id = await published(on)
    const { owner } = await connected()
    expectProblem(await owner.get(`/api/v1/posts/${id}/metrics`), 404, 'not_found')
    expectProblem(await owner.get(`/api/v1/accounts/${on.account}/metrics`), 404, 'not_found')
  })
})

describe('GET /accounts/:id/metrics', () => {
  test('an account is read once a day, and the days are listed with the sums of its posts', async () => {
    const on = await connected()
    expect(await ofAccount(on)).toMatchObject({
      ...{ state: 'read', metrics: accountNumbers, error: null, days: [accountNumbers] },
      ...{ next_read_at: new Date(t.clock.now().getTime() + DAY).toISOString() },
      published: { posts: 0, metrics: { likes: null } },
    })
    await published(on, 'One')
    await published(on, 'Two')
    for (let day = 0; day < 3; day++) await later(DAY)
    const { days, published: posts } = await ofAccount(on)
    expect(days).toHaveLength(4)
    expect(days.map(({ day }: { day: string }) => day)).toEqual(
      [3, 2, 1, 0].map((ago) => new Date(t.clock.now().getTime() - ago * DAY).toISOString().slice(0, 10)),
    )
    expect(posts).toMatchObject({ posts: 2, metrics: { likes: 2 * postNumbers.likes, views: null } })
    expect(await ofAccount(on, '?days=1')).toMatchObject({ days: [accountNumbers], published: { posts: 0 } })
    expectProblem(
      await on.owner.get(`/api/v1/accounts/${on.account}/metrics?days=367`),
      400,
      'validation_failed',
      '/days',
    )
  })

  test('a second reading on one day replaces the first', async () => {
    const on = await connected()
    await t.deps.db.updateTable('account_metrics').set({ due_at: t.clock.now() }).execute()
    await readDue()
    expect((await ofAccount(on)).days).toHaveLength(1)
  })

  test('credentials that are refused are reported, and leave the account connected', async () => {
    const on = await connected()
    const refused = { kind: 'response', status: 401, error: 'The access token is invalid' } as const
    server.failAlways(refused)
    await later(DAY)
    server.failAlways()
    expect(await ofAccount(on)).toMatchObject({
      state: 'read',
      error: { code: 'unauthorized', message: 'The access token is invalid' },
    })
    const { body } = expectStatus(await on.owner.get(`/api/v1/accounts/${on.account}`), 200)
    expect(body.status).toBe('connected')
  })
})
