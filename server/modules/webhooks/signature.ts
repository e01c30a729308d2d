import { randomBytes } from 'node:crypto'
import { hmac } from '../../lib/crypto.ts'

export const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/**
 * The headers of one attempt. `X-Service-Signature` is the hex HMAC-SHA256 of the body under the secret as text;
 * `webhook-*` follow Standard Webhooks 1.0, keyed with the bytes that the secret encodes. The id stays the same over
 * retries, the timestamp is that of the attempt.
 */
export function signedHeaders(secret: string, eventId: string, body: Buffer, now: Date) {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'Meydan-Webhooks/1.0',
    'x-service-signature': hmac(secret, body).digest('hex'),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac(bytes, `${eventId}.${timestamp}.`, body).digest('base64')}`,
  }
}
