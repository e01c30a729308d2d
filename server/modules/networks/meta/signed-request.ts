import { equalInConstantTime, hmac } from '../../../lib/crypto/crypto.ts'
import type { NetworkNotice, OAuthApp } from '../oauth/provider.ts'

/** Seconds by which the clock of Meta may be ahead. */
const MAX_AHEAD_S = 300
const segment = /^[A-Za-z0-9_-]+={0,2}$/

function parseFields(payload: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return
  }
}

/**
 * Reads the form field `signed_request`: the signature of the app, a dot, and a JSON object, both in base64url.
 * Undefined unless the app signed it.
 */
export function readSignedRequest(
  { client_secret }: OAuthApp,
  form: URLSearchParams,
  now: Date,
): NetworkNotice | undefined {
  const [signature = '', payload = '', ...rest] = (form.get('signed_request') ?? '').split('.')
  if (rest.length > 0 || !segment.test(signature) || !segment.test(payload)) return
  const expected = hmac(client_secret, payload).digest('base64url')
  if (!equalInConstantTime(signature.replace(/=+$/, ''), expected)) return
  const fields = parseFields(payload)
  if (!fields || String(fields.algorithm).toUpperCase() !== 'HMAC-SHA256') return
  const { user_id, issued_at } = fields
  if (!(typeof user_id === 'string' || typeof user_id === 'number') || !/^\d{1,40}$/.test(String(user_id))) return
  const seconds = typeof issued_at === 'number' ? issued_at : now.getTime() / 1000
  if (!(seconds > 0) || seconds > now.getTime() / 1000 + MAX_AHEAD_S) return
  return { external_user_id: String(user_id), issued_at: new Date(seconds * 1000) }
}
