import { Type } from 'typebox'
import { HOUR } from '../../../../../shared/time.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { type Provider, ProviderError } from '../provider.ts'
import { PaytrError, paytrCall, paytrKeys } from './client.ts'
import { openCheckout, readCheckout, readPayment, readRefunds, refund } from './payments.ts'
import { verifyWebhook } from './webhook.ts'

const noSubscriptions = async () => {
  throw new ProviderError('refused', 'PayTR has no subscriptions.')
}

/** PayTR takes single payments in an iframe. Meydan asks for one before each period. */
export const paytr: Provider = {
  name: 'paytr',
  kind: 'iframe',
  frameOrigin: ({ PAYTR_URL }) => PAYTR_URL,
  renews: false,
  trials: false,
  refunds: true,
  refundListedMs: HOUR,
  cancelsAtPeriodEnd: false,
  changesPlan: () => 'none',
  requires: [],
  settings: ['paytr.merchant_id', 'paytr.merchant_key', 'paytr.merchant_salt'],
  priceKey: () => null,
  openCheckout,
  // Nothing can be closed: the order ends with its time limit.
  closeCheckout: async () => undefined,
  readCheckout,
  readSubscription: async () => null,
  setCancelAtPeriodEnd: async () => undefined,
  cancelNow: async () => undefined,
  checkPrice: async () => undefined,
  previewChange: noSubscriptions,
  changePrice: noSubscriptions,
  readPaymentMethod: async () => null,
  paymentMethodUrl: async () => null,
  refund,
  readRefunds,
  readPayment,
  verifyWebhook,
  acknowledgement: 'OK',
  test,
}

/** Asks for an order that does not exist: only with the right keys does PayTR say so. */
async function test(deps: Deps) {
  const { merchantId } = await paytrKeys(deps)
  const call = {
    path: '/odeme/durum-sorgu',
    fields: { merchant_oid: 'meydantest' },
    signed: ['merchant_id', 'merchant_oid'],
  }
  await paytrCall(deps, Type.Object({}), call).catch((error: unknown) => {
    if (!(error instanceof PaytrError)) throw error
    if (error.code !== '004') throw new PaytrError('not_configured', error.code, error.message)
  })
  const mode = (await deps.options.get('paytr.test_mode')) ? 'test mode' : 'live'
  return `Merchant ${merchantId}, ${mode}`
}
