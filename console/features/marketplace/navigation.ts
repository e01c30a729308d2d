import { Banknote, Flag, Scale, ShoppingBag, Store, Undo2, Wallet } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'
import { useWaitingOrderCount } from './orders/order-queries'

export const marketplaceNavigation: Navigation = {
  workspace: [
    {
      group: 'marketplace',
      label: 'pages.orders',
      icon: ShoppingBag,
      to: '/w/$workspace/marketplace/orders',
      badge: { useCount: useWaitingOrderCount, label: 'orders.waiting' },
    },
    { group: 'marketplace', label: 'pages.gigs', icon: Store, to: '/w/$workspace/marketplace/gigs', role: 'admin' },
    {
      group: 'marketplace',
      label: 'pages.earnings',
      icon: Wallet,
      to: '/w/$workspace/marketplace/earnings',
      role: 'admin',
    },
  ],
  instance: [
    { group: 'marketplace', label: 'pages.disputes', icon: Scale, to: '/admin/marketplace/disputes' },
    { group: 'marketplace', label: 'pages.order_refunds', icon: Undo2, to: '/admin/marketplace/refunds' },
    { group: 'marketplace', label: 'pages.payouts', icon: Banknote, to: '/admin/marketplace/payouts' },
    { group: 'marketplace', label: 'pages.moderation', icon: Flag, to: '/admin/marketplace/moderation' },
  ],
}
