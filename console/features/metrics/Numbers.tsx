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
type Props = { metrics: Partial<Record<Metric, number | null>> }

/** The numbers that a network reported, with their names. */
export function Numbers({ metrics }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const reported = metricNames.flatMap((name) => {
    const value = metrics[name]
    return value === null || value === undefined ? [] : [{ name, value }]
  })
  if (reported.length === 0)
    return (
      <Text c="dimmed" fz="sm">
        {t('metrics.none')}
      </Text>
    )
  return (
    <dl className={classes.numbers}>
      {reported.map(({ name, value }) => (
        <div key={name}>
          <dt>{t(`metrics.name.${name}`)}</dt>
          <dd>{format.number(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
