import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ORIGIN } from '../clock.ts'
import {
  applyWrites,
  createRecord,
  deleteRecord,
  getRecord,
  POST,
  putRecord,
  type Repo,
  refuse,
  storedPosts,
  uploadBlob,
} from './bluesky-repo.ts'
import { problemOfCall } from './bluesky-requests.ts'
import { blueskySignIn, type Options as SignInOptions } from './bluesky-sign-in.ts'
import { serviceAuth, videoService } from './bluesky-video.ts'
import { accountNumbers, postNumbers } from './numbers.ts'
import { type Call, networkServer, processingFailures, type Reply, type Failure as SharedFailure } from './server.ts'

/** A failure of the next post. `other_record`: success for a record with another key. */
export type Failure = SharedFailure | { kind: 'other_record'; arrives: boolean }

export type BlueskyServer = Awaited<ReturnType<typeof blueskyServer>>

type Account = { did: string; handle: string; password: string }
/** `at`: `Date.now` when the call arrived. `host`: the name and port that it was sent to. */
type NamedCall = { name: string; body: Record<string, unknown>; query: URLSearchParams; host: string; at: number }

/** A real content id, because the library validates it. */
const CID = 'bafyreidfayvfuwqa7qlnopdjiqrxzs6blmoeu4rujcjtnci5beludirz2a'
const BLOB_LIMIT = 5 * 1024 ** 2
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

const errorOf = (status: number, error = 'Error') => refuse(status, error, error === 'Error' ? 'Something' : error)
const withMore = (failure: Failure): SharedFailure =>
  failure.kind === 'other_record'
    ? {
        kind: 'reply',
        arrives: failure.arrives,
        of: () => ({ status: 200, body: { uri: 'at://did:plc:other/app.bsky.feed.post/3kabcdefghij2', cid: CID } }),
      }
    : failure

/** Creates a token in JWT format: the library reads its expiry. */
function token(kind: string, did: string, lives: number) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const payload = {
    scope: kind,
    sub: did,
    exp: Math.floor(Math.max(Date.now(), Date.parse(ORIGIN)) / 1000) + lives,
    jti: randomBytes(4).toString('hex'),
  }
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(payload)}.${randomBytes(8).toString('base64url')}`
}

/**
 * A server with the parts of the AT protocol that posting needs, and the video service, with one account per handle.
 * `latencyMs`: time until it begins with a call. `processingPolls`: how often a video is asked for before it is ready.
 */
export async function blueskyServer({
  latencyMs = () => 0,
  processingPolls = 1,
  retryAfterSeconds = 30,
  fetchClient = async () => ({ status: 404, type: '', body: undefined }),
}: {
  latencyMs?: () => number
  processingPolls?: number
  retryAfterSeconds?: number
  fetchClient?: SignInOptions['fetchClient']
} = {}) {
  const accounts = new Map<string, Account>()
  const access = new Map<string, string>()
  const refresh = new Map<string, string>()
  const issued = new Set<string>()
  const homes = new Map<string, string>()
  const repo: Repo = { records: new Map(), removed: [], blobs: new Map(), blobLimit: BLOB_LIMIT }
  const calls: NamedCall[] = []
  let lookupsFail = false
  let confused: string | undefined
  let handleLookupFails: Failure | undefined
  let signInFails: { path: string; failure: Failure } | undefined
  let sessionsFail: { failure: Failure; after: Promise<void> } | undefined
  const pdsDid = () => `did:web:${new URL(server.url).host.replace(':', '%3A')}`
  const video = videoService(repo, pdsDid, processingPolls)
  const signIn = blueskySignIn({
    origin: () => server.url,
    fetchClient,
    didOf: (name) => accounts.get(name)?.did ?? accountOf(name)?.did,
  })

  const sessionOf = ({ did, handle }: Account): Reply => {
    const accessJwt = token('com.atproto.access', did, 7200)
    const refreshJwt = token('com.atproto.refresh', did, 86_400 * 60)
    access.set(accessJwt, did)
    refresh.set(refreshJwt, did)
    issued.add(accessJwt).add(refreshJwt)
    const didDoc = homes.has(did) && { didDoc: documentOf(did).body }
    return { status: 200, body: { did, handle, accessJwt, refreshJwt, active: true, ...didDoc } }
  }
  const bearer = ({ headers }: Call) => (headers.authorization ?? '').replace('Bearer ', '')
  const accountOf = (did: string | undefined) => [...accounts.values()].find((account) => account.did === did)

  /** The account of a token, or the refusal: 400 for tokens that do not hold, 401 without one. */
  function signedIn(call: Call, tokens = access): Account | Reply {
    if (call.headers.authorization?.startsWith('DPoP ')) {
      const found = signIn.accountOf(call)
      if ('status' in found) return found
      return accountOf(found.did) ?? refuse(400, 'AccountNotFound', 'Account not found')
    }
    const given = bearer(call)
    if (!given) return refuse(401, 'AuthMissing', 'Authentication Required')
    const account = accountOf(tokens.get(given))
    if (account) return account
    return issued.has(given)
      ? refuse(400, 'ExpiredToken', 'Token has expired')
      : refuse(400, 'InvalidToken', 'Token could not be verified')
  }

  /** Does a write to the caller's own repository. */
  function write(call: Call, act: (did: string, fields: Call['fields']) => Reply): Reply {
    const account = signedIn(call)
    if ('status' in account) return account
    const { fields } = call
    const owner = accountOf(String(fields.repo)) ?? accounts.get(String(fields.repo))
    if (!owner) return refuse(403, 'AccountNotFound', 'Account not found')
    return owner === account
      ? act(account.did, fields)
      : refuse(401, 'AuthenticationRequired', 'Authentication Required')
  }
  const targetOf = (did: string, { collection, rkey, record }: Call['fields']) => ({
    did,
    collection: String(collection),
    rkey: String(rkey),
    value: typeof record === 'object' && record !== null ? { ...record } : {},
  })

  const procedures: Record<string, (call: Call) => Reply | Promise<Reply>> = {
    'com.atproto.server.createSession': ({ fields }) => {
      const account = accounts.get(String(fields.identifier)) ?? accountOf(String(fields.identifier))
      if (!account || account.password !== fields.password)
        return refuse(401, 'AuthenticationRequired', 'Invalid identifier or password')
      return sessionOf(accounts.get(confused ?? '') ?? account)
    },
    'com.atproto.server.refreshSession': (call) => {
      const account = signedIn(call, refresh)
      refresh.delete(bearer(call))
      return 'status' in account ? account : sessionOf(account)
    },
    'com.atproto.repo.createRecord': (call) => write(call, (did, fields) => createRecord(repo, targetOf(did, fields))),
    'com.atproto.repo.putRecord': (call) =>
      write(call, (did, fields) => putRecord(repo, targetOf(did, fields), fields.swapRecord)),
    'com.atproto.repo.deleteRecord': (call) => write(call, (did, fields) => deleteRecord(repo, targetOf(did, fields))),
    'com.atproto.repo.applyWrites': (call) => write(call, (did, fields) => applyWrites(repo, did, fields.writes)),
    'com.atproto.repo.uploadBlob': (call) => {
      const account = signedIn(call)
      return 'status' in account
        ? account
        : uploadBlob(repo, account.did, call.raw, String(call.headers['content-type']))
    },
    'app.bsky.video.uploadVideo': video.upload,
  }
  const queries: typeof procedures = {
    'com.atproto.server.getSession': (call) => {
      const account = signedIn(call)
      return 'status' in account
        ? account
        : { status: 200, body: { did: account.did, handle: account.handle, active: true, emailConfirmed: true } }
    },
    'com.atproto.server.describeServer': () => ({
      status: 200,
      body: { did: pdsDid(), availableUserDomains: ['.stand-in.test'], blobUploadLimit: BLOB_LIMIT },
    }),
    'com.atproto.server.getServiceAuth': (call) => {
      const account = signedIn(call)
      return 'status' in account ? account : serviceAuth(account.did, call.query)
    },
    'com.atproto.identity.resolveHandle': ({ query }) => {
      const account = accounts.get(query.get('handle') ?? '')
      return account
        ? { status: 200, body: { did: account.did } }
        : refuse(400, 'HandleNotFound', 'Unable to resolve handle')
    },
    'com.atproto.repo.getRecord': ({ query }) => {
      const [given, collection, rkey] = ['repo', 'collection', 'rkey'].map((name) => query.get(name) ?? '')
      return getRecord(repo, accounts.get(given ?? '')?.did ?? given ?? '', collection ?? '', rkey ?? '')
    },
    'app.bsky.feed.getPosts': (call) => {
      const account = signedIn(call)
      if ('status' in account) return account
      const uris = call.query.getAll('uris')
      const posts = uris
        .flatMap((uri) => repo.records.get(uri) ?? [])
        .map(({ uri, cid, value }) => ({
          ...{ uri, cid, record: value, indexedAt: new Date().toISOString() },
          author: { did: account.did, handle: account.handle },
          ...{ likeCount: postNumbers.likes, replyCount: postNumbers.comments, repostCount: postNumbers.shares },
          ...{ quoteCount: postNumbers.quotes, bookmarkCount: postNumbers.saves },
        }))
      return { status: 200, body: { posts } }
    },
    'app.bsky.actor.getProfile': (call) => {
      const account = signedIn(call)
      if ('status' in account) return account
      const { followers: followersCount, following: followsCount, posts: postsCount } = accountNumbers
      const { did, handle } = account
      return { status: 200, body: { did, handle, followersCount, followsCount, postsCount } }
    },
    'app.bsky.actor.searchActorsTypeahead': (call) => {
      const account = signedIn(call)
      if ('status' in account) return account
      const q = (call.query.get('q') ?? '').toLowerCase()
      const actors = [...accounts.values()]
        .filter(({ handle }) => handle.startsWith(q))
        .map(({ did, handle }) => ({ did, handle, displayName: `The ${handle.split('.')[0]}` }))
      return { status: 200, body: { actors: actors.slice(0, Number(call.query.get('limit') ?? 10)) } }
    },
    'app.bsky.video.getJobStatus': video.status,
    'app.bsky.video.getUploadLimits': () => ({
      status: 200,
      body: { canUpload: true, remainingDailyVideos: 25, remainingDailyBytes: 10_000_000_000 },
    }),
  }

  /** The document of an account, as the directory of ids returns it. */
  function documentOf(did: string): Reply {
    const account = accountOf(did)
    if (!account) return { status: 404, body: { message: `DID not registered: ${did}` } }
    const service = [
      { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: homes.get(did) ?? server.url },
    ]
    const body = {
      '@context': ['https://www.w3.org/ns/did/v1'],
      id: did,
      alsoKnownAs: [`at://${account.handle}`],
      service,
    }
    return { status: 200, body, headers: { 'content-type': 'application/did+ld+json' } }
  }

  /** The calls of a sign-in, and of the search for an account. */
  async function identify(call: Call): Promise<Reply | undefined> {
    if (call.path.startsWith('/did%3Aplc%3A')) return documentOf(decodeURIComponent(call.path.slice(1)))
    if (call.path === '/.well-known/atproto-did')
      return signIn.named === undefined
        ? { status: 404 }
        : { status: 200, body: Buffer.from(signIn.named), headers: { 'content-type': 'text/plain' } }
    return signIn.handle(call)
  }

  const nameOf = ({ path }: Pick<Call, 'path'>) => path.replace('/xrpc/', '')
  const server = await networkServer({
    handle: async (call) => {
      const identified = await identify(call)
      if (identified) return identified
      const name = nameOf(call)
      const method = procedures[name] ?? queries[name]
      if (!method) return refuse(501, 'MethodNotImplemented', 'Method Not Implemented')
      const expected = name in procedures ? 'POST' : 'GET'
      if (call.method !== expected)
        return refuse(400, 'InvalidRequest', `Incorrect HTTP method (${call.method}) expected ${expected}`)
      const problem = problemOfCall(name, call)
      return problem ? refuse(400, 'InvalidRequest', problem) : method(call)
    },
    arrive: async (call) => {
      const name = nameOf(call)
      calls.push({ name, body: call.fields, query: call.query, host: call.headers.host ?? '', at: call.at })
      const latency = latencyMs()
      if (latency > 0) await sleep(latency)
      if (sessionsFail && /\.(create|refresh)Session$/.test(name)) {
        const { failure, after } = sessionsFail
        await after
        return withMore(failure)
      }
      if (signInFails?.path === call.path) return withMore(signInFails.failure)
      if (handleLookupFails && name.endsWith('.resolveHandle')) return withMore(handleLookupFails)
      if (lookupsFail && name.endsWith('.getRecord')) return { kind: 'response', status: 502, error: 'UpstreamFailure' }
      return undefined
    },
    errorOf,
    isPost: ({ path, fields }) =>
      /\.(createRecord|putRecord|applyWrites)$/.test(path) &&
      (fields.collection === POST ||
        (Array.isArray(fields.writes) && fields.writes.some((each) => each?.collection === POST))),
    isUpload: ({ path }) => /\.(uploadBlob|uploadVideo)$/.test(path),
    failures: {
      refused: { kind: 'response', status: 400, error: 'InvalidRequest' },
      rate_limited: {
        kind: 'reply',
        of: () => ({
          ...refuse(429, 'RateLimitExceeded', 'Rate Limit Exceeded'),
          headers: {
            'ratelimit-limit': '5000',
            'ratelimit-remaining': '0',
            'ratelimit-reset': String(Math.ceil(Date.now() / 1000) + retryAfterSeconds),
            'ratelimit-policy': '5000;w=3600',
          },
        }),
      },
      false_success: withMore({ kind: 'other_record', arrives: false }),
      ...processingFailures(video.setNext),
    },
    endTokens: () => {
      for (const account of accounts.values()) account.password = randomBytes(8).toString('hex')
      access.clear()
      refresh.clear()
      signIn.endGrants()
    },
    stored: () => storedPosts(repo),
  })
  let handles = 0

  return {
    ...server,
    records: repo.records,
    signIn,
    didOf: (handle: string) => accounts.get(handle)?.did ?? '',
    /** Moves an account to another server, as its document says. */
    moveAccount: (did: string, url: string) => homes.set(did, url),
    calls,
    count: (name: string) => calls.filter((call) => call.name.endsWith(name)).length,
    /** Creates an account, and returns the fields that connect it. */
    addAccount: (password = 'app-password', handle = `person${++handles}.stand-in.test`) => {
      const did = `did:plc:${[...randomBytes(24)].map((byte) => BASE32[byte % 32]).join('')}`
      accounts.set(handle, { did, handle, password })
      return { handle, app_password: password }
    },
    /** Gives an account a profile with an image, whose file `setImage` serves. */
    setProfile: (handle: string, fields: object) => {
      const did = accounts.get(handle)?.did ?? ''
      const avatar = { $type: 'blob', ref: { $link: CID }, mimeType: 'image/png', size: 1 }
      const uri = `at://${did}/app.bsky.actor.profile/self`
      repo.records.set(uri, { uri, cid: CID, value: { $type: 'app.bsky.actor.profile', avatar, ...fields } })
    },
    changePassword: (handle: string) => {
      const account = accounts.get(handle)
      if (account) account.password = 'another'
      access.clear()
      refresh.clear()
    },
    /** Deletes the files, as servers do with those that no record names. */
    dropBlobs: () => repo.blobs.clear(),
    expireAccess: () => access.clear(),
    expireSessions: () => {
      access.clear()
      refresh.clear()
    },
    /** Sets the failures of the next posts, one each; replaces earlier ones. */
    failNext: (...next: (Failure | 'none')[]) =>
      server.failNext(...next.map((failure) => (failure === 'none' ? failure : withMore(failure)))),
    failLookups: (fail: boolean) => {
      lookupsFail = fail
    },
    /** Fails the lookup of handles this way until called without a failure. */
    failHandleLookups: (failure?: Failure) => {
      handleLookupFails = failure
    },
    /** Fails calls of the sign-in to this path this way, until called without one. */
    failSignIn: (path?: string, failure?: Failure) => {
      signInFails = path !== undefined && failure ? { path, failure } : undefined
    },
    /** Opens the sessions of this account for every sign-in, until called without a handle. */
    confuseSessions: (handle?: string) => {
      confused = handle
    },
    /** Gives an account another handle, as its owner may at any time. */
    changeHandle: (from: string, to: string) => {
      const account = accounts.get(from)
      if (!account) return
      accounts.delete(from)
      accounts.set(to, { ...account, handle: to })
    },
    /** Fails every call this way until called without a failure. */
    failAlways: (failure?: Failure) => server.failAlways(failure && withMore(failure)),
    /** Fails the creation and renewal of sessions this way, once `after` resolves, until called without a failure. */
    failSessions: (failure?: Failure, after: Promise<void> = Promise.resolve()) => {
      sessionsFail = failure && { failure, after }
    },
  }
}
