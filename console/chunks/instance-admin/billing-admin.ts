// Pages on which instance admins see what workspaces pay.

export { BillingOverviewPage } from '../../features/billing/admin/BillingOverviewPage'
export { InvoicesPage } from '../../features/billing/admin/InvoicesPage'
export { LedgerPage } from '../../features/billing/admin/LedgerPage'
export { PaymentRequestsPage } from '../../features/billing/admin/PaymentRequestsPage'
export { SubscriptionsPage } from '../../features/billing/admin/SubscriptionsPage'
