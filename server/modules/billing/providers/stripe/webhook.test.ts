import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../../test/app.ts'
import { stripe } from './index.ts'

const SECRET = 'whsec_test'

const t = await testApp({ STRIPE_WEBHOOK_SECRET: SECRET })

const secondsNow = () => Math.floor(t.clock.now().getTime() / 1000)

const sign = (body: string, seconds = secondsNow(), secret = SECRET) =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`

const verify = (body: string, signature: string | undefined, deps = t.deps) =>
  stripe.verifyWebhook(deps, Buffer.from(body), signature === undefined ? {} : { 'stripe-signature': signature })

describe('the signature of an event', () => {
  const body = '{"id":"evt_1","object":"event","type":"invoice.paid","data":{"object":{"id":"in_1"}}}'

  test('the example of the protocol is accepted at its time', async () => {
    const at = { ...t.deps, clock: { now: () => new Date(1_700_000_000_000) } }
    const signature = 't=1700000000,v1=485ffc1fa0ac6e5edc9b727c8e2c7a96de11ccc2263323f281a25762ce0db778'
    expect(await verify(body, signature, at)).toEqual({ id: 'evt_1', type: 'invoice.paid', refs: {} })
    expect(await verify(body, signature)).toBeNull()
  })

  test('one of several signatures is enough, so that the secret can be replaced', async () => {
    const [time, valid] = sign(body).split(',')
    expect(await verify(body, `${time},v1=${'0'.repeat(64)},${valid}`)).toMatchObject({ id: 'evt_1' })
  })

  test.each([
    ['no signature', () => undefined],
    ['an empty one', () => ''],
    ['one that cannot be read', () => 'v1=abc'],
    ['one of another secret', () => sign(body, secondsNow(), 'whsec_other')],
    ['one of another scheme', () => sign(body).replace('v1=', 'v0=')],
    ['one of other bytes', () => sign(`${body} `)],
    ['one that is older than five minutes', () => sign(body, secondsNow() - 301)],
  ])('an event with %s is refused', async (_, signature) => {
    expect(await verify(body, signature())).toBeNull()
  })

  test.each(['', 'no JSON', '[]', '{}', '{"id":1,"type":"a"}'])(
    'a signed body %j without an event is refused',
    async (text) => {
      expect(await verify(text, sign(text))).toBeNull()
    },
  )
})

describe('the subject of an event', () => {
  const checkout_id = '01930000-0000-7000-8000-000000000001'
  const metadata = { checkout_id }
  const refsOf = async (type: string, object: object) => {
    const body = JSON.stringify({ id: 'evt_1', type, data: { object } })
    return (await verify(body, sign(body)))?.refs
  }

  test.each([
    [
      'checkout.session.completed',
      { object: 'checkout.session', id: 'cs_1', client_reference_id: checkout_id, subscription: 'sub_1' },
      { checkout_id, checkout_ref: 'cs_1', subscription_id: 'sub_1' },
    ],
    [
      'checkout.session.expired',
      { object: 'checkout.session', id: 'cs_1', metadata, subscription: null, payment_intent: { id: 'pi_1' } },
      { checkout_id, checkout_ref: 'cs_1', payment_id: 'pi_1' },
    ],
    [
      'customer.subscription.deleted',
      { object: 'subscription', id: 'sub_1', metadata },
      { checkout_id, subscription_id: 'sub_1' },
    ],
    [
      'invoice.paid',
      { object: 'invoice', id: 'in_1', parent: { subscription_details: { subscription: 'sub_1', metadata } } },
      { checkout_id, subscription_id: 'sub_1' },
    ],
    ['invoice.payment_failed', { object: 'invoice', subscription: 'sub_1' }, { subscription_id: 'sub_1' }],
    ['charge.refunded', { object: 'charge', payment_intent: 'pi_1', metadata }, { checkout_id, payment_id: 'pi_1' }],
    ['charge.dispute.created', { object: 'dispute', payment_intent: 'pi_1' }, { payment_id: 'pi_1' }],
    ['refund.failed', { object: 'refund', payment_intent: 'pi_1' }, { payment_id: 'pi_1' }],
    ['payment_intent.succeeded', { object: 'payment_intent', id: 'pi_1' }, { payment_id: 'pi_1' }],
    ['customer.created', { object: 'customer', id: 'cus_1', metadata }, {}],
  ])('%s names it, also in older versions of the API', async (type, object, refs) => {
    expect(await refsOf(type, object)).toEqual(refs)
  })

  test('ids of another product with the same account are not taken for those of Meydan', async () => {
    const session = {
      object: 'checkout.session',
      id: 'cs_1',
      client_reference_id: 'cart 5',
      metadata: { checkout_id: '5' },
    }
    expect(await refsOf('checkout.session.completed', session)).toEqual({ checkout_ref: 'cs_1' })
    expect(await refsOf('invoice.paid', { object: 'invoice', id: 'in_1', parent: null })).toEqual({})
  })
})
