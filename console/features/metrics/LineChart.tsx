import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../ui/text/format'
import classes from './metrics.module.css'

type Props = {
  /** Name of the number. */
  metric: string
  /** One value for each day, oldest first; at least two. */
  points: { day: string; value: number }[]
}

/** A number by day, as a line. `DayTable` shows the same numbers. */
export function LineChart({ metric, points }: Props) {
  const { t } = useTranslation()
  // Days are those of UTC.
  const format = useFormat('UTC')
  const values = points.map(({ value }) => value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const start = Date.parse(points[0]?.day ?? '')
  const end = Date.parse(points.at(-1)?.day ?? '')
  const x = (day: string) => (100 * (Date.parse(day) - start)) / Math.max(1, end - start)
  const y = (value: number) => (most === least ? 50 : 100 - (100 * (value - least)) / (most - least))
  const line = points.map(({ day, value }) => `${x(day)},${y(value)}`).join(' ')
  const label = t('metrics.chart', {
    metric,
    from: format.monthDay(new Date(start)),
    to: format.monthDay(new Date(end)),
  })
  return (
    <figure style={{ margin: 0 }}>
      <div className={classes.scale}>
        <span>{format.number(most)}</span>
      </div>
      <svg className={classes.chart} viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={label}>
        <polygon points={`0,100 ${line} 100,100`} />
        <polyline points={line} />
      </svg>
      <div className={classes.scale}>
        <span>{format.number(least)}</span>
      </div>
      <div className={classes.scale}>
        <span>{format.monthDay(new Date(start))}</span>
        <span>{format.monthDay(new Date(end))}</span>
      </div>
    </figure>
  )
}

/** The same as a table, the newest day first. */
export function DayTable({ metric, points }: Props) {
  const { t } = useTranslation()
  const format = useFormat('UTC')
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('metrics.day')}</Table.Th>
          <Table.Th scope="col" ta="end">
            {metric}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {points.toReversed().map(({ day, value }) => (
          <Table.Tr key={day}>
            <Table.Td>{format.date(day)}</Table.Td>
            <Table.Td ta="end">{format.number(value)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
