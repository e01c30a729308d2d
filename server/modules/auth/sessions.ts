import { createSecretKey, type KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Identity } from '../../lib/access.ts'
import type { Clock } from '../../lib/clock.ts'
import { equalInConstantTime, hmac } from '../../lib/crypto.ts'
import { compiledOnce, type Db } from '../../lib/database.ts'
import { heardCache } from '../../lib/heard-cache.ts'
import type { LastUse } from '../../lib/last-use.ts'
import type { Pulse } from '../../lib/pulse.ts'
import { type Soon, soon } from '../../lib/soon.ts'

/** What is looked at of a request. */
type Call = { method: string; host: string; headers: IncomingHttpHeaders }

const readSession = compiledOnce((db, input: { token: string }) =>
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

/** The value of a cookie as it was sent, or undefined. */
export function cookieOf(header: string | undefined, name: string) {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value) return value
  }
}

/** What better-auth signed (`value.base64(HMAC-SHA256)`), or undefined when it did not sign this. */
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

/** The value of a cookie that better-auth signed, or undefined when it was not sent or not signed. */
export function signedCookie(header: string | undefined, name: string, secret: string) {
  const cookie = cookieOf(header, name)
  return cookie && signedValue(cookie, secret)
}

type Known = { identity: Identity & { session_id: string }; until: number }

type Options = { db: Db; secret: string; secure: boolean; pulse: Pulse; clock: Clock; lastUse: LastUse }

/** Who a session cookie speaks for: one query at most, where better-auth would take two. */
export function sessionReader({ db, secret, secure, pulse, clock, lastUse }: Options) {
  const cached = heardCache<Known>(pulse)
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
    lastUse.note('session', known.identity.session_id)
    return known.identity
  }

  return (request: Call): Soon<Identity | undefined> => {
    const cookie = cookieOf(request.headers.cookie, name)
    // With its signature: nothing but the cookie itself finds what is kept of it.
    if (!cookie) return
    const known = cached(cookie, () => read(cookie))
    // A renewal is not announced.
    return soon(known, (known) => soon(known && isOver(known) ? read(cookie) : known, use))
  }
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : undefined)

/**
 * Whether a request comes from our own pages. Browsers tell where a request started and
 * scripts cannot change that; what tells nothing at all is no browser.
 */
export const sameOriginCheck = (baseUrl: string) => (request: Call) => {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = request.headers
  if (origin === undefined) return true
  const host = hostOf(origin)
  return host !== undefined && (host === request.host || host === hostOf(baseUrl))
}
