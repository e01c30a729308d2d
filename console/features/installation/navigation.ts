import { ArchiveRestore } from 'lucide-react'
import type { Navigation } from '../../navigation'

export const installationNavigation: Navigation = {
  instance: [{ group: 'configuration', label: 'pages.hold', icon: ArchiveRestore, to: '/admin/hold' }],
}
