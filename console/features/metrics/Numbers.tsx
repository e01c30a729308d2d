import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../ui/text/format'
import classes from './metrics.module.css'

/** In the order in which they are shown. */
const metricNames = [
  'followers',
  'following',
  'posts',
  'views',
  'reach',
  'likes',
  'comments',
  'shares',
  'quotes',
  'saves',
  'clicks',
] as const

type Metric = (typeof metricNames)[number]
type Props = { metrics: Partial<Record<Metric, number | null>>; hasReach?: boolean }

/** The numbers that a network reported, with their names. `hasReach`: whether the parts of a sum have a reach of their own. */
export function Numbers({ metrics, hasReach = false }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const reported = metricNames.flatMap((name): { name: Metric; value: number | null }[] => {
    const value = metrics[name]
    if (name === 'reach' && hasReach) return [{ name, value: null }]
    return value === null || value === undefined ? [] : [{ name, value }]
  })
  if (reported.length === 0)
    return (
      <Text c="dimmed" fz="sm">
        {t('metrics.none')}
      </Text>
    )
  return (
    <>
      <dl className={classes.numbers}>
        {reported.map(({ name, value }) => (
          <div key={name}>
            <dt>{t(`metrics.name.${name}`)}</dt>
            <dd>{value === null ? '–' : format.number(value)}</dd>
          </div>
        ))}
      </dl>
      {hasReach && (
        <Text c="dimmed" fz="sm" mt={6}>
          {t('metrics.no_reach')}
        </Text>
      )}
    </>
  )
}
