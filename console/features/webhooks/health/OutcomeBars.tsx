import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DAY, HOUR } from '../../../../shared/time'
import { useFormat } from '../../../ui/text/format'
import { timeParam } from '../deliveries/delivery-queries'
import type { WebhookStats } from '../queries'
import classes from './Outcomes.module.css'

type Bucket = WebhookStats['buckets'][number]
type Props = { stats: WebhookStats; zone: string }

/** The outcomes of a period's attempts in one sentence. */
export function useOutcomesText(zone: string) {
  const { t } = useTranslation()
  const format = useFormat(zone)
  return ({ delivered, failed }: Pick<Bucket, 'delivered' | 'failed'>) =>
    delivered + failed === 0
      ? t('webhooks.nothing_sent')
      : [
          t('webhooks.delivered', { count: delivered, number: format.number(delivered) }),
          t('webhooks.failed', { count: failed, number: format.number(failed) }),
        ].join(', ')
}

/** The names of the bars. Days are UTC days; hours are in the given time zone. */
function useBucketNames({ stats: { period }, zone }: Props) {
  const hours = useFormat(zone)
  const days = useFormat('UTC')
  const hourly = period === '24h'
  return {
    full: ({ at }: Bucket) => (hourly ? hours.dateTime(at) : days.date(at)),
    short: ({ at }: Bucket) => (hourly ? hours.time(at) : days.monthDay(at)),
  }
}

/** Returns the hour of a time on the clocks of a zone. */
function hoursIn(zone: string) {
  const clock = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: zone })
  return (time: string) => Number(clock.format(new Date(time)))
}

type PickProps = { onPick: (span: { since: string; until: string }) => void }

function Bars({
  stats: { buckets, period },
  onPoint,
  onPick,
}: { stats: WebhookStats; onPoint?: (bucket?: Bucket) => void } & Partial<PickProps>) {
  const pick = ({ at }: Bucket) => {
    const end = new Date(at).getTime() + (period === '24h' ? HOUR : DAY)
    onPick?.({ since: timeParam(new Date(at)), until: timeParam(new Date(end)) })
  }

  const most = Math.max(1, ...buckets.map(sum))
  return buckets.map((bucket) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users have the log's filters
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users have the log's filters
    <span
      key={bucket.at}
      className={classes.column}
      onPointerEnter={onPoint && (() => onPoint(bucket))}
      onPointerLeave={onPoint && (() => onPoint())}
      onClick={onPick && sum(bucket) > 0 ? () => pick(bucket) : undefined}
      data-picked={(onPick && sum(bucket) > 0) || undefined}
    >
      {sum(bucket) > 0 && (
        <span className={classes.bar} style={{ height: `${(sum(bucket) / most) * 100}%` }}>
          {bucket.failed > 0 && <span className={classes.failed} style={{ flexGrow: bucket.failed }} />}
          {bucket.delivered > 0 && <span className={classes.delivered} style={{ flexGrow: bucket.delivered }} />}
        </span>
      )}
    </span>
  ))
}

const sum = ({ delivered, failed }: Bucket) => delivered + failed

/** A bar for each hour or day, failures on top. For list rows, one sentence describes it. */
export function SmallOutcomes({ stats, zone }: Props) {
  const { t } = useTranslation()
  const textOf = useOutcomesText(zone)
  return (
    <div
      className={classes.small}
      role="img"
      aria-label={`${t(`webhooks.outcomes_${stats.period}`)}: ${textOf(stats)}`}
    >
      <Bars stats={stats} />
    </div>
  )
}

/** A larger chart with a scale, clickable bars that show their values, and a table for screen readers. */
export function OutcomeBars({ stats, zone, onPick }: Props & PickProps) {
  const { t } = useTranslation()
  const format = useFormat(zone)
  const names = useBucketNames({ stats, zone })
  const textOf = useOutcomesText(zone)
  const [pointed, setPointed] = useState<Bucket>()
  const { buckets, period } = stats
  const title = t(`webhooks.outcomes_${period}`)
  const hourOf = hoursIn(zone)
  // The hours of a clock face, and days at an equal distance that end with the last one.
  const step = Math.ceil(buckets.length / 6)
  const hasMark = ({ at }: Bucket, index: number) =>
    period === '24h' ? hourOf(at) % 6 === 0 : (buckets.length - 1 - index) % step === 0
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <span className={classes.readout}>
          <strong>{pointed ? names.full(pointed) : title}</strong> {textOf(pointed ?? stats)}
        </span>
        <span className={classes.legend} aria-hidden="true">
          <span className={classes.delivered} /> {t('webhooks.delivered_name')}
          <span className={classes.failed} /> {t('webhooks.failed_name')}
        </span>
      </figcaption>
      <div aria-hidden="true" className={classes.plot}>
        <span className={classes.most}>{format.number(Math.max(0, ...buckets.map(sum)))}</span>
        <div className={classes.large}>
          <Bars stats={stats} onPoint={setPointed} onPick={onPick} />
        </div>
        <div className={classes.marks}>
          {buckets.map((bucket, index) => (
            <span key={bucket.at} className={classes.mark}>
              {hasMark(bucket, index) && names.short(bucket)}
            </span>
          ))}
        </div>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t('webhooks.when')}</th>
              <th scope="col">{t('webhooks.delivered_name')}</th>
              <th scope="col">{t('webhooks.failed_name')}</th>
            </tr>
          </thead>
          <tbody>
            {buckets.map((bucket) => (
              <tr key={bucket.at}>
                <th scope="row">{names.full(bucket)}</th>
                <td>{format.number(bucket.delivered)}</td>
                <td>{format.number(bucket.failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  )
}
