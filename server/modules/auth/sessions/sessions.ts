import { createSecretKey, type KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { equalInConstantTime, hmac } from '../../../lib/crypto/crypto.ts'
import { type Db, prepared } from '../../../lib/db/database.ts'
import type { Identity } from '../../../lib/http/access.ts'
import { createInvalidatedCache } from '../../../lib/runtime/caches/invalidated-cache.ts'
import type { InvalidationBus } from '../../../lib/runtime/caches/invalidation-bus.ts'
import type { Clock } from '../../../lib/runtime/clock.ts'
import { type MaybePromise, whenReady } from '../../../lib/runtime/concurrency/maybe-promise.ts'
import type { LastUse } from '../../../lib/runtime/last-use.ts'

/** Parts of a request that are used here. */
type Call = { method: string; host: string; headers: IncomingHttpHeaders }

const readSession = prepared((db, input: { token: string }) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select([
      'session.id as session_id',
      'session.expires_at',
      'user.id as user_id',
      'user.email',
      'user.is_instance_admin',
      'user.workspace_id',
    ])
    .where('session.token', '=', input.token)
    .where('user.banned_at', 'is', null),
)

/** Returns the raw value of a cookie, or undefined. */
export function cookieOf(header: string | undefined, name: string) {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value) return value
  }
}

/** Value signed by better-auth (`value.base64(HMAC-SHA256)`); undefined if the signature is wrong. */
function signedValue(encoded: string, secret: KeyObject | string) {
  let value: string
  try {
    value = decodeURIComponent(encoded)
  } catch {
    return
  }
  const dot = value.lastIndexOf('.')
  const signed = value.slice(0, dot)
  if (dot > 0 && equalInConstantTime(value.slice(dot + 1), hmac(secret, signed).digest('base64'))) return signed
}

/** Returns the value of a signed cookie; undefined if it is missing or its signature is wrong. */
export function signedCookie(header: string | undefined, name: string, secret: string) {
  const cookie = cookieOf(header, name)
  return cookie && signedValue(cookie, secret)
}

type Known = { identity: Identity & { session_id: string }; until: number }

type Options = {
  db: Db
  secret: string
  secure: boolean
  invalidationBus: InvalidationBus
  clock: Clock
  lastUse: LastUse
}

/** Identifies the user of a session cookie. One query at most; better-auth takes two. */
export function sessionReader({ db, secret, secure, invalidationBus, clock, lastUse }: Options) {
  const cached = createInvalidatedCache<Known>(invalidationBus)
  const noteUse = lastUse.column('session', 'seen_at')
  const name = `${secure ? '__Secure-' : ''}meydan.session_token`
  const key = createSecretKey(Buffer.from(secret))

  async function read(cookie: string) {
    const token = signedValue(cookie, key)
    if (!token || token.includes('\0')) return
    const [row] = await readSession(db, { token })
    if (!row) return
    const { expires_at, ...identity } = row
    return { identity: { ...identity, token: null }, until: expires_at.getTime() }
  }

  const isOver = ({ until }: Known) => until <= clock.now().getTime()

  function use(known: Known | undefined) {
    if (!known || isOver(known)) return
    noteUse(known.identity.session_id)
    return known.identity
  }

  return (request: Call): MaybePromise<Identity | undefined> => {
    const cookie = cookieOf(request.headers.cookie, name)
    // The cache key includes the signature, so only the full cookie finds the entry.
    if (!cookie) return
    const known = cached(cookie, () => read(cookie))
    // Renewals are not announced.
    return whenReady(known, (known) => whenReady(known && isOver(known) ? read(cookie) : known, use))
  }
}

/**
 * Whether a request comes from our own pages. Browsers say where it started, and scripts cannot change that. Without
 * these headers it is no browser.
 */
export const sameOriginCheck = (baseUrl: string) => {
  const base = new URL(baseUrl)
  const isOwn = (origin: string, host: string | undefined) => {
    const { protocol, host: named } = URL.parse(origin) ?? {}
    if (named === base.host) return protocol === base.protocol
    // At another address of this instance, a proxy may or may not have added https, but must not take it away.
    return named !== undefined && named === host && (base.protocol === 'http:' || protocol === 'https:')
  }
  return (request: Call) => {
    if (request.method === 'GET' || request.method === 'HEAD') return true
    const site = request.headers['sec-fetch-site']
    if (site !== undefined) return site === 'same-origin' || site === 'none'
    const { origin } = request.headers
    return origin === undefined || isOwn(origin, request.host)
  }
}
