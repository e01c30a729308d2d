import { Inbox, MailOpen } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const mailNavigation: Navigation = {
  instance: [
    { group: 'mail', label: 'pages.email_templates', icon: MailOpen, to: '/admin/email-templates' },
    { group: 'mail', label: 'pages.outbox', icon: Inbox, to: '/admin/outbox' },
  ],
}
