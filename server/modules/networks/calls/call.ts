import type { Readable } from 'node:stream'
import type { Deps } from '../../../lib/deps.ts'
import { retryAfterSeconds } from '../../../lib/http/retry-after.ts'
import { boundedRequest, hasNeverConnected, type Reply } from '../../../lib/outbound/bounded-request.ts'
import { ForbiddenAddress } from '../../../lib/outbound/safe-http.ts'
import { NetworkFault } from '../network.ts'

declare module '../../../lib/deps.ts' {
  interface Deps {
    /** Time, by `performance.now()`, at which all calls of networks end that are made with these dependencies. */
    networkDeadline?: number
  }
}

const TIMEOUT_MS = 30_000
const MAX_BYTES = 1_000_000

export type Call = {
  /** Absolute address at the network. */
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  json?: unknown
  body?: string | Buffer | Readable
  /** Milliseconds for the whole call, 30,000 by default. Uploads take longer. */
  timeoutMs?: number
  /** Maximum size of the response in bytes, 1,000,000 by default. */
  maxBytes?: number
  /** Key of NETWORK_ORIGINS for a network with a fixed address: its id, or `id.name` for one of several hosts. */
  originKey?: string | undefined
}

/** Dependencies with which all calls of networks together take at most so many milliseconds. */
export const withNetworkDeadline = (deps: Deps, ms: number): Deps => ({
  ...deps,
  networkDeadline: performance.now() + ms,
})

/** The origin that NETWORK_ORIGINS names for a host of a network, else for the whole network. */
function originOf({ config: { NETWORK_ORIGINS: origins } }: Deps, key: string | undefined) {
  return key === undefined ? undefined : (origins[key] ?? origins[key.replace(/\..*$/, '')])
}

/** The address to call in place of this one, and what makes the connection: the guard, unless the operator chose it. */
export function routeOf(deps: Deps, { url, originKey }: Pick<Call, 'url' | 'originKey'>) {
  const origin = originOf(deps, originKey)
  if (origin === undefined) return { url, dispatcher: deps.dispatcher }
  const { pathname, search } = new URL(url)
  return { url: `${origin}${pathname}${search}`, dispatcher: deps.originDispatcher }
}

/** The result of calls that an account can be connected without. Undefined if they fail. */
export async function ifAvailable<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof NetworkFault) return undefined
    throw thrown
  }
}

/**
 * Calls a network once: guarded, without redirects or retries, bounded in time and size. Throws a `NetworkFault` without
 * a response: `unavailable` when nothing can have arrived, otherwise `unconfirmed`.
 */
export async function call(
  deps: Deps,
  { url, method = 'GET', headers = {}, json, body, ...rest }: Call,
): Promise<Reply> {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, originKey } = rest
  const left = Math.floor((deps.networkDeadline ?? Infinity) - performance.now())
  if (left <= 0) throw new NetworkFault({ kind: 'unavailable', message: 'The calls before this one took too long.' })
  const route = routeOf(deps, { url, originKey })
  try {
    return await boundedRequest({
      dispatcher: route.dispatcher,
      url: route.url,
      method,
      // Some sites and firewalls refuse or slow down clients without a name.
      headers: {
        'user-agent': 'Meydan',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
      timeoutMs: Math.min(timeoutMs, left),
      maxBytes,
    })
  } catch (cause) {
    throw faultOf(cause)
  }
}

function faultOf(cause: unknown) {
  if (cause instanceof ForbiddenAddress)
    return new NetworkFault({ kind: 'failed', code: 'url_not_allowed', message: cause.message }, { cause })
  const message = cause instanceof Error ? cause.message : String(cause)
  return new NetworkFault({ kind: hasNeverConnected(cause) ? 'unavailable' : 'unconfirmed', message }, { cause })
}

/** The JSON of a response; undefined if the body is not JSON, such as the error page of a proxy. */
export function jsonOf({ text }: Pick<Reply, 'text'>): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The fields of an object in JSON; none if the value is something else. */
export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** The time of a response by the clock of the server, so that a clock that is off does no harm. */
export const sentAt = ({ headers }: Pick<Reply, 'headers'>) => new Date(Date.parse(headers.date ?? '') || Date.now())

/** Clocks and the seconds of the `Date` header are not exact. */
const TOLERANCE_MS = 10_000

/** A time of this instance by the clock of a server, a little earlier. What began at that time is not older there. */
export const serverTime = ({ clock }: Pick<Deps, 'clock'>, reply: Pick<Reply, 'headers'>, time: Date) =>
  new Date(time.getTime() + sentAt(reply).getTime() - clock.now().getTime() - TOLERANCE_MS)

/** The reason in the first of `names` that has a text; without one, a sentence with the status. `sender` begins it. */
export function messageOf(reply: Reply, sender: string, names: readonly string[]) {
  const fields = fieldsOf(jsonOf(reply))
  const reason = names.map((name) => fields[name]).find((each) => typeof each === 'string' && each !== '')
  return typeof reason === 'string' ? reason.slice(0, 500) : `${sender} responded with status ${reply.status}.`
}

type Described = {
  /** The reason that the network gives, for people. */
  message: string
  /** Seconds to wait, where the network does not set `Retry-After`. */
  retry_after_s?: number | undefined
}

/**
 * The fault of a response that is no success: 401 needs new credentials, 429 comes again later, other 4xx are permanent,
 * and after 5xx or 408 the work may have been done.
 */
export function faultOfReply({ status, headers }: Reply, { message, ...hint }: Described, now: Date) {
  const retry_after_s = hint.retry_after_s ?? retryAfterSeconds(headers['retry-after'], now)
  const wait = retry_after_s > 0 ? { retry_after_s } : {}
  if (status === 401) return new NetworkFault({ kind: 'unauthorized', message })
  if (status === 429) return new NetworkFault({ kind: 'unavailable', message, is_limited: true, ...wait })
  if (status >= 400 && status < 500 && status !== 408)
    return new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message })
  return new NetworkFault({ kind: 'unconfirmed', message, ...wait })
}
