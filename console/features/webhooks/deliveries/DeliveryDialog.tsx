import { Button, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, RotateCw, Unplug } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../../api'
import { langOfEnglishText } from '../../../i18n'
import { Dialog } from '../../../ui/dialog/Dialog'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { CodeBlock } from '../CodeBlock'
import type { Webhook } from '../queries'
import { Attempts } from './Attempts'
import { useNextAttemptText } from './DeliveryRow'
import { DeliveryStatusBadge } from './DeliveryStatusBadge'
import classes from './deliveries.module.css'
import { type DeliveryDetail as Detail, deliveryQuery } from './delivery-queries'
import { canRetry, retryProblem, useRetry } from './retry-delivery'

/** Shows one delivery in a dialog over the log. */
export function DeliveryDialog({
  webhook,
  id,
  onClose,
}: {
  webhook: Webhook
  id: string | undefined
  onClose: () => void
}) {
  const { t } = useTranslation()
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  // Stays visible while closing.
  const [last, setLast] = useState(id)
  if (id !== undefined && id !== last) setLast(id)
  return (
    <Dialog
      opened={id !== undefined}
      onClose={onClose}
      size="54rem"
      fullScreen={narrow}
      radius={narrow ? 0 : 'lg'}
      title={t('deliveries.one')}
    >
      {last && <DeliveryDetails key={last} webhook={webhook} id={last} />}
    </Dialog>
  )
}

function DeliveryDetails({ webhook, id }: { webhook: Webhook; id: string }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const delivery = useQuery({
    ...deliveryQuery(slug, webhook.id, id),
    refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' ? 1500 : false),
    staleTime: 0,
  })
  if (isStatus(delivery.error, 404))
    return (
      <EmptyState icon={<Unplug size={26} />} title={t('deliveries.gone')}>
        {t('deliveries.gone_detail')}
      </EmptyState>
    )
  if (delivery.error && !delivery.data)
    return <ProblemAlert error={delivery.error} onRetry={() => delivery.refetch()} />
  if (!delivery.data) return <LoadingSkeleton lines={4} height={72} />
  return <DeliveryContent webhook={webhook} delivery={delivery.data} />
}

function DeliveryContent({ webhook, delivery }: { webhook: Webhook; delivery: Detail }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const next = useNextAttemptText(webhook, delivery)
  const { id, state, type, event_id, attempts, next_attempt_at, created_at, payload, attempt_log, subject } = delivery
  const attemptsTitle = useId()
  const requestTitle = useId()
  return (
    <Stack gap="lg">
      <div>
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Text fw={650} fz="lg" style={{ overflowWrap: 'anywhere' }}>
              {type}
            </Text>
            <div role="status">
              <DeliveryStatusBadge delivery={delivery} />
            </div>
          </div>
          {isAtLeast(workspace, 'admin') && <RetryNow webhook={webhook} delivery={delivery} />}
        </Group>
        <dl className={classes.pairs} style={{ marginTop: '1rem' }}>
          <dt>{t('deliveries.event')}</dt>
          <dd>
            <span className={classes.name}>{event_id}</span>{' '}
            <AnchorLink
              to="."
              search={({ period }) => ({ ...(period && { period }), event: event_id })}
              resetScroll={false}
              inherit
            >
              {t('deliveries.only_event')}
            </AnchorLink>
          </dd>
          {subject && (
            <>
              <dt>{t('deliveries.subject')}</dt>
              <dd>
                {subject.text} <span className={classes.name}>{subject.id}</span>
              </dd>
            </>
          )}
          <dt>{t('deliveries.created')}</dt>
          <dd>
            <time dateTime={created_at}>{format.exact(created_at)}</time>
          </dd>
          <dt>{t('deliveries.next_attempt')}</dt>
          <dd>
            {next_attempt_at && next ? (
              <>
                <time dateTime={next_attempt_at}>{format.exact(next_attempt_at)}</time> (
                {new Date(next_attempt_at).getTime() > Date.now() ? format.ago(next_attempt_at) : next})
              </>
            ) : (
              t(`deliveries.no_next.${state}`)
            )}
          </dd>
        </dl>
      </div>
      <section aria-labelledby={attemptsTitle}>
        <Title order={3} size="h4" id={attemptsTitle} mb="xs">
          {t('deliveries.attempt_log')}
        </Title>
        {attempts === 0 && attempt_log.length === 0 ? (
          <Text c="dimmed">{t('deliveries.untried_detail')}</Text>
        ) : (
          <Attempts log={attempt_log} event_id={event_id} />
        )}
        {attempts > attempt_log.length && attempt_log.length > 0 && (
          <Text c="dimmed" fz="sm" mt="xs">
            {t('deliveries.attempts_shown', { count: attempt_log.length, number: format.number(attempts) })}
          </Text>
        )}
      </section>
      <section aria-labelledby={requestTitle}>
        <Title order={3} size="h4" id={requestTitle} mb="xs">
          {t('deliveries.request')}
        </Title>
        <Stack gap="sm">
          <Text className={`text ${classes.name}`}>POST {webhook.url}</Text>
          <RequestHeaders webhook={webhook} event_id={event_id} key={id} />
          <CodeBlock text={payload} name={t('deliveries.body')} />
          <Text c="dimmed" fz="sm">
            {t('deliveries.body_about')} {t('deliveries.check_about')}
          </Text>
        </Stack>
      </section>
    </Stack>
  )
}

/** The request headers, each with its purpose. */
function RequestHeaders({
  webhook: { header_names, previous_secret_expires_at },
  event_id,
}: {
  webhook: Webhook
  event_id: string
}) {
  const { t } = useTranslation()
  const overlaps = previous_secret_expires_at !== null && new Date(previous_secret_expires_at).getTime() > Date.now()
  const headers: [name: string, about: string][] = [
    ['webhook-id', t('deliveries.header.id', { id: event_id })],
    ['webhook-timestamp', t('deliveries.header.timestamp')],
    ['webhook-signature', t(overlaps ? 'deliveries.header.signature_both' : 'deliveries.header.signature')],
    ['X-Service-Signature', t(overlaps ? 'deliveries.header.service_former' : 'deliveries.header.service')],
  ]
  if (overlaps) headers.push(['X-Service-Signature-Next', t('deliveries.header.service_next')])
  headers.push(['Content-Type', 'application/json'])
  for (const name of header_names) headers.push([name, t('deliveries.header.own')])
  return (
    <dl className={classes.pairs}>
      {headers.map(([name, about]) => (
        <div key={name} className={classes.pair}>
          <dt className={classes.name}>{name}</dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Sends it again and shows the result. */
function RetryNow({ webhook, delivery }: { webhook: Webhook; delivery: Detail }) {
  const { t } = useTranslation()
  const format = useFormat()
  const retry = useRetry(webhook)
  /** The number of attempts when the user clicked. */
  const [asked, setAsked] = useState<number>()
  const [attempt] = delivery.attempt_log
  const pending = retry.isPending || (asked !== undefined && delivery.attempts <= asked && delivery.state === 'waiting')
  const newAttempt =
    asked !== undefined && !pending && !retry.error && attempt && attempt.n > asked ? attempt : undefined
  const send = () => {
    setAsked(delivery.attempts)
    retry.mutate(delivery.id, { onError: () => setAsked(undefined) })
  }
  if (!canRetry(webhook, delivery))
    return (
      !webhook.active &&
      delivery.state !== 'delivered' && (
        <Text c="dimmed" fz="sm">
          {t('deliveries.is_disabled')}
        </Text>
      )
    )
  return (
    <div className={classes.action}>
      <Button
        variant={delivery.state === 'delivered' ? 'default' : 'filled'}
        leftSection={<RotateCw size={17} />}
        aria-busy={pending}
        onClick={() => !pending && send()}
      >
        {t('deliveries.retry')}
      </Button>
      <div role="status" className={classes.result}>
        {pending && (
          <>
            <Loader size={15} /> {t('deliveries.sending')}
          </>
        )}
        {newAttempt && (
          <span className={classes.retryResult} data-ok={newAttempt.ok}>
            {newAttempt.ok ? <CircleCheck size={16} aria-hidden="true" /> : <CircleX size={16} aria-hidden="true" />}
            {newAttempt.status === null ? (
              <span lang={langOfEnglishText()}>{newAttempt.error}</span>
            ) : (
              t('deliveries.responded', { status: newAttempt.status, ms: format.number(newAttempt.duration_ms) })
            )}
          </span>
        )}
        {retry.error && <span className={classes.retryResult}>{retryProblem(t, retry.error)}</span>}
      </div>
    </div>
  )
}
