// Pages on which instance admins see what workspaces pay.

export { BillingOverviewPage } from '../../features/billing/admin/BillingOverviewPage'
export { InvoicesPage } from '../../features/billing/admin/InvoicesPage'
export { PaymentRequestsPage } from '../../features/billing/admin/PaymentRequestsPage'
export { SubscriptionsPage } from '../../features/billing/admin/SubscriptionsPage'
