import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { CircleOff, CirclePause, Hourglass, KeyRound, Power, RefreshCw, RotateCw, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { langOfEnglishText } from '../../../i18n'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { RotateSecret } from '../actions/RotateSecret'
import { CodeBlock } from '../CodeBlock'
import classes from '../deliveries/deliveries.module.css'
import { deliveryQuery } from '../deliveries/delivery-queries'
import { formatCount, type Webhook, type WebhookStats, webhookHealth } from '../queries'

type Props = { webhook: Webhook; stats: WebhookStats | undefined; onEnable: () => void }

/** Shows since when an endpoint fails, its last response and Meydan's next step. Empty while it is healthy. */
export function EndpointAlerts({ webhook, ...more }: Props) {
  switch (webhookHealth(webhook)) {
    case 'disabled':
      return <DisabledAlert webhook={webhook} {...more} />
    case 'resting':
    case 'failing':
      return <FailingAlert webhook={webhook} />
    default:
      return null
  }
}

function DisabledAlert({ webhook, stats, onEnable }: Props) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const { disabled_reason, disabled_at, first_failure_at } = webhook
  const byMeydan = disabled_reason !== 'manual'
  return (
    <Alert
      color={byMeydan ? 'coral' : 'gray'}
      icon={<CircleOff size={20} />}
      title={t(`deliveries.disabled.${disabled_reason ?? 'manual'}`)}
    >
      <Stack gap="sm">
        <Text>
          {disabled_at && t('deliveries.disabled_at', { time: format.full(disabled_at) })}{' '}
          {disabled_reason === 'failing' &&
            first_failure_at &&
            t('deliveries.no_success_since', { time: format.full(first_failure_at) })}{' '}
          {stats && stats.held > 0
            ? t('deliveries.held', { count: stats.held, number: formatCount(format, stats.held) })
            : t('deliveries.held_none')}
        </Text>
        {byMeydan && <LastFailure webhook={webhook} />}
        {isAtLeast(workspace, 'admin') ? (
          <Group>
            <Button leftSection={<Power size={17} />} onClick={onEnable}>
              {t('deliveries.enable')}
            </Button>
          </Group>
        ) : (
          <Text>{t('deliveries.ask_admin')}</Text>
        )}
      </Stack>
    </Alert>
  )
}

/** Enabling does not send held deliveries: a user has to. */
export function HeldDeliveriesAlert({
  webhook,
  stats,
  onRecover,
}: Omit<Props, 'onEnable'> & { onRecover: () => void }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat()
  if (!webhook.active || !stats?.held) return null
  return (
    <Alert
      color="yellow"
      icon={<CirclePause size={20} />}
      title={t('deliveries.still_held', { count: stats.held, number: formatCount(format, stats.held) })}
    >
      <Stack gap="sm">
        <Text>{t('deliveries.still_held_detail')}</Text>
        {isAtLeast(workspace, 'admin') && (
          <Group>
            <Button leftSection={<RotateCw size={17} />} onClick={onRecover}>
              {t('deliveries.still_held_send')}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

/** The former secret expires even if the receiver still uses it. */
export function SecretRotationAlert({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const [rotating, rotate] = useDisclosure(false)
  const { previous_secret_expires_at: until } = webhook
  const runs = until !== null && new Date(until).getTime() > Date.now()
  if (!runs && !rotating) return null
  return (
    <Alert
      color="gray"
      icon={<KeyRound size={20} />}
      title={until && t('deliveries.rotation', { time: format.dateTime(until) })}
    >
      <Stack gap="sm">
        <Text>{t('deliveries.rotation_detail')}</Text>
        {isAtLeast(workspace, 'admin') && (
          <Group>
            <Button variant="default" leftSection={<RefreshCw size={16} />} onClick={rotate.open}>
              {t('webhooks.rotate')}
            </Button>
          </Group>
        )}
      </Stack>
      <RotateSecret webhook={webhook} opened={rotating} onClose={rotate.close} />
    </Alert>
  )
}

function FailingAlert({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const format = useFormat(useWorkspace().timezone)
  const { failure_count, first_failure_at, disable_at, circuit, circuit_until } = webhook
  const resting = circuit !== 'closed'
  const waits = circuit === 'open' && circuit_until !== null && new Date(circuit_until).getTime() > Date.now()
  return (
    <Alert
      color={resting ? 'orange' : 'coral'}
      icon={resting ? <Hourglass size={20} /> : <TriangleAlert size={20} />}
      title={t(resting ? 'deliveries.resting' : 'deliveries.failing', {
        count: failure_count,
        number: format.number(failure_count),
      })}
    >
      <Stack gap="sm">
        <Text>
          {first_failure_at &&
            t('deliveries.since_when', { time: format.full(first_failure_at), ago: format.ago(first_failure_at) })}
        </Text>
        <LastFailure webhook={webhook} />
        <div>
          <Text fw={600}>{t('deliveries.next_title')}</Text>
          <ul style={{ margin: 0, paddingInlineStart: '1.2rem' }}>
            <li>
              {!resting
                ? t('deliveries.next_schedule')
                : waits
                  ? t('deliveries.next_probe', { time: format.exact(circuit_until) })
                  : t('deliveries.next_probing')}
            </li>
            {resting && <li>{t('deliveries.next_waiting')}</li>}
            {disable_at && <li>{t('deliveries.next_disabled', { time: format.dateTime(disable_at) })}</li>}
          </ul>
        </div>
      </Stack>
    </Alert>
  )
}

/** The last failure. Its response is in the delivery, as long as that is kept. */
function LastFailure({ webhook: { id, last_failure_at, last_failure } }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const delivery_id = last_failure?.delivery_id
  // Refetches after each failure of the same delivery.
  const delivery = useQuery({
    ...deliveryQuery(slug, id, delivery_id ?? ''),
    queryKey: [...deliveryQuery(slug, id, delivery_id ?? '').queryKey, last_failure_at ?? ''],
    enabled: delivery_id !== undefined,
  })
  const response = delivery.data?.attempt_log.find(({ ok }) => !ok)?.response
  if (!last_failure_at) return null
  return (
    <div className={classes.start}>
      <Text>
        {t('deliveries.last_failure', { time: format.exact(last_failure_at) })}{' '}
        {last_failure && (
          <>
            <Text span inherit fw={600}>
              {last_failure.status === null ? (
                <span lang={langOfEnglishText()}>{last_failure.error}</span>
              ) : (
                `HTTP ${last_failure.status}`
              )}
            </Text>
            {' · '}
            <AnchorLink
              to="."
              search={(before) => ({ ...before, delivery: delivery_id })}
              resetScroll={false}
              inherit
              c="inherit"
            >
              {t('deliveries.see', { type: last_failure.type })}
            </AnchorLink>
          </>
        )}
      </Text>
      {response && <CodeBlock text={response} name={t('deliveries.response')} />}
    </div>
  )
}
