import { CirclePlay } from 'lucide-react'
import type { Navigation } from '../../navigation'

export const networkNavigation: Navigation = {
  workspace: [{ group: 'work', label: 'pages.playground', icon: CirclePlay, to: '/w/$workspace/playground' }],
}
