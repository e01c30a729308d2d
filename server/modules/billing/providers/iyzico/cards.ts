import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { HOUR } from '../../../../../shared/time.ts'
import { seal, unseal } from '../../../../lib/crypto/crypto.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { ProviderError } from '../provider.ts'
import { iyzicoCall } from './client.ts'
import { readSubscription } from './subscriptions.ts'

const LINK_MS = HOUR
const CONTEXT = 'iyzico|card|link'

/** `back`: path of the console. `expires`: milliseconds. `form`: our id of the form that was opened, for its callback. */
const Link = Type.Object({
  id: Type.String(),
  back: Type.String(),
  expires: Type.Number(),
  form: Type.Optional(Type.String()),
})

const sealLink = ({ keyring }: Deps, link: Static<typeof Link>) =>
  encodeURIComponent(seal(keyring, JSON.stringify(link), CONTEXT))

/** Address of our page around the form that changes the card. Sealed, because whoever opens it may not be signed in. */
export function cardUrl(deps: Deps, { id }: { id: string }, return_url: string) {
  const link = { id, back: new URL(return_url).pathname, expires: deps.clock.now().getTime() + LINK_MS }
  return `${deps.baseUrl}/billing/iyzico/card?of=${sealLink(deps, link)}`
}

/** Opens the sealed part of such an address. Undefined if Meydan did not seal it, or if it has expired. */
export async function openLink({ keyring, clock }: Deps, sealed: string) {
  const { Value } = await import('typebox/value')
  try {
    const link: unknown = JSON.parse(unseal(keyring, sealed, CONTEXT))
    return Value.Check(Link, link) && link.expires > clock.now().getTime() ? link : undefined
  } catch {
    return undefined
  }
}

/** The HTML of iyzico's form that changes the card of a subscription. Its callback names the form, so that it counts once. */
export async function openCardForm(deps: Deps, link: Static<typeof Link>) {
  const callbackUrl = `${deps.baseUrl}/billing/iyzico/callback?of=${sealLink(deps, { ...link, form: randomUUID() })}`
  const subscription = await readSubscription(deps, link.id)
  if (!subscription) throw new ProviderError('refused', 'iyzico does not know this subscription.')
  const Form = Type.Object({ checkoutFormContent: Type.String({ minLength: 1 }) })
  const { checkoutFormContent } = await iyzicoCall(deps, Form, {
    path: '/v2/subscription/card-update/checkoutform/initialize/with-subscription',
    body: { subscriptionReferenceCode: subscription.id, callbackUrl },
  })
  return checkoutFormContent
}

/** Charges an open payment to the new card. iyzico refuses one that is paid already, and tries a declined one each time. */
export async function retryFailedPayment(deps: Deps, id: string) {
  const failed = (await readSubscription(deps, id))?.failed_payment
  if (!failed) return
  const call = { path: '/v2/subscription/operation/retry', body: { referenceCode: failed.id }, changes: true }
  await iyzicoCall(deps, Type.Object({}), call)
}
