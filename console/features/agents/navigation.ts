import { Bot } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const agentNavigation: Navigation = {
  workspace: [{ group: 'daily', label: 'pages.agents', icon: Bot, to: '/w/$workspace/agents' }],
}
