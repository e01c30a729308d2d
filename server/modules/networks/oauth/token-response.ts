import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import type { Tokens } from './tokens.ts'

/** Cause of a refused token request. `grant`: code, token or consent no longer count. `app`: the network rejects the app. */
type Refused = 'grant' | 'app' | 'unavailable'

export class TokenRefusal extends Error {
  readonly refused: Refused
  constructor(refused: Refused, message: string, options?: ErrorOptions) {
    super(message, options)
    this.refused = refused
  }
}

const appErrors = ['invalid_client', 'unauthorized_client', 'invalid_client_id', 'invalid_client_secret']
const grantErrors = ['invalid_grant', 'access_denied', 'invalid_request', 'invalid_scope', 'expired_token']

/** Codes of Meta for a token that no longer counts, and for an app whose id or secret is wrong. */
const META_TOKEN = 190
const META_APP = [101, 1]

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Reads the error of a network: of RFC 6749, or an object as Meta sends it. Undefined without one. */
export function refusalOf(status: number, fields: Record<string, unknown>): TokenRefusal | undefined {
  const { error } = fields
  const nested = fieldsOf(error)
  const code = textOf(error) ?? nested.code
  const message = sanitizeExternalText(
    textOf(fields.error_description) ??
      textOf(nested.message) ??
      textOf(fields.error_message) ??
      textOf(fields.message) ??
      String(code ?? `The network responded with status ${status}.`),
  )
  if (status < 400 && error === undefined) return
  if (status >= 500 || status === 429) return new TokenRefusal('unavailable', message)
  if (typeof code === 'string' && appErrors.includes(code)) return new TokenRefusal('app', message)
  if (typeof code === 'string' && grantErrors.includes(code)) return new TokenRefusal('grant', message)
  if (code === META_TOKEN) return new TokenRefusal('grant', message)
  if (typeof code === 'number' && META_APP.includes(code)) return new TokenRefusal('app', message)
  // Without an error of OAuth it may be that of a firewall or of maintenance.
  if (status === 401 || (status === 403 && code === undefined)) return new TokenRefusal('unavailable', message)
  return new TokenRefusal(status === 400 || status === 403 ? 'grant' : 'unavailable', message)
}

/** Throws a `TokenRefusal` unless a request at the token endpoints succeeded. */
export function requireSuccess(reply: Reply) {
  const refusal = refusalOf(reply.status, fieldsOf(jsonOf(reply)))
  if (refusal) throw refusal
}

const MIN_SECONDS = 60
const MAX_SECONDS = 10 * 365 * 86_400

/** Seconds, which some networks send as a text. A server that somebody named can send any number. */
function secondsOf(value: unknown) {
  const seconds = Number(value ?? 0)
  return seconds > 0 ? Math.floor(Math.min(Math.max(seconds, MIN_SECONDS), MAX_SECONDS)) : null
}

/** Permissions as a text with spaces or commas, or as a list. */
function scopesOf(value: unknown): string[] | null {
  if (Array.isArray(value)) return value.filter((scope) => typeof scope === 'string')
  if (typeof value !== 'string') return null
  return value.split(/[\s,]+/).filter(Boolean)
}

/** The fields of a response, which some networks put into a list, or into one named `data`. */
function innerFieldsOf(body: unknown): Record<string, unknown> {
  if (Array.isArray(body)) return fieldsOf(body[0])
  const { data, ...fields } = fieldsOf(body)
  return Array.isArray(data) ? fieldsOf(data[0]) : fields
}

/**
 * Reads tokens from a response. Networks differ from RFC 6749, section 5.1: `token_type` is absent, `scope` is a list,
 * numbers are texts, errors come with status 200. Throws a `TokenRefusal`.
 */
export function readTokens(reply: Reply): Tokens {
  const fields = innerFieldsOf(jsonOf(reply))
  const refusal = refusalOf(reply.status, fields)
  if (refusal) throw refusal
  const access_token = textOf(fields.access_token)
  if (!access_token) throw new TokenRefusal('unavailable', 'The response of the network contains no access token.')
  return {
    access_token,
    refresh_token: textOf(fields.refresh_token) ?? null,
    expires_in: secondsOf(fields.expires_in),
    scopes: scopesOf(fields.scope ?? fields.permissions),
  }
}
