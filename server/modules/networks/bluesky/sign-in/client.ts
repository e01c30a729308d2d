import { createHash, randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import type { OAuthAuthorizationServerMetadata, OAuthClient, OAuthServerAgent, Session } from '@atproto/oauth-client'
import { LRUCache } from 'lru-cache'
import { MINUTE } from '../../../../../shared/time.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { safeFetch } from '../../../../lib/outbound/safe-http.ts'
import { routeOf } from '../../calls/call.ts'
import type { OAuthApp } from '../../oauth/provider.ts'
import { type Binding, loadOAuth, newKey, openKey } from './binding.ts'
import { clientIdOf, metadataOf } from './client-metadata.ts'

/** For all calls of one operation. Less than the lease of a renewal, so that no other node begins while this one waits. */
const DEADLINE_MS = 20_000
const MAX_BYTES = 200_000
const DNS_TIMEOUT_MS = 3000

/** A client without a key, for calls that prove no client. */
export const anonymous: OAuthApp = { client_id: clientIdOf('http://127.0.0.1/'), client_secret: '' }

/** Values that servers of the protocol gave to this process: their descriptions, and the nonces of proofs. */
const cache = <Value extends object | string>(ttl: number) => {
  const values = new LRUCache<string, Value>({ max: 1000, ttl })
  return {
    get: (key: string) => values.get(key),
    set: (key: string, value: Value) => void values.set(key, value),
    del: (key: string) => void values.delete(key),
  }
}
const nonces = cache<string>(MINUTE)
const issuers = cache<OAuthAuthorizationServerMetadata>(MINUTE)

/** Nothing is kept by the library: Meydan keeps sign-ins and tokens by itself. */
const noStore = { get: () => undefined, set: () => undefined, del: () => undefined }

/** The host of NETWORK_ORIGINS for an address that no server of an account has. */
function originKeyOf({ hostname, pathname }: URL) {
  if (hostname === 'plc.directory') return 'bluesky.directory'
  return pathname === '/.well-known/atproto-did' ? 'bluesky.handles' : undefined
}

/** Guarded and bounded, like every call of a network. `deadline`: ends all calls of one operation. */
const fetchUntil = (deps: Deps, deadline: AbortSignal, maxBytes: number) => {
  return async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    const route = routeOf(deps, { url: request.url, originKey: originKeyOf(new URL(request.url)) })
    const signal = AbortSignal.any([request.signal, deadline])
    const { method, headers } = request
    const body = request.body && Buffer.from(await request.arrayBuffer())
    const fetch = safeFetch(route.dispatcher, { timeoutMs: DEADLINE_MS, maxBytes })
    return fetch(route.url, { method, headers, body, signal })
  }
}

/** The ids that a handle has in the DNS. */
const txtRecords = (deps: Deps) => async (name: string) => {
  // A gateway replaces the DNS, too.
  if (routeOf(deps, { url: 'https://handle.invalid/', originKey: 'bluesky.handles' }).dispatcher !== deps.dispatcher)
    return null
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 })
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  } catch {
    return null
  }
}

type Options = {
  /** The tokens with which an account is called. */
  session?: Session
  deadlineMs?: number
  maxBytes?: number
}

/** The library of the protocol for one operation, as the client of this instance. */
export async function openClient(
  deps: Deps,
  app: OAuthApp,
  { session, deadlineMs = DEADLINE_MS, maxBytes = MAX_BYTES }: Options = {},
): Promise<OAuthClient> {
  const { AtprotoHandleResolver, OAuthClient: Client, oauthClientMetadataSchema } = await loadOAuth()
  const left = (deps.networkDeadline ?? Infinity) - performance.now()
  const deadline = AbortSignal.timeout(Math.max(0, Math.floor(Math.min(deadlineMs, left))))
  const fetch = fetchUntil(deps, deadline, maxBytes)
  const metadata = metadataOf(app)
  return new Client({
    clientMetadata: oauthClientMetadataSchema.parse(metadata.client),
    ...(metadata.key && { keyset: [await openKey(metadata.key)] }),
    responseMode: 'query',
    // The guard refuses plain http outside of allowed addresses.
    allowHttp: true,
    fetch,
    handleResolver: new AtprotoHandleResolver({ fetch, resolveTxt: txtRecords(deps) }),
    stateStore: noStore,
    sessionStore: { ...noStore, get: () => session },
    dpopNonceCache: nonces,
    authorizationServerMetadataCache: issuers,
    runtimeImplementation: {
      createKey: async () => openKey(await newKey()),
      getRandomValues: (length) => randomBytes(length),
      digest: (data, { name }) => createHash(name).update(data).digest(),
      // Each operation has a client of its own, and leases keep renewals apart.
      requestLock: (_, work) => work(),
    },
  })
}

/** Proves that requests of the client are its own. */
const authMethodOf = (app: OAuthApp) => {
  const { key } = metadataOf(app)
  return key ? { method: 'private_key_jwt' as const, kid: String(key.kid) } : { method: 'none' as const }
}

/** The server that issues tokens, bound to a key. */
export async function issuerAt(
  client: OAuthClient,
  app: OAuthApp,
  { key, issuer }: Pick<Binding, 'key' | 'issuer'>,
): Promise<OAuthServerAgent> {
  return client.serverFactory.fromIssuer(issuer, authMethodOf(app), await openKey(key))
}
