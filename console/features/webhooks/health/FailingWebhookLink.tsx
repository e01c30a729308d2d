import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { formatCount, statsQuery, type Webhook, webhookHealth, webhookName } from '../queries'

/** A webhook's problem in one line that links to it. */
export function FailingWebhookLink({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { slug } = useWorkspace()
  const { held = 0, exhausted = 0 } = useQuery(statsQuery(slug, webhook.id, '24h')).data ?? {}
  const state = webhookHealth(webhook)
  const name = webhookName(webhook)
  return (
    <Text style={{ overflowWrap: 'anywhere' }}>
      <AnchorLink to="/w/$workspace/webhooks/$webhook" params={{ workspace: slug, webhook: webhook.id }}>
        {state === 'disabled'
          ? t('overview.webhook_disabled', { name })
          : t(state === 'resting' ? 'overview.webhook_resting' : 'overview.webhook_failing', { name })}
      </AnchorLink>{' '}
      {held > 0 && t('deliveries.held', { count: held, number: formatCount(format, held) })}{' '}
      {exhausted > 0 && t('webhooks.exhausted', { count: exhausted, number: formatCount(format, exhausted) })}
    </Text>
  )
}
