import { CreditCard } from 'lucide-react'
import type { Navigation } from '../../navigation'

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
}
