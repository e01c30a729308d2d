import { ScrollText } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const auditNavigation: Navigation = {
  workspace: [
    { group: 'workspace', label: 'pages.audit_log', icon: ScrollText, to: '/w/$workspace/audit-log', role: 'admin' },
  ],
  instance: [{ group: 'users', label: 'pages.instance_audit_log', icon: ScrollText, to: '/admin/audit-log' }],
}
