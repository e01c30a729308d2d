import { Tags } from 'lucide-react'
import type { Navigation } from '../../navigation'

export const planNavigation: Navigation = {
  instance: [{ group: 'configuration', label: 'pages.plans', icon: Tags, to: '/admin/plans' }],
}
