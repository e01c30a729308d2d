import { ArchiveRestore, DatabaseBackup } from 'lucide-react'
import type { Navigation } from '../../navigation'

export const installationNavigation: Navigation = {
  instance: [
    { group: 'configuration', label: 'pages.backups', icon: DatabaseBackup, to: '/admin/backups' },
    { group: 'configuration', label: 'pages.hold', icon: ArchiveRestore, to: '/admin/hold' },
  ],
}
