import { Tags } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const planNavigation: Navigation = {
  instance: [{ group: 'configuration', label: 'pages.plans', icon: Tags, to: '/admin/plans' }],
}
