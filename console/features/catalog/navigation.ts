import { BookOpen } from 'lucide-react'
import type { Navigation } from '../../navigation'

export const catalogNavigation: Navigation = {
  workspace: [{ group: 'work', label: 'pages.catalog', icon: BookOpen, to: '/w/$workspace/catalog' }],
}
