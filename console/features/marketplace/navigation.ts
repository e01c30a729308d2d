import { ShoppingBag, Store, Wallet } from 'lucide-react'
import type { Navigation } from '../../navigation'

export const marketplaceNavigation: Navigation = {
  workspace: [
    { group: 'marketplace', label: 'pages.orders', icon: ShoppingBag, to: '/w/$workspace/marketplace/orders' },
    { group: 'marketplace', label: 'pages.gigs', icon: Store, to: '/w/$workspace/marketplace/gigs', role: 'admin' },
    {
      group: 'marketplace',
      label: 'pages.earnings',
      icon: Wallet,
      to: '/w/$workspace/marketplace/earnings',
      role: 'admin',
    },
  ],
}
