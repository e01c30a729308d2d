import { createHmac, randomBytes } from 'node:crypto'

/** Keys of an app and of an account that granted it access (RFC 5849, section 1.1). */
export type SigningKeys = {
  consumer_key: string
  consumer_secret: string
  token: string
  token_secret: string
}

type Signed = { method: string; url: string; nonce?: string; now: Date }

/** Percent-encoding of RFC 5849, section 3.6. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/** The parameters sorted by their encoded names, then values, by bytes (RFC 5849, section 3.4.1.3.2). */
const normalized = (parameters: Iterable<[string, string]>) =>
  Array.from(parameters, ([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .map((pair) => ({ pair, key: pair.replace('=', '\0') }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ pair }) => pair)
    .join('&')

/**
 * The `Authorization` header of a request (RFC 5849, section 3), signed with HMAC-SHA1. Of the body, only that of a form
 * is signed, so it signs requests with JSON, `multipart/form-data` or no body.
 */
export function signedHeader(
  keys: SigningKeys,
  { method, url, now, nonce = randomBytes(16).toString('hex') }: Signed,
): string {
  const { origin, pathname, searchParams } = new URL(url)
  const oauth: [string, string][] = [
    ['oauth_consumer_key', keys.consumer_key],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(Math.floor(now.getTime() / 1000))],
    ['oauth_token', keys.token],
  ]
  const parameters = normalized([...searchParams, ...oauth])
  const base = [method, `${origin}${pathname}`, parameters].map(encoded).join('&')
  const signature = createHmac('sha1', `${encoded(keys.consumer_secret)}&${encoded(keys.token_secret)}`)
    .update(base)
    .digest('base64')
  const fields = [...oauth, ['oauth_signature', signature] as const]
  return `OAuth ${fields.map(([name, value]) => `${name}="${encoded(value)}"`).join(', ')}`
}
