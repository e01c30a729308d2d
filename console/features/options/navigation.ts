import { SlidersHorizontal } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const optionNavigation: Navigation = {
  instance: [{ group: 'configuration', label: 'pages.options', icon: SlidersHorizontal, to: '/admin/options' }],
}
