import { Type } from 'typebox'
import type { Deps } from '../../../../lib/deps.ts'
import { majorOf, minorOf, NumberOrText } from '../calls.ts'
import { type CheckoutState, type OpenedCheckout, ProviderError, type Sale } from '../provider.ts'
import { IyzicoError, isNotFound, iyzicoCall } from './client.ts'
import { hostedPath } from './page-html.ts'
import { currencyOf, idOf, readPayment } from './payments.ts'
import { checkPrice } from './pricing-plans.ts'

const ONE_OFF = 'payment:'
/** Distinguishes the token of a single payment, which is read elsewhere than that of a subscription. */
export const oneOffRef = (token: string) => `${ONE_OFF}${token}`

const Opened = Type.Object({
  token: Type.String({ minLength: 1 }),
  /** Seconds. */
  tokenExpireTime: Type.Optional(Type.Number()),
})
const OpenedForm = Type.Intersect([Opened, Type.Object({ checkoutFormContent: Type.String({ minLength: 1 }) })])
const OpenedPage = Type.Intersect([Opened, Type.Object({ paymentPageUrl: Type.String({ minLength: 1 }) })])
const refused = (message: string) => new ProviderError('refused', message)

/** The parties of a sale, in iyzico's fields. */
function partiesOf({ buyer, address, payer }: Sale) {
  if (!buyer) throw refused('iyzico needs name, surname, phone and identity number of the buyer.')
  const { city, country, line1, line2, postal } = address ?? {}
  if (!city || !country || !line1)
    throw refused('iyzico needs a billing address. Enter address, city and country in the settings of the workspace.')
  const names = new Intl.DisplayNames('en', { type: 'region' })
  const place = { city, country: /^[A-Z]{2}$/.test(country) ? (names.of(country) ?? country) : country }
  const street = [line1, line2].filter(Boolean).join(', ')
  const { name, surname, phone: gsmNumber, identity_number: identityNumber } = buyer
  const contact = { contactName: address?.name || `${name} ${surname}`, ...place, address: street }
  return {
    person: { name, surname, gsmNumber, identityNumber, email: payer.email },
    place: { ...place, registrationAddress: street, ip: payer.ip },
    address: { ...contact, ...(postal && { zipCode: postal }) },
  }
}

export const openCheckout = (deps: Deps, sale: Sale) =>
  sale.recurring ? openForm(deps, sale, sale.recurring) : openPage(deps, sale)

/** Opens the form that begins a subscription. iyzico has no page for it, so a page of Meydan shows its script. */
async function openForm(deps: Deps, sale: Sale, recurring: NonNullable<Sale['recurring']>): Promise<OpenedCheckout> {
  const { person, address } = partiesOf(sale)
  await checkPrice(deps, { ...recurring, amount: sale.amount, currency: sale.currency })
  const opened = await iyzicoCall(deps, OpenedForm, {
    path: '/v2/subscription/checkoutform/initialize',
    locale: sale.payer.locale,
    body: {
      conversationId: sale.checkout_id,
      callbackUrl: sale.callback_url,
      pricingPlanReferenceCode: recurring.price_ref,
      subscriptionInitialStatus: 'ACTIVE',
      customer: { ...person, billingAddress: address, shippingAddress: address },
    },
  })
  return {
    ref: opened.token,
    url: hostedPath(opened.token),
    form_html: opened.checkoutFormContent,
    expires_at: expiryOf(deps, sale, opened.tokenExpireTime),
  }
}

/** A single payment, on a page of iyzico. Without instalments, so that what is charged is what was shown. */
async function openPage(deps: Deps, sale: Sale): Promise<OpenedCheckout> {
  const { person, place, address } = partiesOf(sale)
  const price = majorOf(sale.amount)
  const opened = await iyzicoCall(deps, OpenedPage, {
    path: '/payment/iyzipos/checkoutform/initialize/auth/ecom',
    locale: sale.payer.locale,
    body: {
      conversationId: sale.checkout_id,
      price,
      paidPrice: price,
      currency: sale.currency,
      basketId: sale.checkout_id,
      paymentGroup: 'PRODUCT',
      callbackUrl: sale.callback_url,
      enabledInstallments: [1],
      buyer: { id: sale.workspace_id, ...person, ...place },
      billingAddress: address,
      shippingAddress: address,
      basketItems: [
        { id: sale.checkout_id, name: sale.description, category1: 'Software', itemType: 'VIRTUAL', price },
      ],
    },
  })
  const expires_at = expiryOf(deps, sale, opened.tokenExpireTime)
  return { ref: oneOffRef(opened.token), url: opened.paymentPageUrl, expires_at }
}

const expiryOf = ({ clock }: Deps, { expires_at }: Sale, seconds = 1800) =>
  new Date(Math.min(expires_at.getTime(), clock.now().getTime() + seconds * 1000))

const StartedSubscription = Type.Object({
  data: Type.Object({ referenceCode: Type.String({ minLength: 1 }), subscriptionStatus: Type.String() }),
})
const PaidForm = Type.Object({
  paymentStatus: Type.Optional(Type.String()),
  paymentId: Type.Optional(NumberOrText),
  paidPrice: Type.Optional(NumberOrText),
  currency: Type.Optional(Type.String()),
  /** 1: approved. 0: in review. -1: rejected. */
  fraudStatus: Type.Optional(Type.Number()),
  systemTime: Type.Optional(Type.Number()),
})

/** A form whose card was declined stays open: it can be filled in again until its token expires. */
export async function readCheckout(deps: Deps, { ref, id }: { ref: string; id: string }): Promise<CheckoutState> {
  try {
    return ref.startsWith(ONE_OFF) ? await readOneOff(deps, id, ref.slice(ONE_OFF.length)) : await readForm(deps, ref)
  } catch (error) {
    if (isNotFound(error)) return { status: 'expired' }
    if (error instanceof IyzicoError && ['refused', 'declined'].includes(error.kind)) return { status: 'open' }
    throw error
  }
}

async function readForm(deps: Deps, token: string): Promise<CheckoutState> {
  const path = `/v2/subscription/checkoutform/${encodeURIComponent(token)}`
  const { data } = await iyzicoCall(deps, StartedSubscription, { path })
  if (data.subscriptionStatus === 'PENDING') return { status: 'open' }
  return { status: 'completed', subscription_id: data.referenceCode, payment: null }
}

async function readOneOff(deps: Deps, conversationId: string, token: string): Promise<CheckoutState> {
  const path = '/payment/iyzipos/checkoutform/auth/ecom/detail'
  const paid = await iyzicoCall(deps, PaidForm, { path, body: { conversationId, token } })
  if (paid.fraudStatus === -1) return { status: 'failed', message: 'iyzico rejected the payment after a review.' }
  const { paymentId, paidPrice, currency, systemTime } = paid
  if (paid.paymentStatus !== 'SUCCESS' || paid.fraudStatus === 0 || paymentId === undefined) return { status: 'open' }
  if (paidPrice === undefined || currency === undefined) return { status: 'open' }
  const payment = await readPayment(deps, idOf(paymentId)).catch(() => null)
  return {
    status: 'completed',
    subscription_id: null,
    payment: payment ?? {
      id: idOf(paymentId),
      amount: minorOf(paidPrice),
      currency: currencyOf(currency),
      // The report of a new payment may be late. The time of the response is then the best that is known.
      paid_at: new Date(systemTime ?? deps.clock.now()),
      period: null,
      refunded: 0n,
    },
  }
}
