import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { seal, unseal } from '../../../../lib/crypto/crypto.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { ProviderError } from '../provider.ts'
import { iyzicoCall } from './client.ts'
import { readSubscription } from './subscriptions.ts'

const LINK_MS = 60 * 60_000
const CONTEXT = 'iyzico|card|link'

/** `back`: path of the console. `expires`: milliseconds. */
const Link = Type.Object({ id: Type.String(), back: Type.String(), expires: Type.Number() })

/** Address of our page around the form that changes the card. Sealed, because whoever opens it may not be signed in. */
export function cardUrl({ keyring, clock, baseUrl }: Deps, { id }: { id: string }, return_url: string) {
  const link = { id, back: new URL(return_url).pathname, expires: clock.now().getTime() + LINK_MS }
  const sealed = seal(keyring, JSON.stringify(link), CONTEXT)
  return `${baseUrl}/billing/iyzico/card?of=${encodeURIComponent(sealed)}`
}

/** Opens the sealed part of such an address; undefined if it is not one of ours, or has expired. */
export function openLink({ keyring, clock }: Deps, sealed: string) {
  try {
    const link: unknown = JSON.parse(unseal(keyring, sealed, CONTEXT))
    return Value.Check(Link, link) && link.expires > clock.now().getTime() ? link : undefined
  } catch {
    return undefined
  }
}

/** The HTML of iyzico's form that changes the card of a subscription. */
export async function openCardForm(deps: Deps, id: string, callbackUrl: string) {
  const subscription = await readSubscription(deps, id)
  if (!subscription) throw new ProviderError('refused', 'iyzico does not know this subscription.')
  const Form = Type.Object({ checkoutFormContent: Type.String({ minLength: 1 }) })
  const { checkoutFormContent } = await iyzicoCall(deps, Form, {
    path: '/v2/subscription/card-update/checkoutform/initialize/with-subscription',
    body: { subscriptionReferenceCode: subscription.id, callbackUrl },
  })
  return checkoutFormContent
}

/** Charges an open payment to the new card. iyzico refuses one that is paid already, so a repeated call is harmless. */
export async function retryFailedPayment(deps: Deps, id: string) {
  const failed = (await readSubscription(deps, id))?.failed_payment
  if (!failed) return
  const call = { path: '/v2/subscription/operation/retry', body: { referenceCode: failed.id }, changes: true }
  await iyzicoCall(deps, Type.Object({}), call)
}
