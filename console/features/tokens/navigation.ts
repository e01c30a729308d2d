import { KeyRound } from 'lucide-react'
import type { Navigation } from '../../navigation'

export const tokenNavigation: Navigation = {
  workspace: [{ group: 'workspace', label: 'pages.tokens', icon: KeyRound, to: '/w/$workspace/tokens' }],
}
