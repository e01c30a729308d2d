import { ArchiveRestore, DatabaseBackup, HeartPulse } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'
import { useStatusErrorCount } from './queries'

export const installationNavigation: Navigation = {
  instance: [
    {
      group: 'configuration',
      label: 'pages.status',
      icon: HeartPulse,
      to: '/admin/status',
      badge: { useCount: useStatusErrorCount, label: 'status.errors', isProblem: true },
    },
    { group: 'configuration', label: 'pages.backups', icon: DatabaseBackup, to: '/admin/backups' },
    { group: 'configuration', label: 'pages.hold', icon: ArchiveRestore, to: '/admin/hold' },
  ],
}
