import { AppWindow, CirclePlay, Share2 } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const networkNavigation: Navigation = {
  workspace: [
    { label: 'pages.playground', icon: CirclePlay, to: '/w/$workspace/playground' },
    {
      group: 'workspace',
      label: 'pages.workspace_apps',
      icon: AppWindow,
      to: '/w/$workspace/network-apps',
      role: 'admin',
    },
  ],
  instance: [{ group: 'configuration', label: 'pages.network_apps', icon: Share2, to: '/admin/networks' }],
}
