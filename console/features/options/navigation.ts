import { SlidersHorizontal } from 'lucide-react'
import type { Navigation } from '../../navigation'

export const optionNavigation: Navigation = {
  instance: [{ group: 'configuration', label: 'pages.options', icon: SlidersHorizontal, to: '/admin/options' }],
}
