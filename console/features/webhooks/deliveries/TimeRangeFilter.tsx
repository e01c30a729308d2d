import { CalendarClock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { DateTimeField } from '../../../ui/fields/DateTimeField'
import { useFormat } from '../../../ui/text/format'
import { fromWall, moveDay, moveWall, today, toWall } from '../../../ui/text/time-zone'
import { useWorkspace } from '../../workspaces/queries'
import classes from './deliveries.module.css'
import { type DeliveryFilters, timeParam } from './delivery-queries'

type TimeRange = Pick<DeliveryFilters, 'since' | 'until'>

/** Start and end in the workspace's time zone. Both are optional. */
export function TimeRangeFilter({
  since,
  until,
  onChange,
}: TimeRange & { onChange: (changed: { [Key in keyof TimeRange]: TimeRange[Key] | undefined }) => void }) {
  const { t } = useTranslation()
  const { timezone } = useWorkspace()
  const now = toWall(timezone, new Date())
  const presets = [
    { value: moveWall(now, { hours: -1 }), label: t('deliveries.span_hour') },
    { value: moveWall(now, { hours: -12 }), label: t('deliveries.span_half_day') },
    { value: moveWall(now, { hours: -24 }), label: t('deliveries.span_day') },
    { value: moveWall(now, { days: -7 }), label: t('deliveries.span_week') },
  ]
  return (
    <>
      <TimeField name="from" value={since} onChange={(time) => onChange({ since: time })} presets={presets} />
      <TimeField name="to" value={until} onChange={(time) => onChange({ until: time })} />
    </>
  )
}

function TimeField({
  name,
  value,
  onChange,
  presets,
}: {
  name: 'from' | 'to'
  value: string | undefined
  onChange: (time: string | undefined) => void
  presets?: { value: string; label: string }[]
}) {
  const { t } = useTranslation()
  const { timezone } = useWorkspace()
  const format = useFormat(timezone)
  const shown = value ? format.dateTime(value) : t(`deliveries.any_${name}`)
  return (
    <DateTimeField
      w={{ base: '100%', xs: 225 }}
      clearable
      aria-label={t(`deliveries.by_${name}`, { zone: timezone, time: shown })}
      placeholder={shown}
      valueFormat={() => shown}
      leftSection={<CalendarClock size={17} />}
      clearButtonProps={{ 'aria-label': t(`deliveries.clear_${name}`) }}
      minDate={`${moveDay(today(timezone), -30)} 00:00:00`}
      maxDate={`${today(timezone)} 23:59:59`}
      {...(presets && { presets })}
      classNames={{ datePickerRoot: classes.span, presetsList: classes.presets }}
      value={value ? toWall(timezone, value) : null}
      onChange={(wall) => onChange(wall ? timeParam(fromWall(timezone, wall)) : undefined)}
    />
  )
}
