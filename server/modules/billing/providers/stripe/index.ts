import type { Deps } from '../../../../lib/deps.ts'
import type { Provider } from '../provider.ts'
import { readBalances, readMovements } from './balance.ts'
import { checkPriceShown, closeCheckout, openCheckout, readCheckout } from './checkout.ts'
import { stripeClient, withProviderErrors } from './client.ts'
import { readPayment, readRefunds, refund } from './payments.ts'
import {
  cancelNow,
  changePrice,
  paymentMethodUrl,
  previewChange,
  readPaymentMethod,
  readSubscription,
  setCancelAtPeriodEnd,
} from './subscription.ts'
import { verifyWebhook } from './webhook.ts'

async function test(deps: Deps) {
  const client = await stripeClient(deps)
  const balance = await client.balance.retrieve()
  const account = await client.accounts.retrieveCurrent()
  const name = account.settings?.dashboard.display_name ?? account.business_profile?.name ?? account.id
  return `${name}, ${balance.livemode ? 'live mode' : 'test mode'}`
}

export const stripe: Provider = {
  name: 'stripe',
  kind: 'redirect',
  renews: true,
  trials: true,
  refunds: true,
  refundListedMs: 0,
  cancelsAtPeriodEnd: true,
  changesPlan: () => 'prorate',
  requires: [],
  settings: ['stripe.secret_key', 'stripe.webhook_secret'],
  priceKey: (period) => `stripe_price_id_${period}`,
  openCheckout: withProviderErrors(openCheckout),
  closeCheckout: withProviderErrors(closeCheckout),
  readCheckout: withProviderErrors(readCheckout),
  readSubscription: withProviderErrors(readSubscription),
  setCancelAtPeriodEnd: withProviderErrors(setCancelAtPeriodEnd),
  cancelNow: withProviderErrors(cancelNow),
  checkPrice: withProviderErrors(checkPriceShown),
  previewChange: withProviderErrors(previewChange),
  changePrice: withProviderErrors(changePrice),
  readPaymentMethod: withProviderErrors(readPaymentMethod),
  paymentMethodUrl: withProviderErrors(paymentMethodUrl),
  refund: withProviderErrors(refund),
  readRefunds: withProviderErrors(readRefunds),
  readPayment: withProviderErrors(readPayment),
  readMovements: withProviderErrors(readMovements),
  readBalances: withProviderErrors(readBalances),
  verifyWebhook,
  acknowledgement: '{"received":true}',
  test: withProviderErrors(test),
}
