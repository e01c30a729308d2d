import { KeyRound } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const tokenNavigation: Navigation = {
  workspace: [{ group: 'workspace', label: 'pages.tokens', icon: KeyRound, to: '/w/$workspace/tokens' }],
}
