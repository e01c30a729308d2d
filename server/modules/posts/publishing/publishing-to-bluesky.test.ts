import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount } from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { blueskyServer, type Failure } from '../../../../test/stand-ins/bluesky.ts'
import { advance, HOUR, publishNow, read, SECOND, withBluesky } from './publishing.fixture.ts'
import { enqueueRenewals } from './renew-sessions.ts'

const t = await testApp()
const bluesky = await blueskyServer()
afterAll(() => bluesky.close())

describe('publishing to Bluesky', () => {
  test('a post is published under a record key of Meydan and gets its URL', async () => {
    const { owner, account, handle } = await withBluesky(t, bluesky)
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    const done = await read(owner, post)
    const [target] = done.targets
    expect(done.status).toBe('published')
    expect(target).toMatchObject({ status: 'published', network: 'bluesky', handle, attempts: 1, error_code: null })
    const key = String(target?.external_id).split('/').at(-1)
    expect(key).toMatch(/^[234567a-z]{13}$/)
    expect(target?.url).toMatch(new RegExp(`^https://bsky\\.app/profile/did:plc:[0-9a-z]+/post/${key}$`))
    expect(bluesky.records.get(String(target?.external_id))?.value).toMatchObject({
      $type: 'app.bsky.feed.post',
      text: 'Hello',
    })
  })

  test('a post whose file is missing in the storage fails with the reason, and is not retried', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const { id } = await uploaded(owner)
    await t.deps.storage.erase(`${owner.workspace_id}/${id}`)
    const post = await publishNow(owner, { account_ids: [account], media_ids: [id] })
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({
      status: 'failed',
      targets: [{ error_code: 'media_missing', attempts: 1 }],
    })
  })

  test('a post keeps its links, mentions and languages', async () => {
    const { owner, account, handle } = await withBluesky(t, bluesky)
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

  test('a link ends before the ending of its word, and before a quotation mark', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const content = 'https://example.com’da, example.com’un ve “https://example.com/i”'
    const post = await publishNow(owner, { content, account_ids: [account] })
    await t.runJobs()
    const [target] = (await read(owner, post)).targets
    const value = bluesky.records.get(String(target?.external_id))?.value
    const facets = (value?.facets ?? []) as { features: { uri?: string }[] }[]
    expect(facets.map(({ features }) => features[0]?.uri)).toEqual([
      'https://example.com',
      'https://example.com',
      'https://example.com/i',
    ])
  })

  test('a hash with a keycap is no tag', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const post = await publishNow(owner, { content: '#\u20e3x #\ufe0f\u20e3 #simit', account_ids: [account] })
    await t.runJobs()
    const [target] = (await read(owner, post)).targets
    const value = bluesky.records.get(String(target?.external_id))?.value
    expect(value?.facets).toMatchObject([{ features: [{ $type: 'app.bsky.richtext.facet#tag', tag: 'simit' }] }])
  })

  test("a mention of a handle that is nobody's is plain text, and the post is published with its other links", async () => {
    const { owner, account, handle } = await withBluesky(t, bluesky)
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
    { kind: 'response', status: 502 },
    { kind: 'response', status: 429 },
    { kind: 'hang_up', arrives: false },
  ])('a mention whose lookup fails with %j is looked up again before anything is sent', async (failure) => {
    const { owner, account, handle } = await withBluesky(t, bluesky)
    bluesky.failHandleLookups(failure)
    const before = bluesky.count('putRecord')
    const post = await publishNow(owner, { content: `Hi @${handle}`, account_ids: [account] })
    await t.runJobs()
    expect(bluesky.count('putRecord')).toBe(before)
    expect((await read(owner, post)).targets[0]).toMatchObject({ status: 'pending' })
    bluesky.failHandleLookups()
    await advance(t, 3600_000)
    const [target] = (await read(owner, post)).targets
    expect(target?.status).toBe('published')
    expect(JSON.stringify(bluesky.records.get(String(target?.external_id))?.value.facets)).toContain('did:plc:')
  })

  test('an account whose handle changed signs in by its DID, and a check stores the new handle', async () => {
    const { owner, account, handle } = await withBluesky(t, bluesky)
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
    const { owner, account } = await withBluesky(t, bluesky)
    const body = { content: '👨‍👩‍👧‍👦'.repeat(121), publish_now: true, account_ids: [account] }
    const { errors } = expectProblem(await owner.post('/api/v1/posts', body), 400, 'validation_failed', '/content')
    expect(errors?.[0]).toMatchObject({ code: 'too_long', message: expect.stringContaining('3000 bytes') })
  })

  test('the text of a target replaces the text of the post', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
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

describe('sessions on the network', () => {
  const callsOf = async (work: () => Promise<unknown>) => {
    const before = bluesky.calls.length
    await work()
    return bluesky.calls.slice(before).map((call) => call.name.split('.').at(-1))
  }

  test('a valid session is reused, an expired access token is renewed, and an expired session is opened again', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const publish = () =>
      callsOf(async () => {
        const post = await publishNow(owner, { account_ids: [account] })
        await t.runJobs()
        expect((await read(owner, post)).status).toBe('published')
      })
    expect(await publish()).toEqual(['putRecord'])
    bluesky.expireAccess()
    const renewing = await publish()
    expect(renewing).toContain('refreshSession')
    expect(renewing).not.toContain('createSession')
    expect(await publish()).toEqual(['putRecord'])
    bluesky.expireSessions()
    expect(await publish()).toContain('createSession')
    expect(await publish()).toEqual(['putRecord'])
  })
})

test('a sign-in that opens the session of another account publishes nothing, and its session is not kept', async () => {
  const { owner, account } = await withBluesky(t, bluesky)
  const other = await withBluesky(t, bluesky)
  bluesky.expireSessions()
  bluesky.confuseSessions(other.handle)
  const before = bluesky.records.size
  const post = await publishNow(owner, { account_ids: [account] })
  await t.runJobs()
  expect(bluesky.records.size).toBe(before)
  expect((await read(owner, post)).targets[0]).toMatchObject({ status: 'unconfirmed' })
  bluesky.confuseSessions()
  await advance(t, 15 * SECOND)
  expect((await read(owner, post)).status).toBe('published')
})

test('a session that has expired is renewed before the post is due, so that the post takes one call', async () => {
  const { owner, account } = await withBluesky(t, bluesky)
  await advance(t, 3 * HOUR)
  bluesky.expireAccess()
  const scheduled_at = new Date(t.clock.now().getTime() + 100 * SECOND).toISOString()
  const body = { content: 'Prepared', account_ids: [account], scheduled_at }
  const { body: post } = expectStatus(await owner.post('/api/v1/posts', body), 201)
  const before = bluesky.calls.length
  await enqueueRenewals(t.deps)
  await t.runJobs()
  expect(bluesky.calls.slice(before).map(({ name }) => name)).toContain('com.atproto.server.refreshSession')
  expect((await read(owner, post)).status).toBe('scheduled')
  const prepared = bluesky.calls.length
  await advance(t, 101 * SECOND)
  expect((await read(owner, post)).status).toBe('published')
  expect(bluesky.calls.slice(prepared).map(({ name }) => name)).toEqual(['com.atproto.repo.putRecord'])
})
