import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Workspace } from '../../../api'
import { needsAttention, webhooksQuery } from '../queries'

/** Shows that webhooks fail. It sends no request, so it appears once a page has loaded the webhooks. */
export function FailingWebhooksBadge({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation()
  const webhooks = useQuery({ ...webhooksQuery(workspace.slug), enabled: false }).data ?? []
  if (!webhooks.some(needsAttention)) return null
  return <CircleAlert size={16} color="var(--mantine-color-error)" role="img" aria-label={t('overview.attention')} />
}
