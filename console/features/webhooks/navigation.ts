import { Webhook } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'
import { useFailingWebhookCount } from './queries'

export const webhookNavigation: Navigation = {
  workspace: [
    {
      group: 'workspace',
      label: 'pages.webhooks',
      icon: Webhook,
      to: '/w/$workspace/webhooks',
      badge: { useCount: useFailingWebhookCount, label: 'webhooks.failing', isProblem: true },
    },
  ],
}
