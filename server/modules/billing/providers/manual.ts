import { type Provider, ProviderError } from './provider.ts'

const unused = (): never => {
  throw new ProviderError('refused', 'Payments by hand are decided by an instance admin.')
}

/** Payments outside of Meydan, such as bank transfers. An instance admin approves each payment request. */
export const manual: Provider = {
  name: 'manual',
  kind: 'payment_request',
  renews: false,
  cancelsAtPeriodEnd: false,
  trials: false,
  refunds: false,
  refundListedMs: 0,
  changesPlan: () => 'none',
  requires: [],
  settings: [],
  priceKey: () => null,
  openCheckout: unused,
  closeCheckout: async () => undefined,
  readCheckout: async () => ({ status: 'open' }),
  readSubscription: async () => null,
  setCancelAtPeriodEnd: async () => undefined,
  cancelNow: async () => undefined,
  checkPrice: async () => undefined,
  previewChange: unused,
  changePrice: unused,
  readPaymentMethod: async () => null,
  paymentMethodUrl: async () => null,
  refund: unused,
  readRefunds: async () => [],
  readPayment: async () => null,
  verifyWebhook: async () => null,
  acknowledgement: '',
  test: async () => 'Payments are approved by an instance admin.',
}
