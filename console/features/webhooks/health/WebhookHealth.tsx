import { Text } from '@mantine/core'
import { CircleCheck, CircleDashed, CircleOff, CirclePause, Hourglass, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type StatusStyle } from '../../../ui/feedback/StatusBadge'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { formatCount, type Webhook, type WebhookStats, webhookHealth } from '../queries'

const healthStyles = {
  fine: { icon: CircleCheck, color: 'success' },
  failing: { icon: TriangleAlert, color: 'coral' },
  resting: { icon: Hourglass, color: 'orange' },
  disabled: { icon: CircleOff, color: 'gray' },
  unproven: { icon: CircleDashed, color: 'gray' },
  untried: { icon: CircleDashed, color: 'gray' },
} as const satisfies Record<string, StatusStyle>

type Props = { webhook: Webhook; stats: WebhookStats | undefined }

/** The endpoint's state in one or two words. */
export function HealthBadge({ webhook, stats }: Props) {
  const { t } = useTranslation()
  const state = webhookHealth(webhook, stats)
  const { failure_count: count, disabled_reason } = webhook
  const { icon, color } = healthStyles[state]
  // Users know of a manual disable; one by Meydan needs attention.
  const shown = state === 'disabled' && disabled_reason !== 'manual' ? 'coral' : color
  return (
    <StatusBadge icon={icon} color={shown}>
      {state === 'failing' ? t('webhooks.state.failing', { count }) : t(`webhooks.state.${state}`)}
    </StatusBadge>
  )
}

/** Shows what an enabled webhook holds until a user acts. */
export function HeldDeliveriesBadge({ webhook, stats }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!webhook.active || !stats?.held) return null
  return (
    <StatusBadge icon={CirclePause} color="yellow">
      {t('webhooks.held_short', { number: formatCount(format, stats.held) })}
    </StatusBadge>
  )
}

/** The state in sentences: its start, reason and next step, then the last success and failure. */
export function HealthText({ webhook, stats }: Props) {
  const { t } = useTranslation()
  const format = useFormat(useWorkspace().timezone)
  const { first_failure_at, last_dispatched_at, last_failure_at, circuit_until, disabled_reason, disabled_at } = webhook
  const state = webhookHealth(webhook, stats)
  const trouble: string[] = []
  if (state === 'disabled') {
    trouble.push(t(`webhooks.disabled.${disabled_reason ?? 'manual'}`))
    if (disabled_at) trouble.push(t('webhooks.disabled_at', { time: format.dateTime(disabled_at) }))
  }
  if ((state === 'failing' || state === 'resting') && first_failure_at)
    trouble.push(t('webhooks.failing_since', { time: format.dateTime(first_failure_at) }))
  if (state === 'resting')
    trouble.push(
      circuit_until && new Date(circuit_until) > new Date()
        ? t('webhooks.next_probe', { time: format.time(circuit_until) })
        : t('webhooks.probing'),
    )
  const byHand = state === 'disabled' && disabled_reason === 'manual'
  return (
    <>
      {trouble.length > 0 && (
        <Text fz="sm" c={byHand ? undefined : 'var(--mantine-color-error)'}>
          {trouble.join(' ')}
        </Text>
      )}
      <Text fz="sm" c="dimmed">
        {last_dispatched_at ? (
          <time dateTime={last_dispatched_at} title={format.full(last_dispatched_at)}>
            {t('webhooks.last_success', { ago: format.ago(last_dispatched_at) })}
          </time>
        ) : (
          t(state === 'untried' ? 'webhooks.never' : 'webhooks.never_delivered')
        )}
        {last_failure_at && (
          <>
            {' · '}
            <time dateTime={last_failure_at} title={format.full(last_failure_at)}>
              {t('webhooks.last_failure', { ago: format.ago(last_failure_at) })}
            </time>
          </>
        )}
      </Text>
    </>
  )
}
