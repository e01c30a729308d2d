// Pages on which a workspace chooses a plan and pays it.

export { CheckoutPage } from '../features/billing/checkout/CheckoutPage'
export { ChoosePlanPage } from '../features/billing/choose-plan/ChoosePlanPage'
export { InvoicePage } from '../features/billing/invoice/InvoicePage'
export { BillingPage } from '../features/billing/subscription/BillingPage'
