import { Alert, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Info, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { plansQuery } from '../../../api'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { useAmount, useLimitText } from '../format'
import { fullnessOf, type MeterUsage, scarceMeters, suggestedPlan } from '../pricing/suggested-plan'
import { UNLIMITED, type Usage } from '../queries'
import classes from './UsageMeter.module.css'

const colors = { free: 'iznik', near: 'yellow.6', full: 'coral' } as const

/** The used part of a limit. */
export function UsageMeter({ use, usage }: { use: MeterUsage; usage: Usage }) {
  const { t } = useTranslation()
  const amount = useAmount()
  const format = useFormat('UTC')
  const { meter, used, limit } = use
  const fullness = fullnessOf(use)
  const name = t(`usage.meter.${meter}`)
  const isMissing = limit === 0 && used === 0
  const isLimited = limit !== UNLIMITED && !isMissing
  const so = isMissing
    ? '–'
    : isLimited
      ? t('usage.of', { used: amount(meter, used), limit: amount(meter, limit) })
      : amount(meter, used)
  const startsAnew = meter === 'posts_per_month' || meter === 'ai_credits'
  return (
    <li className={classes.line} data-fullness={fullness}>
      <div className={classes.words}>
        <span className={classes.name}>{name}</span>
        <span className="tabular">
          {so}
          {limit === UNLIMITED && usage.billing_enabled && <Text span c="dimmed">{` · ${t('usage.unlimited')}`}</Text>}
        </span>
      </div>
      {isLimited && (
        <Progress
          value={limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}
          color={colors[fullness]}
          size="sm"
          aria-label={`${name}: ${so}`}
        />
      )}
      <Text className={classes.note} data-note>
        {isMissing ? (
          <span>{t('usage.none')}</span>
        ) : (
          fullness !== 'free' && <strong>{t(used > limit ? 'usage.over' : `usage.${fullness}`)}</strong>
        )}
        {startsAnew && !isMissing && <span>{t('usage.resets_on', { date: format.date(usage.period_end) })}</span>}
        <span>{t(`usage.about.${meter}`)}</span>
      </Text>
    </li>
  )
}

/** Names the scarce meters and a plan with higher limits. */
export function UpgradeAdvice({ usage }: { usage: Usage }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const limit = useLimitText()
  const scarce = scarceMeters(usage)
  const isScarce = usage.billing_enabled && scarce.length > 0
  const plans = useQuery({ ...plansQuery, enabled: isScarce }).data
  const format = useFormat()
  if (!isScarce) return null
  const helps = plans && suggestedPlan(plans, usage)
  const names = format.list(scarce.map(({ meter }) => t(`usage.meter.${meter}`)))
  const isFull = scarce.some((use) => fullnessOf(use) === 'full')
  return (
    <Alert
      color={isFull ? 'coral' : 'yellow'}
      icon={isFull ? <TriangleAlert size={20} /> : <Info size={20} />}
      title={t(isFull ? 'usage.advice_full' : 'usage.advice_near', { names })}
    >
      <Text>
        {helps
          ? t('usage.helps', {
              plan: helps.name,
              more: scarce
                .map(({ meter }) => limit(meter, helps.limits[meter]))
                // Lower case within a sentence.
                .map((text) => text.charAt(0).toLocaleLowerCase(format.locale) + text.slice(1))
                .join(', '),
            })
          : plans && t('usage.helps_none')}{' '}
        <AnchorLink to="/pricing" search={{ workspace: slug }}>
          {t('usage.compare')}
        </AnchorLink>
      </Text>
    </Alert>
  )
}
