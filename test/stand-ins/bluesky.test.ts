import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blueskyServer } from './bluesky.ts'
import { recordKey } from './bluesky-repo.ts'
import { MP4, request } from './request.ts'

const POST = 'app.bsky.feed.post'

describe('the stand-in of Bluesky', () => {
  let server: Awaited<ReturnType<typeof blueskyServer>>
  let token: string
  let repo: string
  let keys = 0

  beforeAll(async () => {
    server = await blueskyServer()
    const { handle, app_password } = server.addAccount()
    const session = await call('POST', 'com.atproto.server.createSession', {
      body: { identifier: handle, password: app_password },
    })
    token = session.body.accessJwt
    repo = session.body.did
  })
  afterAll(() => server.close())

  function call(
    method: string,
    name: string,
    { body, query, type, bearer = token }: { body?: unknown; query?: object; type?: string; bearer?: string } = {},
  ) {
    const search = query ? `?${new URLSearchParams(Object.entries(query))}` : ''
    const headers = {
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(type ? { 'content-type': type } : {}),
    }
    return request(method, `${server.url}/xrpc/${name}${search}`, headers, body)
  }
  const newKey = () => recordKey(++keys)
  const record = (more: object = {}) => ({ $type: POST, text: 'Hi', createdAt: '2026-11-22T00:00:00.000Z', ...more })
  const put = (rkey: string, more?: object, options: object = {}) =>
    call('POST', 'com.atproto.repo.putRecord', {
      body: { repo, collection: POST, rkey, record: record(more), ...options },
    })
  const create = (rkey: string, more?: object) =>
    call('POST', 'com.atproto.repo.createRecord', { body: { repo, collection: POST, rkey, record: record(more) } })
  const upload = (bytes: Buffer, type: string) => call('POST', 'com.atproto.repo.uploadBlob', { body: bytes, type })

  test('repeats of a record are accepted by putRecord alone, and other content with `swapRecord: null` by none', async () => {
    const rkey = newKey()
    const once = { swapRecord: null }
    expect((await put(rkey, {}, once)).body).toHaveProperty('commit')
    expect((await put(rkey, {}, once)).body).not.toHaveProperty('commit')
    expect((await put(rkey, { text: 'Other' }, once)).body.error).toBe('InvalidSwap')
    expect((await create(rkey)).status).toBe(500)
    const write = { $type: 'com.atproto.repo.applyWrites#create', collection: POST, rkey, value: record() }
    expect((await call('POST', 'com.atproto.repo.applyWrites', { body: { repo, writes: [write] } })).status).toBe(500)
    expect((await put(rkey, { text: 'Other' })).status).toBe(200)
  })

  const facet = (byteStart: number, byteEnd: number) => ({
    facets: [
      { index: { byteStart, byteEnd }, features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://a.b' }] },
    ],
  })
  test.each([
    ['301 characters', { text: 'a'.repeat(301) }],
    ['over 3000 bytes', { text: '👩‍👩‍👧‍👦'.repeat(130) }],
    ['four languages', { langs: ['en', 'tr', 'de', 'fr'] }],
    ['an annotation beyond the text', facet(0, 3)],
    [
      'a card without a description',
      { embed: { $type: 'app.bsky.embed.external', external: { uri: 'https://a.b', title: 't' } } },
    ],
    [
      'a reply to nothing',
      { reply: { root: { uri: 'at://x/y/z', cid: 'x' }, parent: { uri: 'at://x/y/z', cid: 'x' } } },
    ],
    ['no time', { createdAt: undefined }],
  ])('a post with %s is refused', async (_, more) => {
    expect(await put(newKey(), more)).toMatchObject({ status: 400, body: { error: 'InvalidRequest' } })
  })

  test.each([
    ['an unknown field', { color: 'red' }, 'color'],
    ['an unknown field of an embed', { embed: { $type: 'app.bsky.embed.images', images: [], size: 1 } }, 'embed.size'],
    ['an unknown field of a facet', { facets: [{ ...facet(0, 1).facets[0], note: 'x' }] }, 'facets.0.note'],
  ])('a post with %s is refused, though servers keep it', async (_, more, name) => {
    const { status, body } = await put(newKey(), more)
    expect([status, body.message]).toEqual([400, expect.stringMatching(`unknown property ${name}$`)])
  })

  test.each([
    ['putRecord', { repo: 'x', collection: POST, rkey: 'x', record: {} }, 'Input/repo must be a valid did or a handle'],
    ['putRecord', { collection: POST, rkey: 'x', record: {} }, 'Input must have the property "repo"'],
    ['putRecord', { repo: 'did:plc:a', collection: POST, rkey: 'x', record: {}, swapRecord: 5 }, 'swapRecord'],
    ['createRecord', { repo: 'did:plc:a', collection: 'posts', record: {} }, 'Input/collection must be a valid nsid'],
    ['createRecord', { repo: 'did:plc:a', collection: POST, record: {}, key: 'x' }, 'not have the property "key"'],
    ['deleteRecord', { repo: 'did:plc:a', collection: POST }, 'Input must have the property "rkey"'],
    [
      'applyWrites',
      { repo: 'did:plc:a', writes: [{ action: 'create' }] },
      'must be an object which includes the "$type"',
    ],
    ['applyWrites', { repo: 'did:plc:a', writes: {} }, 'Input/writes must be an array'],
  ])('%s refuses input outside of its schema', async (name, body, message) => {
    expect(await call('POST', `com.atproto.repo.${name}`, { body })).toMatchObject({
      status: 400,
      body: { error: 'InvalidRequest', message: expect.stringContaining(message) },
    })
  })

  test.each([
    ['app.bsky.feed.getPosts', {}, 'Params must have the property "uris"'],
    ['app.bsky.feed.getPosts', { uris: 'https://a.example' }, 'uris/0 must be a valid at-uri'],
    ['app.bsky.actor.getProfile', { actor: 'not a handle' }, 'actor must be a valid did or a handle'],
    ['app.bsky.actor.searchActorsTypeahead', { q: 'a', limit: '101' }, 'limit can not be greater than 100'],
    ['com.atproto.identity.resolveHandle', { handle: 'ada' }, 'handle must be a valid handle'],
    ['com.atproto.repo.getRecord', { repo: 'did:plc:a', collection: POST, rkey: 'x', at: '1' }, 'the property "at"'],
  ])('%s refuses parameters outside of its schema', async (name, query, message) => {
    expect(await call('GET', name, { query })).toMatchObject({
      status: 400,
      body: { error: 'InvalidRequest', message: expect.stringContaining(message) },
    })
  })

  test('a body has the type of its method, and methods without one take none', async () => {
    const messageOf = async (name: string, body: unknown, type: string) =>
      (await call('POST', name, { body, type })).body.message
    const bytes = Buffer.from('{}')
    expect(await messageOf('com.atproto.repo.putRecord', bytes, 'text/plain')).toMatch(/^Wrong request encoding/)
    expect(await messageOf('app.bsky.video.uploadVideo', MP4, 'video/quicktime')).toMatch(/^Wrong request encoding/)
    expect(await messageOf('com.atproto.server.refreshSession', bytes, 'application/json')).toMatch(
      /none was expected$/,
    )
  })

  test('images need alternative text, a stored file and at most 2,000,000 bytes', async () => {
    const small = (await upload(Buffer.alloc(10), 'image/png')).body.blob
    const large = (await upload(Buffer.alloc(2_000_001), 'image/png')).body.blob
    const missing = { ...small, ref: { $link: 'bafkreidlp6sdj6jkroakvmbntpy2clsj77foijheae5byt3iwz7d2k542a' } }
    const images = (...list: object[]) => put(newKey(), { embed: { $type: 'app.bsky.embed.images', images: list } })
    expect((await images({ image: small, alt: '' })).status).toBe(200)
    expect((await images({ image: small })).status).toBe(400)
    expect((await images({ image: large, alt: '' })).status).toBe(400)
    expect((await images({ image: missing, alt: '' })).body.error).toBe('BlobNotFound')
    expect((await images(...Array(5).fill({ image: small, alt: '' }))).status).toBe(400)
    expect((await upload(Buffer.alloc(5 * 1024 ** 2 + 1), 'image/png')).status).toBe(413)
  })

  test('a reply names the stored content of its parent, and settings have the key of their post', async () => {
    const rkey = newKey()
    const { uri, cid } = (await put(rkey)).body
    expect((await put(newKey(), { reply: { root: { uri, cid }, parent: { uri, cid } } })).status).toBe(200)
    const gate = (key: string) =>
      call('POST', 'com.atproto.repo.putRecord', {
        body: {
          repo,
          collection: 'app.bsky.feed.threadgate',
          rkey: key,
          record: { $type: 'app.bsky.feed.threadgate', post: uri, allow: [], createdAt: record().createdAt },
        },
      })
    expect((await gate(newKey())).status).toBe(400)
    expect((await gate(rkey)).status).toBe(200)
    expect(server.stored().at(-1)?.replyTo).toBe(uri)
  })

  test('tokens: none is 401, a wrong or an ended one 400', async () => {
    const post = (bearer: string) =>
      call('POST', 'com.atproto.repo.createRecord', { bearer, body: { repo, collection: POST, record: record() } })
    expect((await post('')).status).toBe(401)
    expect(await post('wrong')).toMatchObject({ status: 400, body: { error: 'InvalidToken' } })
  })

  test('a deleted record is gone, and deleting it again succeeds', async () => {
    const rkey = newKey()
    await put(rkey)
    const remove = () => call('POST', 'com.atproto.repo.deleteRecord', { body: { repo, collection: POST, rkey } })
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 200])
    const read = await call('GET', 'com.atproto.repo.getRecord', { query: { repo, collection: POST, rkey } })
    expect(read.body.error).toBe('RecordNotFound')
  })

  test('a video needs a token for its server, is processed, and is known when it comes again', async () => {
    const { did } = (await call('GET', 'com.atproto.server.describeServer')).body
    const ask = (aud: string) =>
      call('GET', 'com.atproto.server.getServiceAuth', { query: { aud, lxm: 'com.atproto.repo.uploadBlob' } })
    const send = async (aud: string) =>
      call('POST', 'app.bsky.video.uploadVideo', {
        bearer: (await ask(aud)).body.token,
        query: { did: repo, name: 'video.mp4' },
        body: MP4,
        type: 'video/mp4',
      })
    expect((await send('did:web:elsewhere.test')).status).toBe(401)
    const { jobId } = (await send(did)).body
    const poll = async () => (await call('GET', 'app.bsky.video.getJobStatus', { query: { jobId } })).body.jobStatus
    expect((await poll()).blob).toBeUndefined()
    const { blob } = await poll()
    expect(await send(did)).toMatchObject({ status: 409, body: { error: 'already_exists', blob } })
    expect((await put(newKey(), { embed: { $type: 'app.bsky.embed.video', video: blob } })).status).toBe(200)
  })
})
