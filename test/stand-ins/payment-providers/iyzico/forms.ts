import { minorOf } from '../amounts.ts'
import { iyzicoResponseSignature } from './auth.ts'
import { numberOf, presentResult } from './present.ts'
import {
  type Body,
  type Customer,
  DECLINED,
  type Iyzico,
  IyzicoError,
  invalid,
  notFound,
  objectIn,
  type Payment,
  required,
  success,
  text,
} from './state.ts'
import { planOf, startSubscription, subscriptionOf, takeMoney } from './subscriptions.ts'
import { emitWebhook } from './webhooks.ts'

/** Seconds that a form can be used. */
const LIFETIME = 1800

type Form = {
  token: string
  kind: 'subscription' | 'payment' | 'card_update'
  body: Body
  callbackUrl: string
  expiresAt: number
  state: 'open' | 'paid' | 'declined'
  /** The subscription that was started, or those whose card was changed. */
  subscriptions: string[]
  payment: Payment | undefined
}

/** A payment on a form. `country`: the country of the card, Turkey by default. */
export type FormPayment = { card?: 'ok' | 'declined'; country?: string }

function checkAddress(body: Body, name: string) {
  required(objectIn(body, name), 'contactName', 'city', 'country', 'address')
}

function checkCustomer(body: Body) {
  const customer = objectIn(body, 'customer')
  required(customer, 'name', 'surname', 'email', 'gsmNumber', 'identityNumber')
  checkAddress(customer, 'billingAddress')
  if (customer.shippingAddress !== undefined) checkAddress(customer, 'shippingAddress')
}

function checkCallback(body: Body) {
  if (!URL.canParse(text(body, 'callbackUrl'))) throw invalid('callbackUrl')
}

function checkPayment(body: Body) {
  required(body, 'price', 'paidPrice', 'basketId', 'currency')
  const [price, paid] = [minorOf(text(body, 'price')), minorOf(text(body, 'paidPrice'))]
  if (!price || !paid) throw invalid('price')
  const buyer = ['id', 'name', 'surname', 'identityNumber', 'email', 'registrationAddress', 'city', 'country', 'ip']
  required(objectIn(body, 'buyer'), ...buyer)
  checkAddress(body, 'billingAddress')
  if (!Array.isArray(body.basketItems) || body.basketItems.length === 0) throw invalid('basketItems')
  let sum = 0n
  for (const item of body.basketItems) {
    const line: Body = { ...item }
    required(line, 'id', 'name', 'category1', 'itemType', 'price')
    sum += minorOf(text(line, 'price')) ?? 0n
  }
  if (sum !== price)
    throw new IyzicoError('5062', 'Gönderilen tutar tüm kırılımların toplam tutarına eşit olmalıdır', 200)
}

/** The script that a merchant puts into a page: it loads the form into the element `iyzipay-checkout-form`. */
const contentOf = (url: string, token: string) =>
  `<script type="text/javascript">if (typeof iyziInit == 'undefined') {var iyziInit = {token:"${token}",` +
  `createTag:function(){var iyziJSTag = document.createElement('script');` +
  `iyziJSTag.setAttribute('src','${url}/checkoutform/v2/bundle.js');document.head.appendChild(iyziJSTag);}};` +
  'iyziInit.createTag();}</script>'

export type Forms = ReturnType<typeof createForms>

/** The forms of iyzico, and what happens when somebody fills them in. `url`: the address of this server. */
export function createForms(world: Iyzico, url: () => string) {
  const forms = new Map<string, Form>()
  const { secretKey } = world.credentials

  function open(kind: Form['kind'], body: Body) {
    const token = world.newRef()
    const expiresAt = world.timers.time() + LIFETIME * 1000
    const callbackUrl = text(body, 'callbackUrl')
    forms.set(token, {
      token,
      kind,
      body,
      callbackUrl,
      expiresAt,
      state: 'open',
      subscriptions: [],
      payment: undefined,
    })
    return { token, checkoutFormContent: contentOf(url(), token), tokenExpireTime: LIFETIME }
  }

  function initializeSubscription(body: Body) {
    checkCallback(body)
    planOf(world, text(body, 'pricingPlanReferenceCode'))
    if (!['ACTIVE', 'PENDING'].includes(text(body, 'subscriptionInitialStatus')))
      throw invalid('subscriptionInitialStatus')
    checkCustomer(body)
    return success(world, body, open('subscription', body))
  }

  function initializePayment(body: Body) {
    checkCallback(body)
    checkPayment(body)
    const fields = open('payment', body)
    const signature = iyzicoResponseSignature(secretKey, text(body, 'conversationId'), fields.token)
    const paymentPageUrl = `${url()}/?token=${fields.token}&lang=${text(body, 'locale') || 'tr'}`
    return success(world, body, { ...fields, paymentPageUrl, signature })
  }

  function initializeCardUpdate(body: Body, bySubscription: boolean) {
    checkCallback(body)
    if (bySubscription) subscriptionOf(world, text(body, 'subscriptionReferenceCode'))
    else if (!world.customers.has(text(body, 'customerReferenceCode'))) throw notFound('Müşteri')
    return success(world, body, open('card_update', body))
  }

  function customerOf(body: Body): Customer {
    const customer = objectIn(body, 'customer')
    const email = text(customer, 'email')
    const known = [...world.customers.values()].find((each) => each.email === email)
    if (known) return known
    const created = { ref: world.newRef(), email, body: customer, createdAt: world.timers.time() }
    world.customers.set(created.ref, created)
    return created
  }

  function subscribe(form: Form, payment: Required<FormPayment>) {
    const plan = planOf(world, text(form.body, 'pricingPlanReferenceCode'))
    const initialStatus = text(form.body, 'subscriptionInitialStatus') === 'PENDING' ? 'PENDING' : 'ACTIVE'
    const card = { declines: payment.card === 'declined', country: payment.country }
    const customerRef = customerOf(form.body).ref
    const conversationId = text(form.body, 'conversationId')
    const started = startSubscription(world, {
      plan,
      initialStatus,
      card,
      customerRef,
      conversationId,
      token: form.token,
    })
    if (started) form.subscriptions = [started.ref]
    return started !== undefined
  }

  function payOnce(form: Form, { card, country }: Required<FormPayment>) {
    const { body, token } = form
    const price = minorOf(text(body, 'paidPrice')) ?? 0n
    const refs = [token, text(body, 'conversationId'), text(body, 'basketId')]
    const charge = { price, currency: text(body, 'currency') }
    form.payment = takeMoney(world, { declines: card === 'declined', country }, charge, refs.filter(Boolean))
    notify(form)
    return form.payment !== undefined
  }

  function notify({ token, body, payment }: Form) {
    const type = 'CHECKOUT_FORM_AUTH'
    const status = payment ? 'SUCCESS' : 'FAILURE'
    const paymentConversationId = text(body, 'conversationId')
    const paymentId = payment?.id ?? world.newNumber()
    const merchantId = Number(world.credentials.merchantId)
    emitWebhook(world, {
      type,
      fields: { paymentConversationId, merchantId, token, status, iyziPaymentId: Number(paymentId) },
      signed: (key) => [key, type, paymentId, token, paymentConversationId, status],
      tamper: (sent) => sent.replace(/"status":"\w+"/, payment ? '"status":"FAILURE"' : '"status":"SUCCESS"'),
    })
  }

  function changeCard({ body, subscriptions }: Form, { card, country }: Required<FormPayment>) {
    if (card === 'declined') return false
    for (const subscription of world.subscriptions.values()) {
      const isMeant =
        subscription.ref === text(body, 'subscriptionReferenceCode') ||
        subscription.customerRef === text(body, 'customerReferenceCode')
      if (!isMeant) continue
      subscription.card = { declines: false, country }
      subscriptions.push(subscription.ref)
    }
    return true
  }

  const find = (token: string) => {
    const form = forms.get(token)
    if (!form) throw notFound('Token')
    return form
  }

  /** Fills in a form. One that was declined can be tried again. */
  function pay(token: string, { card = 'ok', country = 'TR' }: FormPayment) {
    world.timers.catchUp()
    const form = find(token)
    if (form.state === 'paid') throw new Error(`The form ${token} was used`)
    if (form.expiresAt <= world.timers.time()) throw new Error(`The form ${token} has expired`)
    const fill = { subscription: subscribe, payment: payOnce, card_update: changeCard }[form.kind]
    form.state = fill(form, { card, country }) ? 'paid' : 'declined'
    return form
  }

  function resultOfSubscription(token: string, query: URLSearchParams) {
    if (!query.get('locale')) throw new IyzicoError('1001', 'Doğrulama anahtarı geçersiz')
    const form = find(token)
    const [ref] = form.subscriptions
    if (form.state === 'declined') throw new IyzicoError('10051', DECLINED, 200, 'NOT_SUFFICIENT_FUNDS')
    if (form.kind !== 'subscription' || ref === undefined) throw new IyzicoError('201451', 'Ödeme formu tamamlanmadı')
    return success(world, { locale: query.get('locale') }, { data: presentResult(subscriptionOf(world, ref)) })
  }

  function resultOfPayment(body: Body) {
    const { kind, state, payment, body: given, token } = find(text(body, 'token'))
    if (kind !== 'payment') throw notFound('Token')
    const conversationId = text(given, 'conversationId')
    if (state === 'open') throw new IyzicoError('5122', 'Ödeme formu henüz tamamlanmadı', 200)
    const [currency, basketId] = [text(given, 'currency'), text(given, 'basketId')]
    const price = numberOf(minorOf(text(given, 'price')) ?? 0n)
    const base = { token, basketId, currency, conversationId, callbackUrl: text(given, 'callbackUrl') }
    if (!payment) throw new IyzicoError('10051', DECLINED, 200, 'NOT_SUFFICIENT_FUNDS')
    const paidPrice = numberOf(payment.price)
    const paymentStatus = 'SUCCESS'
    const signed = [
      paymentStatus,
      payment.id,
      currency,
      basketId,
      conversationId,
      String(paidPrice),
      String(price),
      token,
    ]
    return success(world, body, {
      ...base,
      price,
      paidPrice,
      installment: 1,
      paymentId: payment.id,
      paymentStatus,
      fraudStatus: 1,
      itemTransactions: [
        { itemId: basketId, paymentTransactionId: payment.transactionId, transactionStatus: 2, price, paidPrice },
      ],
      signature: iyzicoResponseSignature(secretKey, ...signed),
    })
  }

  return {
    forms,
    pay,
    initializeSubscription,
    initializePayment,
    initializeCardUpdate,
    resultOfSubscription,
    resultOfPayment,
  }
}
