import { Webhook } from 'lucide-react'
import type { Navigation } from '../../navigation'
import { FailingWebhooksBadge } from './health/FailingWebhooksBadge'

export const webhookNavigation: Navigation = {
  workspace: [
    {
      group: 'workspace',
      label: 'pages.webhooks',
      icon: Webhook,
      to: '/w/$workspace/webhooks',
      badge: FailingWebhooksBadge,
    },
  ],
}
