import { BookCheck, ChartColumn, CreditCard, HandCoins, ReceiptText, Repeat, Scale } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'
import { usePendingRequestCount } from './admin/admin-queries'

export const billingNavigation: Navigation = {
  workspace: [
    {
      group: 'workspace',
      label: 'pages.billing',
      icon: CreditCard,
      to: '/w/$workspace/billing',
      role: 'admin',
      isBilling: true,
    },
  ],
  instance: [
    { group: 'billing', label: 'pages.billing_overview', icon: ChartColumn, to: '/admin/billing' },
    {
      group: 'billing',
      label: 'pages.payment_requests',
      icon: HandCoins,
      to: '/admin/billing/payment-requests',
      badge: { useCount: usePendingRequestCount, label: 'subscription.requests_waiting' },
    },
    { group: 'billing', label: 'pages.subscriptions', icon: Repeat, to: '/admin/billing/subscriptions' },
    { group: 'billing', label: 'pages.invoices', icon: ReceiptText, to: '/admin/billing/invoices' },
    { group: 'billing', label: 'pages.settlements', icon: Scale, to: '/admin/settlements' },
    { group: 'billing', label: 'pages.ledger_check', icon: BookCheck, to: '/admin/ledger' },
  ],
}
