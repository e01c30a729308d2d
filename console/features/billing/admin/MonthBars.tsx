import { Group, Title, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../ui/text/format'
import classes from './MonthBars.module.css'

type Props = {
  title: string
  /** One value for each series. Negative ones have no bar. */
  months: { month: string; values: number[] }[]
  series: string[]
  format: (value: number) => string
  control?: ReactNode
}

/** A bar for each month and series, and a table for screen readers. */
export function MonthBars({ title, months, series, format, control }: Props) {
  const { t } = useTranslation()
  const utc = useFormat('UTC')
  const id = useId()
  const most = Math.max(0, ...months.flatMap(({ values }) => values))
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {series.length > 1 && (
          <span className={classes.legend} aria-hidden="true">
            {series.map((one, at) => (
              <span key={one}>
                <span className={classes.swatch} data-series={at} /> {one}
              </span>
            ))}
          </span>
        )}
        {control}
      </Group>
      <div className={classes.plot} aria-hidden="true">
        <span className={classes.most}>{format(most)}</span>
        {months.map(({ month, values }) => (
          <div
            key={month}
            className={classes.month}
            title={`${utc.monthYear(month)}: ${values.map(format).join(' · ')}`}
          >
            <div className={classes.bars}>
              {values.map((value, at) => (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: series have no other key
                  key={at}
                  className={classes.bar}
                  data-series={at}
                  style={{ height: `${most > 0 ? Math.max(0, value / most) * 100 : 0}%` }}
                />
              ))}
            </div>
            <span className={classes.mark}>{utc.month(month)}</span>
          </div>
        ))}
      </div>
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t('admin.billing.month')}</th>
              {series.map((one) => (
                <th key={one} scope="col">
                  {one}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.map(({ month, values }) => (
              <tr key={month}>
                <th scope="row">{utc.monthYear(month)}</th>
                {values.map((value, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: series have no other key
                  <td key={at}>{format(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  )
}
