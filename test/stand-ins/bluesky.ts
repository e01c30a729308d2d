import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A failure of the next createRecord call. `arrives`: whether the record is stored anyway. */
export type Failure =
  | { kind: 'answer'; status: number; error?: string; headers?: Record<string, string>; arrives?: boolean }
  | { kind: 'hang_up'; arrives: boolean }
  | { kind: 'hang'; arrives: boolean }
  | { kind: 'garbage' }
  | { kind: 'flood' }
  /** Success for a record with another key. */
  | { kind: 'other_record'; arrives: boolean }

export type BlueskyServer = Awaited<ReturnType<typeof blueskyServer>>

/** `at`: of `Date.now`, when the call arrived. */
type Call = { name: string; body: Record<string, unknown>; query: URLSearchParams; at: number }
type Stored = { uri: string; cid: string; value: Record<string, unknown> }

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** A real content id, because the library validates it. */
const CID = 'bafyreidfayvfuwqa7qlnopdjiqrxzs6blmoeu4rujcjtnci5beludirz2a'

/** Creates a token in JWT format: the library reads its expiry. */
function token(kind: string, did: string, lives: number) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const payload = {
    scope: kind,
    sub: did,
    exp: Math.floor(Date.now() / 1000) + lives,
    jti: randomBytes(4).toString('hex'),
  }
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(payload)}.${randomBytes(8).toString('base64url')}`
}

/**
 * A server with the parts of the AT protocol that posting needs, with one account per handle. `latencyMs`: time until
 * it begins with a call.
 */
export async function blueskyServer({ latencyMs = () => 0 }: { latencyMs?: () => number } = {}) {
  const accounts = new Map<string, { did: string; handle: string; password: string }>()
  const access = new Map<string, string>()
  const refresh = new Map<string, string>()
  const records = new Map<string, Stored>()
  const calls: Call[] = []
  const failures: Failure[] = []
  let lookupsFail = false
  let confused: string | undefined
  let handleLookupFails: Failure | undefined
  let wholeServerFails: Failure | undefined
  let sessionsFail: { failure: Failure; after: Promise<void> } | undefined
  const arrivals: (() => void)[] = []

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const name = url.pathname.replace('/xrpc/', '')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const body: Record<string, unknown> = text ? JSON.parse(text) : {}
    calls.push({ name, body, query: url.searchParams, at: Date.now() })
    for (const resolve of arrivals.splice(0)) resolve()
    const latency = latencyMs()
    if (latency > 0) await sleep(latency)
    if (wholeServerFails) return misbehave(wholeServerFails, response)
    if (sessionsFail && /\.(create|refresh)Session$/.test(name)) {
      const { failure, after } = sessionsFail
      await after
      return misbehave(failure, response)
    }
    const method = methods[name]
    if (!method) return json(response, 501, { error: 'MethodNotImplemented', message: 'Method Not Implemented' })
    method({ request, response, body, query: url.searchParams })
  })

  type Context = {
    request: IncomingMessage
    response: ServerResponse
    body: Record<string, unknown>
    query: URLSearchParams
  }

  const sessionOf = ({ did, handle }: { did: string; handle: string }) => {
    const accessJwt = token('com.atproto.access', did, 7200)
    const refreshJwt = token('com.atproto.refresh', did, 86_400 * 60)
    access.set(accessJwt, did)
    refresh.set(refreshJwt, did)
    return { did, handle, accessJwt, refreshJwt, active: true }
  }
  const bearer = (request: IncomingMessage) => (request.headers.authorization ?? '').replace('Bearer ', '')
  const accountOf = (did: string | undefined) => [...accounts.values()].find((account) => account.did === did)
  const expired = (response: ServerResponse) =>
    json(response, 400, { error: 'ExpiredToken', message: 'Token has expired' })

  function misbehave(failure: Failure, response: ServerResponse) {
    if (failure.kind === 'hang_up') return response.socket?.destroy()
    if (failure.kind === 'hang') return
    if (failure.kind === 'garbage')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
    if (failure.kind === 'other_record')
      return json(response, 200, { uri: 'at://did:plc:other/app.bsky.feed.post/3kabcdefghij2', cid: CID })
    if (failure.kind === 'flood')
      return response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(10_000_000))
    return json(
      response,
      failure.status,
      { error: failure.error ?? 'Error', message: failure.error ?? 'Something' },
      failure.headers,
    )
  }

  const methods: Record<string, (context: Context) => unknown> = {
    'com.atproto.server.createSession': ({ response, body }) => {
      const account = accounts.get(String(body.identifier)) ?? accountOf(String(body.identifier))
      if (!account || account.password !== body.password)
        return json(response, 401, { error: 'AuthenticationRequired', message: 'Invalid identifier or password' })
      return json(response, 200, sessionOf(accounts.get(confused ?? '') ?? account))
    },
    'com.atproto.server.getSession': ({ request, response }) => {
      const account = accountOf(access.get(bearer(request)))
      return account
        ? json(response, 200, { did: account.did, handle: account.handle, active: true })
        : expired(response)
    },
    'com.atproto.server.refreshSession': ({ request, response }) => {
      const account = accountOf(refresh.get(bearer(request)))
      refresh.delete(bearer(request))
      return account ? json(response, 200, sessionOf(account)) : expired(response)
    },
    'com.atproto.identity.resolveHandle': ({ response, query }) => {
      if (handleLookupFails) return misbehave(handleLookupFails, response)
      const account = accounts.get(query.get('handle') ?? '')
      return account
        ? json(response, 200, { did: account.did })
        : json(response, 400, { error: 'InvalidRequest', message: 'Unable to resolve handle' })
    },
    'com.atproto.repo.createRecord': ({ request, response, body }) => {
      const did = access.get(bearer(request))
      if (!did) return expired(response)
      const failure = failures.shift()
      const uri = `at://${did}/${body.collection}/${body.rkey}`
      const arrives = failure === undefined || ('arrives' in failure && failure.arrives)
      if (arrives && records.has(uri))
        return json(response, 400, { error: 'InvalidRequest', message: 'Record already exists' })
      if (arrives) records.set(uri, { uri, cid: CID, value: body.record as Record<string, unknown> })
      return failure ? misbehave(failure, response) : json(response, 200, { uri, cid: CID, validationStatus: 'valid' })
    },
    'com.atproto.repo.getRecord': ({ response, query }) => {
      if (lookupsFail) return json(response, 502, { error: 'UpstreamFailure', message: 'Upstream Failure' })
      const found = records.get(`at://${query.get('repo')}/${query.get('collection')}/${query.get('rkey')}`)
      return found
        ? json(response, 200, found)
        : json(response, 400, { error: 'RecordNotFound', message: 'Could not locate record' })
    },
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  let handles = 0

  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    records,
    calls,
    count: (name: string) => calls.filter((call) => call.name.endsWith(name)).length,
    /** Creates an account, and returns the fields that connect it. */
    addAccount: (password = 'app-password') => {
      const handle = `person${++handles}.stand-in.test`
      accounts.set(handle, { did: `did:plc:${randomBytes(12).toString('hex')}`, handle, password })
      return { handle, app_password: password }
    },
    changePassword: (handle: string) => {
      const account = accounts.get(handle)
      if (account) account.password = 'another'
      access.clear()
      refresh.clear()
    },
    expireAccess: () => access.clear(),
    expireSessions: () => {
      access.clear()
      refresh.clear()
    },
    /** Sets the failures of the next createRecord calls, one each; replaces earlier ones. */
    failNext: (...next: Failure[]) => {
      failures.splice(0, failures.length, ...next)
    },
    failLookups: (fail: boolean) => {
      lookupsFail = fail
    },
    /** Fails the lookup of handles this way until called without a failure. */
    failHandleLookups: (failure?: Failure) => {
      handleLookupFails = failure
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
    failAlways: (failure?: Failure) => {
      wholeServerFails = failure
    },
    /** Fails the creation and renewal of sessions this way, once `after` resolves, until called without a failure. */
    failSessions: (failure?: Failure, after: Promise<void> = Promise.resolve()) => {
      sessionsFail = failure && { failure, after }
    },
    /** Resolves after `times` calls of createRecord (or another method) in total. */
    called: async (name: string, times: number) => {
      while (calls.filter((call) => call.name.endsWith(name)).length < times)
        await new Promise<void>((resolve) => arrivals.push(resolve))
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
