/** Sends the same calls to the real server of Bluesky and to its stand-in. `npm run bluesky -- compare` runs it. */
import { blueskyServer } from '../test/stand-ins/bluesky.ts'
import { recordKey } from '../test/stand-ins/bluesky-repo.ts'
import { request } from '../test/stand-ins/request.ts'

type Server = { url: string; handle: string; password: string }

const POST = 'app.bsky.feed.post'
const CREATED = '2026-11-22T00:00:00.000Z'
const NO_CID = 'bafyreidfayvfuwqa7qlnopdjiqrxzs6blmoeu4rujcjtnci5beludirz2a'
const record = (more: object = {}) => ({ $type: POST, text: 'Hi', createdAt: CREATED, ...more })
const facet = (byteStart: number, byteEnd: number, feature: object) => ({
  facets: [{ index: { byteStart, byteEnd }, features: [feature] }],
})
const link = { $type: 'app.bsky.richtext.facet#link', uri: 'https://example.org' }

/** Posts with one thing each that a server may refuse. */
const RECORDS: Record<string, object> = {
  'plain text': {},
  '300 characters': { text: 'a'.repeat(300) },
  '301 characters': { text: 'a'.repeat(301) },
  'over 3000 bytes': { text: '👩‍👩‍👧‍👦'.repeat(130) },
  'three languages': { langs: ['en', 'tr', 'de'] },
  'four languages': { langs: ['en', 'tr', 'de', 'fr'] },
  'a wrong language': { langs: ['not a language'] },
  'an annotation': facet(0, 2, link),
  'an annotation before the text': facet(-1, 2, link),
  'an annotation beyond the text': facet(0, 500, link),
  'an annotation with a wrong address': facet(0, 2, { ...link, uri: 'nowhere' }),
  'a mention of no DID': facet(0, 2, { $type: 'app.bsky.richtext.facet#mention', did: 'nobody' }),
  'no time': { createdAt: undefined },
  'a wrong time': { createdAt: 'yesterday' },
  'nine tags': { tags: Array(9).fill('tag') },
  'a label': { labels: { $type: 'com.atproto.label.defs#selfLabels', values: [{ val: 'nudity' }] } },
  'labels that are no list': { labels: { $type: 'com.atproto.label.defs#selfLabels', values: 'nudity' } },
  'an unknown field': { colour: 'teal' },
  'another type': { $type: 'app.bsky.feed.like' },
  'a card': {
    embed: { $type: 'app.bsky.embed.external', external: { uri: 'https://a.b', title: 't', description: '' } },
  },
  'a card without a description': {
    embed: { $type: 'app.bsky.embed.external', external: { uri: 'https://a.b', title: 't' } },
  },
  'a reply to no address': { reply: { root: { uri: 'x', cid: 'y' }, parent: { uri: 'x', cid: 'y' } } },
}

/** The statuses and error names of every call, by what the call is. */
async function run({ url, handle, password }: Server) {
  const seen = new Map<string, string>()
  let keys = 0
  let token = ''
  const key = () => recordKey(++keys)

  async function call(
    title: string,
    name: string,
    options: { query?: object; body?: unknown; type?: string; bearer?: string } = {},
  ) {
    const { query, body, type, bearer = token } = options
    const search = query ? `?${new URLSearchParams(Object.entries(query))}` : ''
    const headers = {
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(type === undefined ? {} : { 'content-type': type }),
    }
    const method = body === undefined ? 'GET' : 'POST'
    const response = await request(method, `${url}/xrpc/com.atproto.${name}${search}`, headers, body)
    const commits = response.body?.commit ? ' with a commit' : ''
    seen.set(title, `${response.status} ${response.body?.error ?? ''}${commits}`.trim())
    return response
  }

  await call('sign in with a wrong password', 'server.createSession', { body: { identifier: handle, password: 'x' } })
  const session = await call('sign in', 'server.createSession', { body: { identifier: handle, password } })
  const repo: string = session.body.did
  token = session.body.accessJwt
  const put = (title: string, rkey: string, more?: object, options: object = {}) =>
    call(title, 'repo.putRecord', { body: { repo, collection: POST, rkey, record: record(more), ...options } })
  const create = (title: string, body: object, bearer?: string) =>
    call(title, 'repo.createRecord', {
      body: { repo, collection: POST, record: record(), ...body },
      ...(bearer === undefined ? {} : { bearer }),
    })

  await create('create without a token', {}, '')
  await create('create with a wrong token', {}, 'a.b.c')
  await create('create for nobody', { repo: 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa' })
  await create('create without a repo', { repo: undefined })
  await put('a key that is none', 'hello!')
  await put('a key that is no time', 'hello')

  const first = key()
  await create('create', { rkey: first })
  await create('create again', { rkey: first })
  await create('create again with other content', { rkey: first, record: record({ text: 'Other' }) })
  for (const swap of [{ swapRecord: null }, {}]) {
    const rkey = key()
    const how = 'swapRecord' in swap ? ' where there is none' : ''
    await put(`put${how}`, rkey, {}, swap)
    await put(`put again${how}`, rkey, {}, swap)
    await put(`put other content${how}`, rkey, { text: 'Other' }, swap)
  }
  for (const [title, more] of Object.entries(RECORDS)) await put(`a post with ${title}`, key(), more)

  const upload = (title: string, body: Buffer, type: string) => call(title, 'repo.uploadBlob', { body, type })
  const small = (await upload('upload a file', Buffer.alloc(10, 1), 'image/png')).body.blob
  const large = (await upload('upload 2,000,001 bytes', Buffer.alloc(2_000_001, 2), 'image/png')).body.blob
  const text = (await upload('upload text', Buffer.from('Hello'), 'text/plain')).body.blob
  await upload('upload over 5 MiB', Buffer.alloc(5 * 1024 ** 2 + 1), 'image/png')
  await upload('upload without a type', Buffer.alloc(10, 1), '')
  const images = (title: string, ...list: object[]) =>
    put(title, key(), { embed: { $type: 'app.bsky.embed.images', images: list } })
  await images('a picture', { image: small, alt: '' })
  await images('a picture without alternative text', { image: small })
  await images('a picture of a wrong shape', { image: small, alt: '', aspectRatio: { width: 0, height: 1 } })
  await images('a picture of 2,000,001 bytes', { image: large, alt: '' })
  await images('a picture that is text', { image: text, alt: '' })
  await images('a picture that was not uploaded', {
    image: { ...small, ref: { $link: NO_CID.replace('bafy', 'bafk') } },
    alt: '',
  })
  await images('five pictures', ...Array(5).fill({ image: small, alt: '' }))
  const external = { uri: 'https://a.b', title: 't', description: '', thumb: large }
  await put('a card with a large picture', key(), { embed: { $type: 'app.bsky.embed.external', external } })

  const uri = `at://${repo}/${POST}/${first}`
  await put('a reply to other content', key(), { reply: { root: { uri, cid: NO_CID }, parent: { uri, cid: NO_CID } } })
  const gate = (title: string, rkey: string) => {
    const collection = 'app.bsky.feed.threadgate'
    const value = { $type: collection, post: uri, allow: [], createdAt: CREATED }
    return call(title, 'repo.putRecord', { body: { repo, collection, rkey, record: value } })
  }
  await gate('settings under the key of their post', first)
  await gate('settings under another key', key())

  const writes = (title: string, write: object) => call(title, 'repo.applyWrites', { body: { repo, writes: [write] } })
  const action = (name: string) => ({ $type: `com.atproto.repo.applyWrites#${name}`, collection: POST })
  await writes('apply a creation', { ...action('create'), rkey: key(), value: record() })
  await writes('apply a creation again', { ...action('create'), rkey: first, value: record() })
  await writes('apply an update of nothing', { ...action('update'), rkey: key(), value: record() })
  await writes('apply a deletion of nothing', { ...action('delete'), rkey: key() })
  await writes('apply a write without a type', { collection: POST, rkey: key(), value: record() })

  await call('read', 'repo.getRecord', { query: { repo, collection: POST, rkey: first } })
  const target = { repo, collection: POST, rkey: first }
  await call('delete', 'repo.deleteRecord', { body: target })
  await call('delete again', 'repo.deleteRecord', { body: target })
  await call('read what is deleted', 'repo.getRecord', { query: target })

  const now = Math.floor(Date.now() / 1000)
  const service = { aud: 'did:web:localhost', lxm: 'com.atproto.repo.uploadBlob' }
  await call('a token for a service', 'server.getServiceAuth', { query: { ...service, exp: now + 1800 } })
  await call('a token for two hours', 'server.getServiceAuth', { query: { ...service, exp: now + 7200 } })
  await call('a token for no service', 'server.getServiceAuth', { query: { aud: 'nowhere' } })
  await call('the account of a handle', 'identity.resolveHandle', { query: { handle } })
  await call('the account of no handle', 'identity.resolveHandle', { query: { handle: 'nobody.test' } })
  await call('the own session', 'server.getSession')
  return seen
}

/** Where the stand-in is stricter, because only the app would show the mistake. */
const STRICTER = ['a post with an annotation beyond the text', 'a reply to other content', 'settings under another key']

/** Prints every call with its results. Returns the number of differences that are not meant. */
export async function compare(real: Server) {
  const server = await blueskyServer()
  const { handle, app_password: password } = server.addAccount()
  const [theirs, ours] = [await run(real), await run({ url: server.url, handle, password })]
  server.close()
  let different = 0
  for (const [title, result] of theirs) {
    const same = ours.get(title) === result
    if (!same && !STRICTER.includes(title)) different++
    const verdict = same ? 'same' : STRICTER.includes(title) ? 'stricter' : 'DIFFERENT'
    console.log(`${verdict.padEnd(10)}${title}: ${result}${same ? '' : `; stand-in: ${ours.get(title)}`}`)
  }
  console.log(`${theirs.size} calls, ${different} differences`)
  return different
}
