import { ActionIcon, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { langOfEnglishText } from '../../../i18n'
import { useFormat } from '../../../ui/text/format'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import type { Webhook } from '../queries'
import { DeliveryStatusBadge } from './DeliveryStatusBadge'
import classes from './deliveries.module.css'
import type { Delivery } from './delivery-queries'
import { canRetry, retryProblem, useRetry } from './retry-delivery'

/** A delivery in one line: its status, event, result and time. The line links to the details. */
export function DeliveryRow({
  webhook,
  delivery,
  fresh,
}: {
  webhook: Webhook
  delivery: Delivery
  /** Arrived while the log was open. */
  fresh: boolean
}) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const { id, state, type, attempts, last_status, last_error, created_at, subject } = delivery
  const failing = attempts > 0 && state !== 'delivered'
  const next = useNextAttemptText(webhook, delivery)
  return (
    <li className={classes.item}>
      <Link
        to="."
        search={(before) => ({ ...before, delivery: id })}
        resetScroll={false}
        className={`${classes.row} ${fresh ? classes.fresh : ''}`}
      >
        <DeliveryStatusBadge delivery={delivery} />
        <span className={classes.what}>
          <span className={classes.title}>
            <span className={classes.type}>{type}</span>
            {subject?.text && <span className={classes.subject}>{subject.text}</span>}
          </span>
          <span className={classes.outcome}>
            {attempts > 0 && <span>{t('deliveries.attempts', { count: attempts })}</span>}
            <span className={classes.why} data-failed={failing || undefined}>
              {attempts === 0 ? (
                t('deliveries.untried')
              ) : last_error ? (
                <span lang={langOfEnglishText()}>{last_error}</span>
              ) : (
                last_status !== null && `HTTP ${last_status}`
              )}
            </span>
          </span>
        </span>
        <span className={`tabular ${classes.when}`}>
          <span>
            <time dateTime={created_at} title={format.exact(created_at)}>
              {format.precise(created_at)}
            </time>
          </span>
          {next && <span>{next}</span>}
        </span>
      </Link>
      {isAtLeast(workspace, 'admin') && canRetry(webhook, delivery) && failing && (
        <RetryButton webhook={webhook} delivery={delivery} />
      )}
    </li>
  )
}

/** Describes when a waiting delivery is sent. */
export function useNextAttemptText({ circuit }: Webhook, { state, next_attempt_at }: Delivery) {
  const { t } = useTranslation()
  const format = useFormat(useWorkspace().timezone)
  if (state !== 'waiting') return undefined
  if (!next_attempt_at) return t('deliveries.sending')
  if (new Date(next_attempt_at).getTime() > Date.now())
    return t('deliveries.next', { ago: format.ago(next_attempt_at) })
  return t(circuit === 'closed' ? 'deliveries.next_now' : 'deliveries.next_rested')
}

function RetryButton({ webhook, delivery: { id, type, created_at } }: { webhook: Webhook; delivery: Delivery }) {
  const { t } = useTranslation()
  const format = useFormat(useWorkspace().timezone)
  const retry = useRetry(webhook, () => notifications.show({ message: t('deliveries.queued', { type }) }))
  const send = () =>
    retry.mutate(id, {
      onError: (error) => notifications.show({ color: 'coral', message: retryProblem(t, error) }),
    })
  return (
    <Tooltip label={t('deliveries.retry')}>
      <ActionIcon
        variant="subtle"
        size={36}
        aria-label={t('deliveries.retry_one', { type, time: format.exact(created_at) })}
        aria-busy={retry.isPending}
        onClick={() => !retry.isPending && send()}
      >
        <RotateCw size={17} />
      </ActionIcon>
    </Tooltip>
  )
}
