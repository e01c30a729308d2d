import { Share2 } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const accountNavigation: Navigation = {
  workspace: [{ group: 'planning', label: 'pages.accounts', icon: Share2, to: '/w/$workspace/accounts' }],
}
