import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { blueskyServer, type Failure } from '../../../../test/stand-ins/bluesky.ts'
import { safeFetch } from '../../../lib/outbound/safe-http.ts'
import { startWorker } from '../../../worker.ts'
import { saveCredentials } from '../../accounts/accounts.ts'
import { playground } from '../../networks/playground/index.ts'
import { enqueuePreparations } from './preparation.ts'
import { publishTarget, publishTargets, requeueStuckTargets } from './publishing.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

let t: TestApp
let bluesky: Awaited<ReturnType<typeof blueskyServer>>
beforeAll(async () => {
  t = await testApp()
  bluesky = await blueskyServer()
})
afterAll(async () => {
  await t.close()
  bluesky.close()
})

type Published = { id: string; status: string; targets: Record<string, unknown>[] }

/** Creates a workspace with a Bluesky account. */
async function withBluesky() {
  const owner = await withWorkspace(t)
  const fields = bluesky.addAccount()
  const { body } = expectStatus(
    await owner.post('/api/v1/accounts', { network: 'bluesky', service: bluesky.url, ...fields }),
    201,
  )
  return { owner, account: body.id as string, handle: fields.handle }
}

const publishNow = async (owner: WorkspaceOwner, body: object): Promise<Published> =>
  expectStatus(await owner.post('/api/v1/posts', { content: 'Hello', publish_now: true, ...body }), 201).body

const read = async (owner: WorkspaceOwner, { id }: { id: string }): Promise<Published> =>
  expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body

const advance = async (ms: number) => {
  await t.advance(ms)
  await t.runJobs()
}

const eventsOf = async (owner: WorkspaceOwner) => {
  const rows = await t.deps.db
    .selectFrom('event')
    .select(['type', 'payload'])
    .where('workspace_id', '=', owner.workspace_id)
    .orderBy('id')
    .execute()
  return rows.map(({ type, payload }) => ({ type, data: JSON.parse(payload.toString()).data }))
}

describe('publishing to Bluesky', () => {
  test('a post is published under a record key of Meydan and gets its URL', async () => {
    const { owner, account, handle } = await withBluesky()
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    const done = await read(owner, post)
    const [target] = done.targets
    expect(done.status).toBe('published')
    expect(target).toMatchObject({ status: 'published', network: 'bluesky', handle, attempts: 1, error_code: null })
    const key = String(target?.external_id).split('/').at(-1)
    expect(key).toMatch(/^[234567a-z]{13}$/)
    expect(target?.url).toMatch(new RegExp(`^https://bsky\\.app/profile/did:plc:[0-9a-f]+/post/${key}$`))
    expect(bluesky.records.get(String(target?.external_id))?.value).toMatchObject({
      $type: 'app.bsky.feed.post',
      text: 'Hello',
    })
  })

  test('a post keeps its links, mentions and languages', async () => {
    const { owner, account, handle } = await withBluesky()
    const content = `Hi @${handle}, see https://example.com/a`
    const post = await publishNow(owner, {
      content,
      targets: [{ account_id: account, options: { langs: ['tr', 'en'] } }],
    })
    await t.runJobs()
    const [target] = (await read(owner, post)).targets
    const value = bluesky.records.get(String(target?.external_id))?.value
    const types = ((value?.facets ?? []) as { features: { $type: string }[] }[]).map(
      (facet) => facet.features[0]?.$type,
    )
    expect(types.sort()).toEqual(['app.bsky.richtext.facet#link', 'app.bsky.richtext.facet#mention'])
    expect(value?.langs).toEqual(['tr', 'en'])
  })

  test("a mention of a handle that is nobody's is plain text, and the post is published with its other links", async () => {
    const { owner, account, handle } = await withBluesky()
    const content = `@nobody.example and @${handle}, see https://example.com/a`
    const post = await publishNow(owner, { content, account_ids: [account] })
    await t.runJobs()
    const [target] = (await read(owner, post)).targets
    const value = bluesky.records.get(String(target?.external_id))?.value
    expect(value?.text).toBe(content)
    const features = ((value?.facets ?? []) as { features: { $type: string; did?: string }[] }[]).flatMap(
      (facet) => facet.features,
    )
    expect(features.map(({ $type }) => $type).sort()).toEqual([
      'app.bsky.richtext.facet#link',
      'app.bsky.richtext.facet#mention',
    ])
    expect(features.map(({ did }) => did).filter((did) => did !== undefined)).toEqual([
      expect.stringMatching(/^did:plc:/),
    ])
  })

  test.each<Failure>([
    { kind: 'answer', status: 502 },
    { kind: 'answer', status: 429 },
    { kind: 'hang_up', arrives: false },
  ])('a mention whose lookup fails with %j is looked up again before anything is sent', async (failure) => {
    const { owner, account, handle } = await withBluesky()
    bluesky.failHandleLookups(failure)
    const before = bluesky.count('createRecord')
    const post = await publishNow(owner, { content: `Hi @${handle}`, account_ids: [account] })
    await t.runJobs()
    expect(bluesky.count('createRecord')).toBe(before)
    expect((await read(owner, post)).targets[0]).toMatchObject({ status: 'pending' })
    bluesky.failHandleLookups()
    await advance(3600_000)
    const [target] = (await read(owner, post)).targets
    expect(target?.status).toBe('published')
    expect(JSON.stringify(bluesky.records.get(String(target?.external_id))?.value.facets)).toContain('did:plc:')
  })

  test('an account whose handle changed signs in by its DID, and a check stores the new handle', async () => {
    const { owner, account, handle } = await withBluesky()
    const renamed = `renamed-${handle}`
    bluesky.changeHandle(handle, renamed)
    bluesky.expireSessions()
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    expect(expectStatus(await owner.post(`/api/v1/accounts/${account}/check`), 200).body.handle).toBe(renamed)
    const { data } = (await owner.get('/api/v1/workspace/audit-log?action=account.changed')).body
    expect(data).toMatchObject([{ details: { before: { handle }, after: { handle: renamed } } }])
  })

  test('a text of more bytes than Bluesky takes is refused when the post is scheduled', async () => {
    const { owner, account } = await withBluesky()
    const body = { content: '👨‍👩‍👧‍👦'.repeat(121), publish_now: true, account_ids: [account] }
    const { errors } = expectProblem(await owner.post('/api/v1/posts', body), 400, 'validation_failed', '/content')
    expect(errors?.[0]).toMatchObject({ code: 'too_long', message: expect.stringContaining('3000 bytes') })
  })

  test('the text of a target replaces the text of the post', async () => {
    const { owner, account } = await withBluesky()
    const playground = await playgroundAccount(owner)
    const post = await publishNow(owner, {
      content: 'For all',
      targets: [{ account_id: account, content: 'For Bluesky' }, { account_id: playground }],
    })
    await t.runJobs()
    const done = await read(owner, post)
    expect(bluesky.records.get(String(done.targets[0]?.external_id))?.value.text).toBe('For Bluesky')
    const { body } = await owner.get('/api/v1/playground')
    expect(body.data).toMatchObject([{ content: 'For all', account_id: playground }])
  })
})

describe('rejected posts', () => {
  test('a rejected target fails with the message of the network, and the other targets are published', async () => {
    const { owner, account } = await withBluesky()
    const playground = await playgroundAccount(owner)
    bluesky.failNext({ kind: 'answer', status: 400, error: 'InvalidRequest' })
    const post = await publishNow(owner, { account_ids: [account, playground] })
    await t.runJobs()
    const done = await read(owner, post)
    expect(done).toMatchObject({
      status: 'partially_published',
      targets: [{ status: 'failed', error_code: 'rejected_by_network' }, { status: 'published' }],
    })
    const events = await eventsOf(owner)
    expect(events.map((event) => event.type)).toEqual(['post.created', 'post.published', 'post.failed'])
    expect(events.at(-1)?.data.post.targets[0]).toMatchObject({ error_code: 'rejected_by_network' })
  })

  test('the message of the network is stored without characters that PostgreSQL cannot hold', async () => {
    const { owner, account } = await withBluesky()
    bluesky.failNext({ kind: 'answer', status: 400, error: `no\u0000good \ud800${'ö'.repeat(1000)}` })
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    const [target] = (await read(owner, post)).targets
    expect(target).toMatchObject({ status: 'failed', error_code: 'rejected_by_network' })
    expect(target?.error_message).toMatch(/^no good \ufffdö+$/)
    expect(Buffer.byteLength(String(target?.error_message))).toBeLessThanOrEqual(400)
  })

  test('a redirect of the network counts as a rejection and is not followed', async () => {
    const { owner, account } = await withBluesky()
    const elsewhere = await blueskyServer()
    bluesky.failNext({ kind: 'answer', status: 302, headers: { location: elsewhere.url } })
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
    const { owner, account } = await withBluesky()
    const playground = await playgroundAccount(owner)
    bluesky.failNext({ kind: 'answer', status: 400, error: 'InvalidRequest' })
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
    const { owner, account, handle } = await withBluesky()
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
    const events = (await eventsOf(owner)).filter((event) => event.type === 'account.disconnected')
    expect(events).toMatchObject([{ data: { account: { id: account, status: 'disconnected' } } }])
  })

  test('refused credentials do not disconnect an account that got new ones meanwhile', async () => {
    const { owner, account, handle } = await withBluesky()
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
    const { owner, account } = await withBluesky()
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
    const { owner, account } = await withBluesky()
    bluesky.failNext({ kind: 'answer', status: 429, error: 'RateLimitExceeded', headers: { 'retry-after': '120' } })
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ status: 'publishing', targets: [{ status: 'pending' }] })
    await advance(119 * SECOND)
    expect((await read(owner, post)).status).toBe('publishing')
    await advance(2 * SECOND)
    expect(await read(owner, post)).toMatchObject({ status: 'published', targets: [{ attempts: 2, error_code: null }] })
  })

  test('a rate limited post is sent again after the requested date', async () => {
    const { owner, account } = await withBluesky()
    const reset = String(Math.ceil(Date.now() / SECOND) + 600)
    bluesky.failNext({ kind: 'answer', status: 429, headers: { 'ratelimit-reset': reset } })
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(590 * SECOND)
    expect((await read(owner, post)).status).toBe('publishing')
    await advance(11 * SECOND)
    expect((await read(owner, post)).status).toBe('published')
  })

  test('a rate limit of the network holds all posts of the account until it ends, and no other account', async () => {
    const { owner, account } = await withBluesky()
    const other = await withBluesky()
    const posts: Published[] = []
    for (let n = 0; n < 30; n++) posts.push(await publishNow(owner, { account_ids: [account] }))
    const free = await publishNow(other.owner, { account_ids: [other.account] })
    bluesky.failNext({ kind: 'answer', status: 429, headers: { 'retry-after': '120' } })
    const before = bluesky.count('createRecord')
    const states = async () => new Set(await Promise.all(posts.map(async (post) => (await read(owner, post)).status)))
    await publishTarget(t.deps, { target_id: String(posts[0]?.targets[0]?.id) })
    await t.runJobs()
    expect((await read(other.owner, free)).status).toBe('published')
    await advance(119 * SECOND)
    expect(bluesky.count('createRecord') - before).toBe(2)
    expect(await states()).toEqual(new Set(['publishing', 'scheduled']))
    expect(await read(owner, posts[29] ?? free)).toMatchObject({
      targets: [{ status: 'pending', attempts: 0, error_message: expect.stringContaining('limits') }],
    })
    await advance(2 * SECOND)
    expect(await states()).toEqual(new Set(['published']))
    expect(bluesky.count('createRecord') - before).toBe(32)
  })

  test('a rate limit that a lookup meets holds the account too', async () => {
    const { owner, account } = await withBluesky()
    bluesky.failNext({ kind: 'hang_up', arrives: true })
    const lost = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    bluesky.failAlways({ kind: 'answer', status: 429, headers: { 'retry-after': '120' } })
    await advance(5 * SECOND)
    bluesky.failAlways()
    const before = bluesky.calls.length
    const next = await publishNow(owner, { account_ids: [account] })
    await advance(119 * SECOND)
    expect(bluesky.calls.length).toBe(before)
    await advance(2 * SECOND)
    for (const post of [lost, next]) expect((await read(owner, post)).status).toBe('published')
  })

  test('a post to an unreachable network fails after five attempts', async () => {
    const { owner, account } = await withBluesky()
    const away = await blueskyServer()
    const { url } = away
    away.close()
    const credentials = JSON.stringify({ service: url, handle: 'x', app_password: 'y' })
    await saveCredentials(t.deps.db, t.deps, account, credentials)
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    for (const wait of [15, 60, 300]) {
      await advance(wait * SECOND)
      expect((await read(owner, post)).status).toBe('publishing')
    }
    await advance(1800 * SECOND)
    expect(await read(owner, post)).toMatchObject({
      status: 'failed',
      targets: [{ error_code: 'network_unavailable', attempts: 5 }],
    })
  })
})

describe('lost responses', () => {
  test.each<[string, Failure]>([
    ['the connection broke', { kind: 'hang_up', arrives: true }],
    ['the server failed', { kind: 'answer', status: 500, arrives: true }],
    ['the gateway timed out', { kind: 'answer', status: 504, arrives: true }],
    ['the response names another record', { kind: 'other_record', arrives: true }],
  ])('a post that arrived is found and not sent again: %s', async (_, failure) => {
    const { owner, account } = await withBluesky()
    bluesky.failNext(failure)
    const sentBefore = bluesky.count('createRecord')
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ status: 'publishing', targets: [{ status: 'unconfirmed' }] })
    await advance(5 * SECOND)
    const done = await read(owner, post)
    expect(done).toMatchObject({ status: 'published', targets: [{ status: 'published', error_code: null }] })
    expect(bluesky.count('createRecord') - sentBefore).toBe(1)
    expect(bluesky.records.has(String(done.targets[0]?.external_id))).toBe(true)
  })

  test.each<[string, Failure]>([
    ['the connection broke', { kind: 'hang_up', arrives: false }],
    ['the server failed', { kind: 'answer', status: 503 }],
    ['the response is not JSON', { kind: 'garbage' }],
    ['the response never ends', { kind: 'flood' }],
    ['the response names another record', { kind: 'other_record', arrives: false }],
  ])('a post that did not arrive is looked up, then sent again under the same key: %s', async (_, failure) => {
    const { owner, account, handle } = await withBluesky()
    bluesky.failNext(failure)
    const before = bluesky.calls.length
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(5 * SECOND)
    expect(await read(owner, post)).toMatchObject({ status: 'published', targets: [{ handle }] })
    const calls = bluesky.calls.slice(before).filter((call) => /Record$/.test(call.name))
    expect(calls.map((call) => call.name.split('.').at(-1))).toEqual(['createRecord', 'getRecord', 'createRecord'])
    expect(calls[0]?.body.rkey).toBe(calls[2]?.body.rkey)
  })

  test('a request without a response is aborted, and the post that arrived is found', async () => {
    const { owner, account } = await withBluesky()
    const { safeFetch: patient } = t.deps
    t.deps.safeFetch = safeFetch(t.deps.dispatcher, { timeoutMs: 200 })
    bluesky.failNext({ kind: 'hang', arrives: true })
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    t.deps.safeFetch = patient
    expect(await read(owner, post)).toMatchObject({ status: 'publishing', targets: [{ status: 'unconfirmed' }] })
    await advance(5 * SECOND)
    expect((await read(owner, post)).status).toBe('published')
  })

  test('a refusal is checked by a lookup, and a post that arrived nevertheless counts as published', async () => {
    const { owner, account } = await withBluesky()
    const before = bluesky.records.size
    bluesky.failNext({ kind: 'answer', status: 400, error: 'InvalidRequest', arrives: true })
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ status: 'published', targets: [{ error_code: null }] })
    expect(bluesky.records.size - before).toBe(1)
  })

  test('a post that was edited after a lost response is looked up before anything is sent', async () => {
    const { owner, account } = await withBluesky()
    const before = bluesky.records.size
    bluesky.failNext({ kind: 'hang_up', arrives: true })
    bluesky.failLookups(true)
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(24 * HOUR)
    expect((await read(owner, post)).status).toBe('failed')
    bluesky.failLookups(false)
    const scheduled_at = new Date(t.clock.now().getTime() + 30 * HOUR).toISOString()
    const change = { content: 'Changed', account_ids: [account], scheduled_at }
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, change), 200)
    await advance(30 * HOUR)
    expect((await read(owner, post)).status).toBe('published')
    expect(bluesky.records.size - before).toBe(1)
  })

  test('a second attempt that is refused although its record exists counts as published', async () => {
    const { owner, account } = await withBluesky()
    bluesky.failNext(
      { kind: 'hang_up', arrives: false },
      { kind: 'answer', status: 400, error: 'Record already exists', arrives: true },
    )
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(5 * SECOND)
    expect((await read(owner, post)).status).toBe('published')
  })

  test('an unconfirmed target is looked up for a day and then fails, and a retry looks it up first', async () => {
    const { owner, account } = await withBluesky()
    bluesky.failNext({ kind: 'hang_up', arrives: true })
    bluesky.failLookups(true)
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(23 * HOUR)
    expect(await read(owner, post)).toMatchObject({ status: 'publishing', targets: [{ status: 'unconfirmed' }] })
    await advance(HOUR)
    expect(await read(owner, post)).toMatchObject({ status: 'failed', targets: [{ error_code: 'unconfirmed' }] })

    bluesky.failLookups(false)
    const sentBefore = bluesky.count('createRecord')
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    expect(bluesky.count('createRecord')).toBe(sentBefore)
  })

  test('an unconfirmed target keeps its account on the post, because another attempt would have another key', async () => {
    const { owner, account } = await withBluesky()
    const playground = await playgroundAccount(owner)
    bluesky.failNext({ kind: 'hang_up', arrives: true })
    bluesky.failLookups(true)
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(24 * HOUR)
    bluesky.failLookups(false)
    expect((await read(owner, post)).status).toBe('failed')
    const change = (account_ids: string[]) => owner.patch(`/api/v1/posts/${post.id}`, { account_ids })
    expect(await change([playground])).toMatchObject({ status: 400, body: { errors: [{ pointer: '/account_ids' }] } })
    expectStatus(await change([playground, account]), 200)
    expect(await change([playground])).toMatchObject({ status: 400 })
    const sentBefore = bluesky.count('createRecord')
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/publish`), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    expect(bluesky.count('createRecord')).toBe(sentBefore)
  })

  test('an attempt of a worker that died after saving its intent is looked up by the next worker', async () => {
    const { owner, account } = await withBluesky()
    const post = await publishNow(owner, { account_ids: [account] })
    await t.deps.db
      .updateTable('post_target')
      .set({ status: 'publishing', attempt_key: '3kabcdefghij2', attempts: 1, attempted_at: t.clock.now() })
      .where('post_id', '=', post.id)
      .execute()
    await t.deps.db.updateTable('post').set({ status: 'publishing' }).where('id', '=', post.id).execute()
    const before = bluesky.calls.length
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    const names = bluesky.calls.slice(before).map((call) => call.name.split('.').at(-1))
    expect(names.indexOf('getRecord')).toBeLessThan(names.indexOf('createRecord'))
  })
})

test('every step of publishing changes updated_at, so that updated_since finds the post', async () => {
  const { owner, account } = await withBluesky()
  const playground = await playgroundAccount(owner)
  bluesky.failNext({ kind: 'answer', status: 429 }, { kind: 'hang_up', arrives: true })
  const post = await publishNow(owner, { account_ids: [account, playground] })
  const changed = async () => {
    const since = encodeURIComponent(t.clock.now().toISOString())
    const { body } = expectStatus(await owner.get(`/api/v1/posts?updated_since=${since}`), 200)
    return body.data.map(({ targets }: Published) => targets.map(({ status }) => status))
  }
  t.advance(SECOND)
  expect(await changed()).toEqual([])
  // Delays the Playground's job, so that one target ends while another is open.
  const [, onPlayground] = post.targets
  await publishTarget(t.deps, { target_id: String(onPlayground?.id) })
  expect(await changed()).toEqual([['pending', 'published']])
  t.advance(SECOND)
  expect(await changed()).toEqual([])
  await t.runJobs()
  expect(await changed()).toEqual([['pending', 'published']])
  await advance(15 * SECOND)
  expect(await changed()).toEqual([['unconfirmed', 'published']])
  await advance(15 * SECOND)
  expect(await changed()).toEqual([['published', 'published']])
  expect((await read(owner, post)).status).toBe('published')
})

describe('sessions on the network', () => {
  const callsOf = async (work: () => Promise<unknown>) => {
    const before = bluesky.calls.length
    await work()
    return bluesky.calls.slice(before).map((call) => call.name.split('.').at(-1))
  }

  test('a valid session is reused, an expired access token is renewed, and an expired session is opened again', async () => {
    const { owner, account } = await withBluesky()
    const publish = () =>
      callsOf(async () => {
        const post = await publishNow(owner, { account_ids: [account] })
        await t.runJobs()
        expect((await read(owner, post)).status).toBe('published')
      })
    expect(await publish()).toEqual(['createRecord'])
    bluesky.expireAccess()
    const renewing = await publish()
    expect(renewing).toContain('refreshSession')
    expect(renewing).not.toContain('createSession')
    expect(await publish()).toEqual(['createRecord'])
    bluesky.expireSessions()
    expect(await publish()).toContain('createSession')
    expect(await publish()).toEqual(['createRecord'])
  })
})

test('a sign-in that opens the session of another account publishes nothing, and its session is not kept', async () => {
  const { owner, account } = await withBluesky()
  const other = await withBluesky()
  bluesky.expireSessions()
  bluesky.confuseSessions(other.handle)
  const before = bluesky.records.size
  const post = await publishNow(owner, { account_ids: [account] })
  await t.runJobs()
  expect(bluesky.records.size).toBe(before)
  expect((await read(owner, post)).targets[0]).toMatchObject({ status: 'unconfirmed' })
  bluesky.confuseSessions()
  await advance(15 * SECOND)
  expect((await read(owner, post)).status).toBe('published')
})

test('one job publishes what is due on its account in its order, and later posts wait for their time', async () => {
  const owner = await withWorkspace(t)
  const account = await playgroundAccount(owner)
  const inSeconds = (s: number) => new Date(t.clock.now().getTime() + s * SECOND).toISOString()
  const schedule = async (s: number): Promise<Published> => {
    const body = { content: `in ${s}`, account_ids: [account], scheduled_at: inSeconds(s) }
    return expectStatus(await owner.post('/api/v1/posts', body), 201).body
  }
  const posts = [await schedule(60), await schedule(61), await schedule(62), await schedule(600)]
  t.advance(90 * SECOND)
  await publishTargets(t.deps, { target_id: String(posts[0]?.targets[0]?.id) })
  const states = await Promise.all(posts.map(async (post) => (await read(owner, post)).status))
  expect(states).toEqual(['published', 'published', 'published', 'scheduled'])
  const { body } = await owner.get('/api/v1/playground')
  expect(body.data.map(({ content }: { content: string }) => content)).toEqual(['in 62', 'in 61', 'in 60'])
  await advance(600 * SECOND)
  expect(posts[3] && (await read(owner, posts[3])).status).toBe('published')
})

test('a session that has expired is renewed before the post is due, so that the post takes one call', async () => {
  const { owner, account } = await withBluesky()
  await advance(3 * HOUR)
  bluesky.expireAccess()
  const scheduled_at = new Date(t.clock.now().getTime() + 100 * SECOND).toISOString()
  const body = { content: 'Prepared', account_ids: [account], scheduled_at }
  const { body: post } = expectStatus(await owner.post('/api/v1/posts', body), 201)
  const before = bluesky.calls.length
  await enqueuePreparations(t.deps)
  await t.runJobs()
  expect(bluesky.calls.slice(before).map(({ name }) => name)).toContain('com.atproto.server.refreshSession')
  expect((await read(owner, post)).status).toBe('scheduled')
  const prepared = bluesky.calls.length
  await advance(101 * SECOND)
  expect((await read(owner, post)).status).toBe('published')
  expect(bluesky.calls.slice(prepared).map(({ name }) => name)).toEqual(['com.atproto.repo.createRecord'])
})

describe('concurrent calls', () => {
  test('two concurrent runs of one job publish once', async () => {
    const { owner, account } = await withBluesky()
    const sentBefore = bluesky.count('createRecord')
    const post = await publishNow(owner, { account_ids: [account] })
    const target_id = String(post.targets[0]?.id)
    await Promise.all([publishTarget(t.deps, { target_id }), publishTarget(t.deps, { target_id })])
    await advance(5 * SECOND)
    const done = await read(owner, post)
    expect(done.status).toBe('published')
    const sent = bluesky.calls.filter((call) => call.name.endsWith('createRecord')).slice(sentBefore)
    expect(new Set(sent.map((call) => call.body.rkey)).size).toBe(1)
    expect((await eventsOf(owner)).filter((event) => event.type === 'post.published')).toHaveLength(1)
  })

  test('a post that is deleted while it is being queued is not published', async () => {
    const owner = await withWorkspace(t)
    const account = await playgroundAccount(owner)
    for (let round = 0; round < 10; round++) {
      const { body: post } = expectStatus(
        await owner.post('/api/v1/posts', { content: `${round}`, account_ids: [account] }),
        201,
      )
      const [published, deleted] = await Promise.all([
        owner.post(`/api/v1/posts/${post.id}/publish`),
        owner.delete(`/api/v1/posts/${post.id}`),
      ])
      await t.runJobs()
      const timeline = (await owner.get('/api/v1/playground?limit=100')).body.data.map(
        (entry: { content: string }) => entry.content,
      )
      expect([200, 404]).toContain(published.status)
      expect(deleted.status).toBe(204)
      expect(timeline).not.toContain(`${round}`)
    }
  })
})

test('an account that hangs delays only its own posts', async () => {
  const own = await testApp()
  const owner = await withWorkspace(own)
  const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
  const { body: hanging } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  bluesky.failNext(...Array.from({ length: 30 }, () => ({ kind: 'hang', arrives: false }) as const))
  const before = bluesky.count('createRecord')
  for (let n = 0; n < 30; n++) await publishNow(owner, { account_ids: [hanging.id] })
  const other = await withWorkspace(own)
  const account = await playgroundAccount(other)
  const worker = await startWorker(own.deps, { alone: false })
  await bluesky.called('createRecord', before + 1)
  const post = await publishNow(other, { account_ids: [account] })
  await expect.poll(async () => (await read(other, post)).status, { timeout: 5000, interval: 20 }).toBe('published')
  expect(bluesky.count('createRecord')).toBe(before + 1)
  bluesky.failNext()
  await worker.stop()
  await own.close()
})

test('a due post whose job was lost is queued again', async () => {
  const owner = await withWorkspace(t)
  const account = await playgroundAccount(owner)
  const post = await publishNow(owner, { account_ids: [account] })
  await sql`delete from graphile_worker._private_jobs`.execute(t.deps.db)
  expect(await requeueStuckTargets(t.deps.db, t.clock.now())).toBe(0)
  await t.advance(180 * SECOND)
  expect(await requeueStuckTargets(t.deps.db, t.clock.now())).toBe(1)
  await t.runJobs()
  expect((await read(owner, post)).status).toBe('published')
})

test('every post ends as published with one record on the network, or as failed with at most one, whatever fails', async () => {
  const failure: fc.Arbitrary<Failure | undefined> = fc.constantFrom<(Failure | undefined)[]>(
    undefined,
    { kind: 'answer', status: 400, error: 'InvalidRequest' },
    { kind: 'answer', status: 400, error: 'InvalidRequest', arrives: true },
    { kind: 'answer', status: 429 },
    { kind: 'answer', status: 500 },
    { kind: 'answer', status: 500, arrives: true },
    { kind: 'hang_up', arrives: true },
    { kind: 'hang_up', arrives: false },
    { kind: 'garbage' },
    { kind: 'other_record', arrives: true },
    { kind: 'other_record', arrives: false },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(failure, { maxLength: 6 }), async (sequence) => {
      const { owner, account } = await withBluesky()
      const before = bluesky.records.size
      bluesky.failNext(...sequence.map((next) => next ?? ({ kind: 'answer', status: 429 } as const)))
      const post = await publishNow(owner, { account_ids: [account] })
      await t.runJobs()
      for (let step = 0; step < 40 && (await read(owner, post)).status === 'publishing'; step++) await advance(HOUR)
      const { status } = await read(owner, post)
      const kept = bluesky.records.size - before
      expect(['published', 'failed']).toContain(status)
      if (status === 'published') expect(kept).toBe(1)
      else expect(kept).toBeLessThanOrEqual(1)
      bluesky.failNext()
    }),
    { numRuns: 25 },
  )
})

test('the event of the largest post is sent, however long the ids and URLs of the networks are', async () => {
  const owner = await withWorkspace(t)
  const accounts = await Promise.all(Array.from({ length: 50 }, () => playgroundAccount(owner)))
  const post = (length: number) => ({
    content: 'x',
    publish_now: true,
    targets: accounts.map((account_id) => ({ account_id, content: 'x'.repeat(length) })),
  })
  const small = await publishNow(owner, post(1))
  await t.runJobs()
  const length = Math.floor((174_000 - JSON.stringify(small).length) / accounts.length)
  const fitting = { external_id: 'i'.repeat(500), url: `https://x.test/${'u'.repeat(485)}` }
  const tooLong = { external_id: 'i'.repeat(1000), url: `https://x.test/${'u'.repeat(1985)}` }
  const publish = vi.spyOn(playground, 'publish')
  try {
    for (const [given, kept] of [
      [fitting, fitting],
      [tooLong, { external_id: null, url: null }],
    ] as const) {
      publish.mockResolvedValue({ kind: 'published', ...given })
      const { id } = await publishNow(owner, post(length))
      await t.runJobs()
      const { status, targets } = await read(owner, { id })
      expect(status).toBe('published')
      expect(targets.map(({ external_id, url }) => ({ external_id, url }))).toEqual(Array(50).fill(kept))
      const events = (await eventsOf(owner)).filter(
        ({ type, data }) => type === 'post.published' && data.post.id === id,
      )
      expect(events).toHaveLength(1)
    }
  } finally {
    publish.mockRestore()
  }
}, 60_000)
