import { UserCog } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const authNavigation: Navigation = {
  instance: [{ group: 'users', label: 'pages.users', icon: UserCog, to: '/admin/users' }],
}
