import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount } from '../../../../test/factories.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { saveCredentials } from '../../accounts/accounts.ts'
import { advance, eventsOf, type Published, publishNow, read, SECOND, withBluesky } from './publishing.fixture.ts'
import { publishTarget } from './publishing.ts'

const t = await testApp()
const bluesky = await blueskyServer()
afterAll(() => bluesky.close())

describe('rejected posts', () => {
  test('a rejected target fails with the message of the network, and the other targets are published', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const playground = await playgroundAccount(owner)
    bluesky.failNext({ kind: 'response', status: 400, error: 'InvalidRequest' })
    const post = await publishNow(owner, { account_ids: [account, playground] })
    await t.runJobs()
    const done = await read(owner, post)
    expect(done).toMatchObject({
      status: 'partially_published',
      targets: [{ status: 'failed', error_code: 'rejected_by_network' }, { status: 'published' }],
    })
    const events = await eventsOf(t, owner)
    expect(events.map((event) => event.type)).toEqual(['post.created', 'post.published', 'post.failed'])
    expect(events.at(-1)?.data.post.targets[0]).toMatchObject({ error_code: 'rejected_by_network' })
  })

  test('the message of the network is stored without characters that PostgreSQL cannot hold', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    bluesky.failNext({ kind: 'response', status: 400, error: `no\u0000good \ud800${'ö'.repeat(1000)}` })
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    const [target] = (await read(owner, post)).targets
    expect(target).toMatchObject({ status: 'failed', error_code: 'rejected_by_network' })
    expect(target?.error_message).toMatch(/^no good \ufffdö+$/)
    expect(Buffer.byteLength(String(target?.error_message))).toBeLessThanOrEqual(400)
  })

  test('a redirect of the network counts as a rejection and is not followed', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const elsewhere = await blueskyServer()
    bluesky.failNext({ kind: 'response', status: 302, headers: { location: elsewhere.url } })
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({
      status: 'failed',
      targets: [{ error_code: 'rejected_by_network' }],
    })
    expect(elsewhere.calls).toEqual([])
    elsewhere.close()
  })

  test('a retry publishes only the failed targets', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const playground = await playgroundAccount(owner)
    bluesky.failNext({ kind: 'response', status: 400, error: 'InvalidRequest' })
    const post = await publishNow(owner, { account_ids: [account, playground] })
    await t.runJobs()
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`), 200)
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({
      status: 'published',
      targets: [{ status: 'published' }, { status: 'published' }],
    })
    expect((await owner.get('/api/v1/playground')).body.data).toHaveLength(1)
  })

  test('refused credentials disconnect the account once, with an event', async () => {
    const { owner, account, handle } = await withBluesky(t, bluesky)
    bluesky.changePassword(handle)
    const first = await publishNow(owner, { account_ids: [account] })
    const second = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    for (const post of [first, second])
      expect(await read(owner, post)).toMatchObject({
        status: 'failed',
        targets: [{ error_code: 'account_disconnected' }],
      })
    expect((await owner.get(`/api/v1/accounts/${account}`)).body).toMatchObject({ status: 'disconnected' })
    const events = (await eventsOf(t, owner)).filter((event) => event.type === 'account.disconnected')
    expect(events).toMatchObject([{ data: { account: { id: account, status: 'disconnected' } } }])
  })

  test('refused credentials do not disconnect an account that got new ones meanwhile', async () => {
    const { owner, account, handle } = await withBluesky(t, bluesky)
    const post = await publishNow(owner, { account_ids: [account] })
    bluesky.changePassword(handle)
    const { safeFetch } = t.deps
    t.deps.safeFetch = async (...request) => {
      t.deps.safeFetch = safeFetch
      expectStatus(await owner.delete(`/api/v1/accounts/${account}`), 204)
      const fields = { network: 'bluesky', service: bluesky.url, handle, app_password: 'another' }
      expect(expectStatus(await owner.post('/api/v1/accounts', fields), 201).body.id).toBe(account)
      return safeFetch(...request)
    }
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({
      status: 'failed',
      targets: [{ error_code: 'account_disconnected' }],
    })
    expect((await owner.get(`/api/v1/accounts/${account}`)).body.status).toBe('connected')
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
  })

  test('credentials that cannot be decrypted count as refused', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    await t.deps.db.updateTable('account').set({ credentials: 'v1.gone.AAAA' }).where('id', '=', account).execute()
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({
      status: 'failed',
      targets: [{ error_code: 'account_disconnected' }],
    })
    expect((await owner.get(`/api/v1/accounts/${account}`)).body.status).toBe('disconnected')
  })

  test('a rate limited post is sent again after the requested seconds and not before', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    bluesky.failNext({ kind: 'response', status: 429, error: 'RateLimitExceeded', headers: { 'retry-after': '120' } })
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ status: 'publishing', targets: [{ status: 'pending' }] })
    await advance(t, 119 * SECOND)
    expect((await read(owner, post)).status).toBe('publishing')
    await advance(t, 2 * SECOND)
    expect(await read(owner, post)).toMatchObject({ status: 'published', targets: [{ attempts: 2, error_code: null }] })
  })

  test('a post that arrived although the response was a rate limit is found, and not sent again', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const before = bluesky.records.size
    bluesky.failNext({ kind: 'response', status: 429, headers: { 'retry-after': '120' }, arrives: true })
    const post = await publishNow(owner, { account_ids: [account], thread: [{ content: 'And tea.' }] })
    await t.runJobs()
    await advance(t, 121 * SECOND)
    expect((await read(owner, post)).status).toBe('published')
    expect(bluesky.records.size - before).toBe(2)
  })

  test('a rate limited post is sent again after the requested date', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const reset = String(Math.ceil(Date.now() / SECOND) + 600)
    bluesky.failNext({ kind: 'response', status: 429, headers: { 'ratelimit-reset': reset } })
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(t, 590 * SECOND)
    expect((await read(owner, post)).status).toBe('publishing')
    await advance(t, 11 * SECOND)
    expect((await read(owner, post)).status).toBe('published')
  })

  test('a rate limit of the network holds all posts of the account until it ends, and no other account', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const other = await withBluesky(t, bluesky)
    const posts: Published[] = []
    for (let n = 0; n < 30; n++) posts.push(await publishNow(owner, { account_ids: [account] }))
    const free = await publishNow(other.owner, { account_ids: [other.account] })
    bluesky.failNext({ kind: 'response', status: 429, headers: { 'retry-after': '120' } })
    const before = bluesky.count('putRecord')
    const states = async () => new Set(await Promise.all(posts.map(async (post) => (await read(owner, post)).status)))
    await publishTarget(t.deps, { target_id: String(posts[0]?.targets[0]?.id) })
    await t.runJobs()
    expect((await read(other.owner, free)).status).toBe('published')
    await advance(t, 119 * SECOND)
    expect(bluesky.count('putRecord') - before).toBe(2)
    expect(await states()).toEqual(new Set(['publishing', 'scheduled']))
    expect(await read(owner, posts[29] ?? free)).toMatchObject({
      targets: [{ status: 'pending', attempts: 0, error_message: expect.stringContaining('limits') }],
    })
    await advance(t, 2 * SECOND)
    expect(await states()).toEqual(new Set(['published']))
    expect(bluesky.count('putRecord') - before).toBe(32)
  })

  test('a rate limit that a lookup meets holds the account too', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    bluesky.failNext({ kind: 'hang_up', arrives: true })
    const lost = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    bluesky.failAlways({ kind: 'response', status: 429, headers: { 'retry-after': '120' } })
    await advance(t, 5 * SECOND)
    bluesky.failAlways()
    const before = bluesky.calls.length
    const next = await publishNow(owner, { account_ids: [account] })
    await advance(t, 119 * SECOND)
    expect(bluesky.calls.length).toBe(before)
    await advance(t, 2 * SECOND)
    for (const post of [lost, next]) expect((await read(owner, post)).status).toBe('published')
  })

  test('a post to an unreachable network fails after five attempts', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const away = await blueskyServer()
    const { url } = away
    away.close()
    const credentials = JSON.stringify({ service: url, handle: 'x', app_password: 'y' })
    await saveCredentials(t.deps.db, t.deps, account, credentials)
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    for (const wait of [15, 60, 300]) {
      await advance(t, wait * SECOND)
      expect((await read(owner, post)).status).toBe('publishing')
    }
    await advance(t, 1800 * SECOND)
    expect(await read(owner, post)).toMatchObject({
      status: 'failed',
      targets: [{ error_code: 'network_unavailable', attempts: 5 }],
    })
  })
})
