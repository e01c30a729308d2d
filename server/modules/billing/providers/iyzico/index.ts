import { Type } from 'typebox'
import { HOUR } from '../../../../../shared/time.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { type Provider, ProviderError } from '../provider.ts'
import { cardUrl } from './cards.ts'
import { openCheckout, readCheckout } from './checkout.ts'
import { iyzicoCall } from './client.ts'
import { readPayment, readRefunds, refund } from './payments.ts'
import { checkPrice } from './pricing-plans.ts'
import { cancelNow, changePrice, readPaymentMethod, readSubscription } from './subscriptions.ts'
import { findCandidates, verifyWebhook } from './webhook.ts'

/** iyzico renews subscriptions, which begin in a form on a page of Meydan. Single payments are made on a page of iyzico. */
export const iyzico: Provider = {
  name: 'iyzico',
  kind: 'hosted',
  renews: true,
  trials: true,
  refunds: true,
  refundListedMs: 6 * HOUR,
  cancelsAtPeriodEnd: false,
  // An upgrade keeps the interval, and charges a whole period.
  changesPlan: (from, to) => (from === to ? 'difference' : 'none'),
  requires: ['name', 'surname', 'phone', 'identity_number'],
  settings: ['iyzico.api_key', 'iyzico.secret_key', 'iyzico.merchant_id'],
  // A pricing plan at iyzico has its trial, so that those who had one need another.
  priceKey: (period, trial) => `iyzico_pricing_plan_ref_${period}${trial ? '_trial' : ''}`,
  openCheckout,
  // Nothing can be closed: the form ends with its token.
  closeCheckout: async () => undefined,
  readCheckout,
  readSubscription,
  setCancelAtPeriodEnd: async () => undefined,
  cancelNow,
  checkPrice,
  previewChange: async () => {
    throw new ProviderError('refused', 'iyzico prorates nothing.')
  },
  changePrice,
  readPaymentMethod,
  paymentMethodUrl: async (deps, subscription, return_url) => cardUrl(deps, subscription, return_url),
  refund,
  readRefunds,
  readPayment,
  verifyWebhook,
  findCandidates,
  acknowledgement: '',
  test,
}

async function test(deps: Deps) {
  const Products = Type.Object({ data: Type.Object({ totalCount: Type.Optional(Type.Number()) }) })
  const { data } = await iyzicoCall(deps, Products, {
    path: '/v2/subscription/products',
    query: { page: '1', count: '1' },
  })
  if (!(await deps.options.get('iyzico.merchant_id')))
    throw new ProviderError('not_configured', 'The merchant number of iyzico is not set.')
  const mode = deps.config.IYZICO_URL.includes('sandbox') ? 'sandbox' : 'live'
  return `${data.totalCount ?? 0} products for subscriptions, ${mode}`
}
