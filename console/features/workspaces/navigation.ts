import { House, Megaphone, Settings, Users } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const workspaceNavigation: Navigation = {
  workspace: [
    { group: 'daily', label: 'pages.overview', icon: House, to: '/w/$workspace' },
    { group: 'workspace', label: 'pages.members', icon: Users, to: '/w/$workspace/members' },
    { group: 'workspace', label: 'pages.brand', icon: Megaphone, to: '/w/$workspace/brand' },
    { group: 'workspace', label: 'pages.settings', icon: Settings, to: '/w/$workspace/settings' },
  ],
}
