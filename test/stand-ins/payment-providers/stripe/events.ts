import { createHmac } from 'node:crypto'
import { fixture } from './present/fixture.ts'
import { present } from './present/present.ts'
import type { Json, Resource, Stripe } from './state.ts'

const API_VERSION = '2026-10-28.endive'

const MINUTE = 60_000

/** Delays between the attempts of a webhook. The last one repeats, for three days in all. */
const GAPS = [5, 30, 120, 300, 600].map((minutes) => minutes * MINUTE)
const MAX_ATTEMPTS = 12

export const stripeSignature = (secret: string, seconds: number, body: string) =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`

/** Stores an event about a resource as it is now, and sends it. `previous`: what its changed fields were. */
export function emit(stripe: Stripe, type: string, resource: Resource, previous?: Json) {
  const id = stripe.newId('evt')
  const data = { object: present(stripe, resource), ...(previous ? { previous_attributes: previous } : {}) }
  const event = { id, created: stripe.now(), type, request: { ...stripe.request }, data }
  stripe.events.push(event)
  const body = JSON.stringify(presentEvent(event))
  stripe.webhooks.emit({
    provider: 'stripe',
    type,
    eventId: id,
    secret: stripe.webhookSecret,
    make: (at, secret) => ({
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        ...(secret === undefined ? {} : { 'stripe-signature': stripeSignature(secret, Math.floor(at / 1000), body) }),
      },
      body,
    }),
    tamper: (sent) => sent.replace(/"id":"evt_\w+"/, '"id":"evt_tampered"'),
    accepts: (status) => status >= 200 && status < 300,
    gap: (attempts) => (attempts < MAX_ATTEMPTS ? (GAPS[attempts - 1] ?? GAPS.at(-1)) : undefined),
  })
}

export const presentEvent = (event: Stripe['events'][number]): Json =>
  fixture('event', { ...event, api_version: API_VERSION, pending_webhooks: 1 })

/** Reports a change of a subscription with what changed in it. `before`: the subscription as it was shown. */
export function emitUpdated(stripe: Stripe, type: string, resource: Resource, before: Json) {
  const after = present(stripe, resource)
  const changed = Object.keys(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]))
  if (changed.length === 0) return
  emit(stripe, type, resource, Object.fromEntries(changed.map((key) => [key, before[key] ?? null])))
}
