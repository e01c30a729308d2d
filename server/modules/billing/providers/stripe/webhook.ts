import type { IncomingHttpHeaders } from 'node:http'
import type { Deps } from '../../../../lib/deps.ts'
import { type InboundEvent, ProviderError, type Refs } from '../provider.ts'
import { checkoutIdOf, loadStripe } from './client.ts'

/** Age in seconds at which a signed event is refused, so that it cannot be replayed. */
const TOLERANCE_S = 300

/** Reads only ids, which are in the same place in every version of the API that an endpoint can be set to. */
export async function verifyWebhook(
  deps: Deps,
  raw: Buffer,
  { 'stripe-signature': signature }: IncomingHttpHeaders,
): Promise<InboundEvent | null> {
  const secret = await deps.options.secret('stripe.webhook_secret')
  if (secret === undefined) throw new ProviderError('not_configured', 'The signing secret of Stripe is missing.')
  if (typeof signature !== 'string') return null
  const { webhooks } = await loadStripe()
  try {
    // Given bytes, the package would decode them twice.
    const now = deps.clock.now().getTime()
    return eventOf(fieldsOf(webhooks.constructEvent(raw.toString(), signature, secret, TOLERANCE_S, undefined, now)))
  } catch {
    return null
  }
}

type Fields = Record<string, unknown>
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {})
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
/** The id in a reference, which Stripe sends as an id or as the whole object. */
const refOf = (value: unknown) => textOf(value) ?? textOf(fieldsOf(value).id)

function eventOf(event: Fields): InboundEvent | null {
  const id = textOf(event.id)
  const type = textOf(event.type)
  return id && type ? { id, type, refs: refsOf(fieldsOf(fieldsOf(event.data).object)) } : null
}

function refsOf(object: Fields): Refs {
  const metadata = fieldsOf(object.metadata)
  switch (object.object) {
    case 'checkout.session':
      return defined({
        checkout_id: checkoutIdOf(object.client_reference_id) ?? checkoutIdOf(metadata.checkout_id),
        checkout_ref: textOf(object.id),
        subscription_id: refOf(object.subscription),
        payment_id: refOf(object.payment_intent),
      })
    case 'subscription':
      return defined({ checkout_id: checkoutIdOf(metadata.checkout_id), subscription_id: textOf(object.id) })
    case 'invoice': {
      const details = fieldsOf(fieldsOf(object.parent).subscription_details)
      return defined({
        checkout_id: checkoutIdOf(fieldsOf(details.metadata).checkout_id),
        // Versions before 2025-03-31 have it on the invoice.
        subscription_id: refOf(details.subscription) ?? refOf(object.subscription),
      })
    }
    case 'charge':
    case 'dispute':
    case 'refund':
      return defined({
        checkout_id: checkoutIdOf(metadata.checkout_id),
        payment_id: refOf(object.payment_intent),
      })
    case 'payment_intent':
      return defined({ checkout_id: checkoutIdOf(metadata.checkout_id), payment_id: textOf(object.id) })
    default:
      return {}
  }
}

const defined = (refs: { [Key in keyof Refs]: string | undefined }): Refs =>
  Object.fromEntries(Object.entries(refs).filter(([, value]) => value !== undefined))
