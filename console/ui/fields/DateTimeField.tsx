import '@mantine/dates/styles.layer.css'
import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../text/format'
import { fromWall } from '../text/time-zone'
import { LocalizedDatesProvider } from './LocalizedDatesProvider'

const hasMeridiem = (locale: string) => new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12

/** Asks for a wall-clock time, in the language and with the clock of the user. */
export function DateTimeField(props: Omit<DateTimePickerProps, 'id' | 'popoverProps'>) {
  const { t } = useTranslation()
  const clock = useFormat('UTC')
  // The picker is labelled by the field that opens it, which it finds by its id.
  const id = useId()
  return (
    <LocalizedDatesProvider>
      <DateTimePicker
        size="md"
        valueFormat={(wall) => clock.full(fromWall('UTC', wall))}
        previousLabel={t('ui.previous')}
        nextLabel={t('ui.next')}
        timePickerProps={{
          format: hasMeridiem(clock.locale) ? '12h' : '24h',
          withDropdown: true,
          hoursInputLabel: t('date_time.hours'),
          minutesInputLabel: t('date_time.minutes'),
          amPmInputLabel: t('date_time.am_pm'),
        }}
        submitButtonProps={{ 'aria-label': t('date_time.done') }}
        highlightToday
        {...props}
        id={id}
        popoverProps={{ id }}
      />
    </LocalizedDatesProvider>
  )
}
