import { Store } from 'lucide-react'
import type { Navigation } from '../../navigation'

export const marketplaceNavigation: Navigation = {
  workspace: [
    { group: 'marketplace', label: 'pages.gigs', icon: Store, to: '/w/$workspace/marketplace/gigs', role: 'admin' },
  ],
}
