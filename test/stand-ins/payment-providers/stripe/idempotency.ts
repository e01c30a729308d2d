import { createHash } from 'node:crypto'
import type { Call, Reply } from '../server.ts'
import { StripeError } from './form.ts'
import type { Stripe } from './state.ts'

const DAY = 86_400

/** Responses by the key of their request, kept for 24 hours. */
export function idempotencyStore(stripe: Stripe) {
  const kept = new Map<string, { hash: string; at: number; reply: Reply }>()

  return (call: Call, work: () => Reply): Reply => {
    const key = call.headers['idempotency-key']
    if (call.method !== 'POST' || typeof key !== 'string') return work()
    if (key.length > 255)
      throw new StripeError(400, 'Idempotency keys can be at most 255 characters.', { type: 'idempotency_error' })
    const hash = createHash('sha256').update(`${call.method} ${call.path}\n`).update(call.raw).digest('hex')
    const known = kept.get(key)
    if (known && known.at + DAY > stripe.now()) {
      if (known.hash !== hash)
        throw new StripeError(
          400,
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
          { type: 'idempotency_error' },
        )
      return { ...known.reply, headers: { ...known.reply.headers, 'idempotent-replayed': 'true' } }
    }
    // A request that was refused before it did anything throws here, and may be sent again with another body.
    const reply = work()
    kept.set(key, { hash, at: stripe.now(), reply })
    return reply
  }
}
