import { Text } from '@mantine/core'
import { ChevronDown, CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { langOfEnglishText } from '../../../i18n'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { CodeBlock } from '../CodeBlock'
import classes from './deliveries.module.css'
import type { AttemptEntry } from './delivery-queries'

/** Newest first; the newest is open. */
export function Attempts({ log, event_id }: { log: AttemptEntry[]; event_id: string }) {
  return (
    <ul className={classes.attempts}>
      {log.map((attempt, at) => (
        <AttemptRow key={attempt.n} attempt={attempt} event_id={event_id} newest={at === 0} />
      ))}
    </ul>
  )
}

function AttemptRow({ attempt, event_id, newest }: { attempt: AttemptEntry; event_id: string; newest: boolean }) {
  const { t } = useTranslation()
  const format = useFormat(useWorkspace().timezone)
  // A newer attempt does not close the one being read.
  const [open, setOpen] = useState(newest)
  const { n, at, ok, status, error, duration_ms, trigger, response } = attempt
  const Icon = ok ? CircleCheck : CircleX
  return (
    <li className={classes.attempt}>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <Icon
            size={18}
            aria-label={t(ok ? 'deliveries.succeeded' : 'deliveries.did_not')}
            role="img"
            color={ok ? 'var(--success)' : 'var(--mantine-color-error)'}
          />
          <span className={classes.type}>
            {status === null ? <span lang={langOfEnglishText()}>{error}</span> : `HTTP ${status}`}
          </span>
          <ChevronDown size={17} className={classes.turn} aria-hidden="true" />
          <small className="tabular">
            {t('deliveries.attempt', { n })} · <time dateTime={at}>{format.exact(at)}</time> ·{' '}
            {t('deliveries.ms', { ms: format.number(duration_ms) })} · {t(`deliveries.trigger.${trigger}`)}
          </small>
        </summary>
        <div className={classes.message}>
          <dl className={classes.pairs}>
            <dt className={classes.name}>webhook-id</dt>
            <dd className={classes.name}>{event_id}</dd>
            <dt className={classes.name}>webhook-timestamp</dt>
            <dd className={classes.name}>{Math.floor(new Date(at).getTime() / 1000)}</dd>
            <dt className={classes.name}>webhook-signature</dt>
            <dd>{t('deliveries.signature_unkept')}</dd>
          </dl>
          {status !== null && error && (
            <Text fz="sm" lang={langOfEnglishText()}>
              {error}
            </Text>
          )}
          {response ? (
            <CodeBlock text={response} name={t('deliveries.response')} />
          ) : (
            <Text c="dimmed" fz="sm">
              {t(status === null ? 'deliveries.no_response' : 'deliveries.empty_response')}
            </Text>
          )}
        </div>
      </details>
    </li>
  )
}
