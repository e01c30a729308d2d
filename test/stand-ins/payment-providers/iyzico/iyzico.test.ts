import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PaymentServers, paymentServers } from '../payment-servers.ts'
import { type Receiver, receiver } from '../receiver.ts'
import { iyzicoAuthorization, iyzicoWebhookSignature } from './auth.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
type Body = any

const DAY = 86_400_000
let clock = Date.parse('2026-01-31T09:00:00Z')
let world: PaymentServers
let merchant: Receiver
beforeAll(async () => {
  merchant = await receiver()
})
beforeEach(async () => {
  clock = Date.parse('2026-01-31T09:00:00Z')
  merchant.received.length = 0
  world = await paymentServers({ now: () => new Date(clock) })
  world.webhooks.sendTo({ iyzico: merchant.url })
  return () => world.close()
})
afterAll(() => merchant.close())

async function call(method: string, path: string, fields: object | undefined = {}, secret?: string) {
  const { url, apiKey, secretKey } = world.iyzico
  const body = method === 'GET' ? '' : JSON.stringify(fields)
  const [plain = ''] = path.split('?')
  const authorization = iyzicoAuthorization(apiKey, secret ?? secretKey, '123456789', plain, body)
  const headers = { authorization, 'x-iyzi-rnd': '123456789', 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method, headers, ...(body ? { body } : {}) })
  const json: Body = await response.json()
  return { code: response.status, ...json }
}

const address = { contactName: 'Ada L', city: 'İstanbul', country: 'Türkiye', address: 'Bir sokak 1' }
const customer = {
  name: 'Ada',
  surname: 'L',
  email: 'a@b.co',
  gsmNumber: '+905350000000',
  identityNumber: '11111111111',
  billingAddress: address,
  shippingAddress: address,
}
const initialize = (pricingPlanReferenceCode: string, more = {}) =>
  call('POST', '/v2/subscription/checkoutform/initialize', {
    locale: 'tr',
    conversationId: 'conv-1',
    callbackUrl: `${merchant.url}callback`,
    pricingPlanReferenceCode,
    subscriptionInitialStatus: 'ACTIVE',
    customer,
    ...more,
  })
const result = (token: string) => call('GET', `/v2/subscription/checkoutform/${token}?locale=tr`)
const details = async (ref: string) => (await call('GET', `/v2/subscription/subscriptions/${ref}`)).data
async function subscribe(plan: string) {
  const { token } = await initialize(plan)
  world.iyzico.payForm(token)
  return String((await result(token)).data.referenceCode)
}

describe("iyzico's signatures", () => {
  test('of requests are as in their vectors', () => {
    expect(iyzicoAuthorization('api_key', 'secret_key', 'random_string', 'uri', '"body"')).toBe(
      'IYZWSv2 YXBpS2V5OmFwaV9rZXkmcmFuZG9tS2V5OnJhbmRvbV9zdHJpbmcmc2lnbmF0dXJlOjAxNzUwODkyMWEyOWVlNTYwMWJjZDFmYmU4M2VmZDJlMmJlNDNhZjAyZWNlZmYzMGNmMmU5MWE1MzlhYWIzNTU=',
    )
    const body = '{"locale":"tr","conversationId":"conv-1"}'
    const path = '/v2/subscription/checkoutform/initialize'
    const header = iyzicoAuthorization('sandbox-key', 'sandbox-secret', '123456789', path, body)
    expect(Buffer.from(header.slice(8), 'base64').toString()).toBe(
      'apiKey:sandbox-key&randomKey:123456789&signature:633f56df4bc8d86ace6baab85ad1f6dfa767d7ca7567e3ede95b80f17ae160c8',
    )
  })

  test('of webhooks are as in their vectors', () => {
    const hosted = 'sandbox-UuLnD7wZa0a3DmytfIrwHQqAMfqCNJrs'
    const token = 'e828c62d-fd12-4b1a-ad5a-380f15fe6596'
    expect(
      iyzicoWebhookSignature(hosted, hosted, 'CHECKOUT_FORM_AUTH', '22483975', token, 'conversationId', 'SUCCESS'),
    ).toBe('4031c575763486a2d2bf3f7ace0baebfcd6bed65393ab4df3fe80c00d5fd6878')
    expect(iyzicoWebhookSignature(hosted, hosted, 'API_AUTH', '22484059', 'conversationId', 'SUCCESS')).toBe(
      '92c7a72b7741bc83eb696066605c894778c87297b2c88d6037670666230e18ae',
    )
    const parts = ['123456', 'sandbox-secret', 'subscription.order.success', 'sub-1', 'ord-1', 'cus-1']
    expect(iyzicoWebhookSignature('sandbox-secret', ...parts)).toBe(
      'dcd76f641d78e664b4d7955e9cce029586285fc30de245bfebdf33576b262d3e',
    )
  })
})

describe('iyzico', () => {
  test('refuses what is not signed over its exact bytes', async () => {
    expect(await call('GET', '/v2/subscription/products', undefined, 'other')).toMatchObject({
      code: 401,
      status: 'failure',
      errorCode: '1000',
    })
    expect(await call('GET', '/v2/subscription/products?page=1')).toMatchObject({ code: 200, status: 'success' })
  })

  test('refuses a customer without an identity number, and an unknown plan', async () => {
    const plan = world.iyzico.createPlan({ price: 29_990n })
    expect(await initialize(plan, { customer: { ...customer, identityNumber: '' } })).toMatchObject({ code: 422 })
    expect(await initialize('none')).toMatchObject({ code: 422, errorCode: '201400', conversationId: 'conv-1' })
  })

  test('starts a subscription by its form, renews it on its day, and reports each payment', async () => {
    const plan = world.iyzico.createPlan({ price: 29_990n })
    const { token, checkoutFormContent, tokenExpireTime } = await initialize(plan)
    expect(checkoutFormContent).toContain(token)
    expect(tokenExpireTime).toBe(1800)
    expect(await result(token)).toMatchObject({ status: 'failure' })
    const { paid, post } = world.iyzico.payForm(token)
    expect(paid).toBe(true)
    await post()
    expect(merchant.received.map(({ body }) => body)).toContain(`token=${token}`)
    const { data } = await result(token)
    expect(data).toMatchObject({ subscriptionStatus: 'ACTIVE', pricingPlanReferenceCode: plan })
    clock = Date.parse('2026-02-28T09:00:00Z')
    world.tick()
    clock = Date.parse('2026-03-31T09:00:00Z')
    world.tick()
    const { orders } = await details(data.referenceCode)
    expect(
      orders.map((order: Body) => [order.orderStatus, new Date(order.startPeriod).toISOString().slice(0, 10)]),
    ).toEqual([
      ['WAITING', '2026-04-30'],
      ['SUCCESS', '2026-03-31'],
      ['SUCCESS', '2026-02-28'],
      ['SUCCESS', '2026-01-31'],
    ])
    expect(world.journal.net(data.referenceCode)).toBe(3n * 29_990n)
    await world.webhooks.settle()
    const [{ provider, type, body }] = world.webhooks.list({ provider: 'iyzico' }) as [Body]
    expect([provider, type]).toEqual(['iyzico', 'subscription.order.success'])
    const sent: Body = JSON.parse(body)
    const { secretKey, merchantId } = world.iyzico
    const refs = [sent.subscriptionReferenceCode, sent.orderReferenceCode, sent.customerReferenceCode]
    const headers = merchant.received.map((each) => each.headers['x-iyz-signature-v3'])
    expect(headers).toContain(iyzicoWebhookSignature(secretKey, merchantId, secretKey, sent.iyziEventType, ...refs))
  })

  test('leaves no subscription behind a declined card, and lets the buyer try again', async () => {
    const { token } = await initialize(world.iyzico.createPlan({ price: 100n }))
    expect(world.iyzico.payForm(token, { card: 'declined' }).paid).toBe(false)
    expect(await result(token)).toMatchObject({ code: 200, status: 'failure' })
    expect(world.iyzico.subscriptions()).toEqual([])
    expect(world.iyzico.payForm(token).paid).toBe(true)
    expect(world.journal.net()).toBe(100n)
  })

  test('takes no Turkish card for a plan in dollars', async () => {
    const { token } = await initialize(world.iyzico.createPlan({ price: 100n, currency: 'USD' }))
    expect(world.iyzico.payForm(token).paid).toBe(false)
    expect(world.iyzico.payForm(token, { country: 'DE' }).paid).toBe(true)
  })

  test('becomes unpaid when a renewal fails, and active when the order is tried again', async () => {
    const ref = await subscribe(world.iyzico.createPlan({ price: 500n, trialDays: 14 }))
    expect(await details(ref)).toMatchObject({ subscriptionStatus: 'ACTIVE', trialDays: 14 })
    expect(world.journal.charges()).toEqual([])
    world.iyzico.setCard(ref, 'declined')
    clock += 14 * DAY
    const unpaid = await details(ref)
    expect(unpaid).toMatchObject({ subscriptionStatus: 'UNPAID', orders: [{ orderStatus: 'FAILED' }] })
    const referenceCode = unpaid.orders[0].referenceCode
    const retry = () => call('POST', '/v2/subscription/operation/retry', { referenceCode })
    expect(await retry()).toMatchObject({ status: 'failure' })
    const update = await call('POST', '/v2/subscription/card-update/checkoutform/initialize/with-subscription', {
      subscriptionReferenceCode: ref,
      callbackUrl: `${merchant.url}callback`,
    })
    expect(world.iyzico.payForm(update.token).paid).toBe(true)
    expect(await retry()).toMatchObject({ status: 'success' })
    expect(await details(ref)).toMatchObject({ subscriptionStatus: 'ACTIVE' })
    expect(world.journal.net(ref)).toBe(500n)
  })

  test('upgrades within a product and an interval, to a new reference, and cancels at once', async () => {
    const [small, large] = [100n, 300n].map((price) => world.iyzico.createPlan({ price }))
    const yearly = world.iyzico.createPlan({ price: 900n, interval: 'YEARLY' })
    const ref = await subscribe(String(small))
    const upgrade = (to: string | undefined, upgradePeriod: string) =>
      call('POST', `/v2/subscription/subscriptions/${ref}/upgrade`, { newPricingPlanReferenceCode: to, upgradePeriod })
    expect(await upgrade(yearly, 'NOW')).toMatchObject({ code: 422, status: 'failure' })
    const { data } = await upgrade(large, 'NEXT_PERIOD')
    expect(data).toMatchObject({ parentReferenceCode: ref, pricingPlanReferenceCode: large })
    expect(await details(ref)).toMatchObject({ subscriptionStatus: 'UPGRADED' })
    clock = Date.parse('2026-02-28T09:00:00Z')
    expect((await details(data.referenceCode)).orders[1]).toMatchObject({ orderStatus: 'SUCCESS', price: 3 })
    const cancel = (each: string) => call('POST', `/v2/subscription/subscriptions/${each}/cancel`)
    expect(await cancel(ref)).toMatchObject({ code: 422, errorCode: '201403' })
    expect(await cancel(data.referenceCode)).toMatchObject({ status: 'success' })
    clock += 90 * DAY
    expect(await details(data.referenceCode)).toMatchObject({ subscriptionStatus: 'CANCELED' })
    expect(world.journal.net()).toBe(400n)
    const found = await call('GET', `/v2/subscription/subscriptions?parentReferenceCode=${ref}&unknown=1`)
    expect(found.data).toMatchObject({ totalCount: 1, items: [{ referenceCode: data.referenceCode }] })
  })

  test('takes a one-off payment, and returns no more than it took', async () => {
    const initialized = await call('POST', '/payment/iyzipos/checkoutform/initialize/auth/ecom', {
      locale: 'tr',
      conversationId: 'conv-9',
      price: '299.90',
      paidPrice: '299.90',
      currency: 'TRY',
      basketId: 'order-9',
      paymentGroup: 'PRODUCT',
      callbackUrl: `${merchant.url}callback`,
      buyer: {
        ...customer,
        id: '1',
        registrationAddress: 'x',
        city: 'İstanbul',
        country: 'Türkiye',
        ip: '203.0.113.7',
      },
      billingAddress: address,
      basketItems: [{ id: '1', name: 'Gig', category1: 'Work', itemType: 'VIRTUAL', price: '299.90' }],
    })
    expect(initialized.paymentPageUrl).toContain(initialized.token)
    expect(world.iyzico.payForm(initialized.token).paid).toBe(true)
    const path = '/payment/iyzipos/checkoutform/auth/ecom/detail'
    const paid = await call('POST', path, { locale: 'tr', token: initialized.token })
    expect(paid).toMatchObject({ paymentStatus: 'SUCCESS', paidPrice: 299.9, basketId: 'order-9' })
    const refund = (price: string) =>
      call('POST', '/v2/payment/refund', { paymentId: paid.paymentId, price, ip: '::1' })
    expect(await refund('100')).toMatchObject({ status: 'success', price: 100 })
    expect(await refund('199.91')).toMatchObject({ code: 200, status: 'failure' })
    expect(world.journal.net('order-9')).toBe(19_990n)
    expect(world.webhooks.list({ type: 'CHECKOUT_FORM_AUTH' })).toHaveLength(1)
  })

  test('gives a webhook up after three tries, 15 minutes apart', async () => {
    merchant.respond(500)
    await subscribe(world.iyzico.createPlan({ price: 100n }))
    for (let time = 0; time < 3; time++) await world.webhooks.settle(1).catch(() => undefined)
    expect(world.webhooks.list()).toMatchObject([{ state: 'failed', attempts: [{}, {}, {}] }])
    merchant.respond(200)
  })
})
