import { majorOf } from '../amounts.ts'
import type { Journal } from '../journal.ts'
import { paymentPage } from '../page.ts'
import { type Call, paymentServer, type Reply } from '../server.ts'
import type { Timers } from '../timers.ts'
import type { Webhooks } from '../webhooks.ts'
import { createForms, type FormPayment } from './forms.ts'
import { addPlan, addProduct } from './plans.ts'
import { iyzicoRoutes, refundPayment } from './routes.ts'
import { createIyzico, type Plan } from './state.ts'
import { cancelSubscription, subscriptionOf } from './subscriptions.ts'

type World = { timers: Timers; journal: Journal; webhooks: Webhooks }

/** `price`: minor units. `product`: its reference, by default one that all such plans share. */
type NewPlan = Partial<Pick<Plan, 'name' | 'currency' | 'interval' | 'count' | 'trialDays' | 'recurrences'>> & {
  price: bigint
  product?: string
}

const CARDS = ['ok', 'declined'] as const
const isCard = (card: string | null) => CARDS.find((each) => each === card)

/** The script behind `checkoutFormContent`: one button per card; then the browser posts the token to the callback. */
const bundle = (url: string) => `(function () {
  var target = document.getElementById('iyzipay-checkout-form')
  ${JSON.stringify(CARDS)}.forEach(function (card) {
    var button = document.createElement('button')
    button.type = 'button'
    button.textContent = card
    button.onclick = function () {
      fetch(${JSON.stringify(url)} + '/checkoutform/pay/' + iyziInit.token, { method: 'POST', body: new URLSearchParams({ card: card }) })
        .then(function (response) { return response.json() })
        .then(function (result) {
          var form = document.createElement('form')
          form.method = 'post'
          form.action = result.callbackUrl
          var input = document.createElement('input')
          input.name = 'token'
          input.value = iyziInit.token
          form.appendChild(input)
          document.body.appendChild(form)
          form.submit()
        })
    }
    target.appendChild(button)
  })
})()`

const callbackPage = (callbackUrl: string, token: string) =>
  `<!doctype html><title>iyzico</title><form method="post" action="${callbackUrl}"><input type="hidden" name="token" value="${token}"></form><script>document.forms[0].submit()</script>`

/** iyzico: subscriptions, one-off checkout forms, refunds. */
export async function iyzicoServer(deps: World) {
  const world = createIyzico(deps)
  const { timers } = deps
  let url = ''
  const forms = createForms(world, () => url)
  const api = iyzicoRoutes(world, forms)
  let sharedProduct: string | undefined

  function pages({ method, path, query, raw }: Call): Reply | undefined {
    const card = isCard(new URLSearchParams(raw.toString()).get('card')) ?? 'ok'
    if (path === '/checkoutform/v2/bundle.js')
      return { status: 200, body: bundle(url), headers: { 'content-type': 'text/javascript' } }
    if (path.startsWith('/checkoutform/pay/')) {
      const { callbackUrl } = forms.pay(path.split('/').at(-1) ?? '', { card })
      return { status: 200, body: { callbackUrl }, headers: { 'access-control-allow-origin': '*' } }
    }
    if (path !== '/') return undefined
    const token = query.get('token') ?? ''
    if (forms.forms.get(token)?.kind !== 'payment') return { status: 404, body: 'Not Found' }
    if (method === 'GET') return { status: 200, body: paymentPage('iyzico', CARDS) }
    return { status: 200, body: callbackPage(forms.pay(token, { card }).callbackUrl, token) }
  }

  const handle = (call: Call) => {
    timers.catchUp()
    return pages(call) ?? api(call)
  }
  const errorOf = (status: number): Reply => ({
    status,
    body: {
      status: 'failure',
      errorCode: '100001',
      errorMessage: 'Sistem hatası',
      locale: 'tr',
      systemTime: timers.time(),
    },
  })
  const server = await paymentServer({ provider: 'iyzico', time: timers.time, handle, errorOf })
  url = server.url

  return {
    ...server,
    ...world.credentials,
    settings: world.settings,
    createProduct: (name = `Product ${world.products.size + 1}`) => addProduct(world, name).ref,
    /** Creates a plan and returns its reference. MONTHLY and in TRY by default, all under one product unless one is named. */
    createPlan: ({ price, product, name, currency = 'TRY', interval = 'MONTHLY', count = 1, ...rest }: NewPlan) => {
      sharedProduct ??= product ?? addProduct(world, 'Meydan').ref
      const { trialDays = 0, recurrences } = rest
      return addPlan(world, product ?? sharedProduct, {
        name: name ?? `Plan ${world.plans.size + 1}`,
        price: majorOf(price),
        currencyCode: currency,
        paymentInterval: interval,
        paymentIntervalCount: count,
        trialPeriodDays: trialDays,
        planPaymentType: 'RECURRING',
        ...(recurrences === undefined ? {} : { recurrenceCount: recurrences }),
      }).ref
    },
    /**
     * Fills in a form of any kind. A declined one can be tried again. `post` sends what the browser then posts to the
     * callback: cross-site, without cookies.
     */
    payForm: (token: string, payment: FormPayment = {}) => {
      const { callbackUrl, state } = forms.pay(token, payment)
      const form = new URLSearchParams({ token })
      const headers = { origin: 'https://sandbox-cpp.iyzipay.com', 'content-type': 'application/x-www-form-urlencoded' }
      const post = () => fetch(callbackUrl, { method: 'POST', headers, body: form.toString(), redirect: 'manual' })
      return { paid: state === 'paid', callbackUrl, form, post }
    },
    /** The forms, oldest first. */
    forms: () => [...forms.forms.values()],
    subscription: (ref: string) => world.subscriptions.get(ref),
    subscriptions: () => [...world.subscriptions.values()],
    /** Replaces the card of a subscription without a form. */
    setCard: (ref: string, card: 'ok' | 'declined') => {
      subscriptionOf(world, ref).card.declines = card === 'declined'
    },
    /** Declines this many of the next payments, whatever their card. */
    declineNext: (times = 1) => {
      world.declines = times
    },
    /** Cancels in the panel of iyzico, of which no webhook is sent. */
    cancelInPanel: (ref: string) => cancelSubscription(world, subscriptionOf(world, ref)),
    /** Returns money in the panel of iyzico. `amount`: minor units. */
    refundInPanel: (paymentId: string, amount: bigint, conversationId?: string) => {
      const payment = world.payments.get(paymentId)
      if (!payment) throw new Error(`No payment ${paymentId}`)
      refundPayment(world, payment, amount, conversationId)
    },
  }
}
