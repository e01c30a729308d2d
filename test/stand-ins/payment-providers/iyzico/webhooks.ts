import { iyzicoWebhookSignature } from './auth.ts'
import type { Iyzico } from './state.ts'

type Webhook = {
  type: string
  /** The fields of the body besides the type, the time and the reference of the webhook. */
  fields: object
  /** The texts that the signature with this key covers, in their order. */
  signed: (key: string) => string[]
  tamper: (body: string) => string
}

/** Reports something to the merchant, up to three times a quarter of an hour apart. */
export function emitWebhook(world: Iyzico, { type, fields, signed, tamper }: Webhook) {
  const iyziReferenceCode = world.newRef()
  const common = { iyziReferenceCode, iyziEventType: type, iyziEventTime: world.timers.time() }
  const body = JSON.stringify({ ...fields, ...common })
  const signature = (key: string) => ({ 'x-iyz-signature-v3': iyzicoWebhookSignature(key, ...signed(key)) })
  world.webhooks.emit({
    provider: 'iyzico',
    type,
    eventId: iyziReferenceCode,
    secret: world.credentials.secretKey,
    make: (_at, key) => ({
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : signature(key)) },
      body,
    }),
    tamper,
    accepts: (status) => status >= 200 && status < 300,
    gap: (attempts) => (attempts < 3 ? 15 * 60_000 : undefined),
  })
}
