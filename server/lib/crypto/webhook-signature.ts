import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { hmac } from './crypto.ts'

export const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** The two HMAC keys of a secret: its text, and the bytes that it encodes. */
type SigningKey = { text: KeyObject; bytes: KeyObject }

export const signingKey = (secret: string): SigningKey => ({
  text: createSecretKey(Buffer.from(secret)),
  bytes: createSecretKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')),
})

/** `previous` signs too until `previous_until`, so that receivers have time to switch to the current secret. */
export type SigningKeys = { current: SigningKey; previous?: SigningKey | null; previous_until?: Date | null }

/**
 * Returns the headers of one attempt. `X-Service-Signature` is the hex HMAC-SHA256 of the body, keyed with the text of
 * the secret. The `webhook-*` headers follow Standard Webhooks 1.0, keyed with the bytes that the secret encodes. The
 * id is the same for all attempts; the timestamp is that of the attempt.
 */
export function signedHeaders(
  { current, previous, previous_until }: SigningKeys,
  eventId: string,
  body: Buffer | string,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const hex = ({ text }: SigningKey) => hmac(text, body).digest('hex')
  const standard = ({ bytes }: SigningKey) => `v1,${hmac(bytes, `${eventId}.${timestamp}.`, body).digest('base64')}`
  const overlaps = previous && (!previous_until || previous_until > now)
  return {
    'content-type': 'application/json',
    ...(overlaps
      ? { 'x-service-signature': hex(previous), 'x-service-signature-next': hex(current) }
      : { 'x-service-signature': hex(current) }),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': overlaps ? `${standard(current)} ${standard(previous)}` : standard(current),
  }
}
