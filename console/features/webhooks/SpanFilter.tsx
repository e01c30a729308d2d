import '@mantine/dates/styles.layer.css'
import { DateTimePicker } from '@mantine/dates'
import { CalendarClock } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { DatesInLanguage } from '../../ui/DatesInLanguage'
import { useFormat } from '../../ui/format'
import { fromWall, moveDay, moveWall, today, toWall } from '../../ui/zone'
import { useWorkspace } from '../workspaces/queries'
import classes from './deliveries.module.css'
import { type DeliveryFilters, timeOf } from './log'

type Span = Pick<DeliveryFilters, 'since' | 'until'>

/** From when and until when, on the clocks of the workspace; either may be left open. */
export function SpanFilter({
  since,
  until,
  onChange,
}: Span & { onChange: (changed: { [Key in keyof Span]: Span[Key] | undefined }) => void }) {
  const { t } = useTranslation()
  const { timezone } = useWorkspace()
  const now = toWall(timezone, new Date())
  const presets = [
    { value: moveWall(now, { hours: -1 }), label: t('deliveries.span_hour') },
    { value: moveWall(now, { hours: -12 }), label: t('deliveries.span_night') },
    { value: moveWall(now, { hours: -24 }), label: t('deliveries.span_day') },
    { value: moveWall(now, { days: -7 }), label: t('deliveries.span_week') },
  ]
  return (
    <DatesInLanguage>
      <TimeField name="from" value={since} onChange={(time) => onChange({ since: time })} presets={presets} />
      <TimeField name="to" value={until} onChange={(time) => onChange({ until: time })} />
    </DatesInLanguage>
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
  const field = useId()
  const shown = value ? format.dateTime(value) : t(`deliveries.any_${name}`)
  return (
    <DateTimePicker
      size="md"
      w={{ base: '100%', xs: 225 }}
      clearable
      aria-label={t(`deliveries.by_${name}`, { zone: timezone, time: shown })}
      placeholder={shown}
      valueFormat={() => shown}
      previousLabel={t('ui.previous')}
      nextLabel={t('ui.next')}
      leftSection={<CalendarClock size={17} />}
      clearButtonProps={{ 'aria-label': t(`deliveries.clear_${name}`) }}
      timePickerProps={{
        format: new Intl.DateTimeFormat(format.locale, { hour: 'numeric' }).resolvedOptions().hour12 ? '12h' : '24h',
        withDropdown: true,
        hoursInputLabel: t('compose.hours'),
        minutesInputLabel: t('compose.minutes'),
        amPmInputLabel: t('compose.am_pm'),
      }}
      submitButtonProps={{ 'aria-label': t('compose.time_done') }}
      // The picker is labelled by the field that opens it, which it finds by its id.
      id={field}
      popoverProps={{ id: field }}
      minDate={`${moveDay(today(timezone), -30)} 00:00:00`}
      maxDate={`${today(timezone)} 23:59:59`}
      highlightToday
      {...(presets && { presets })}
      classNames={{ datePickerRoot: classes.span, presetsList: classes.presets }}
      value={value ? toWall(timezone, value) : null}
      onChange={(wall) => onChange(wall ? timeOf(fromWall(timezone, wall)) : undefined)}
    />
  )
}
