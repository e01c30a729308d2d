import '@mantine/dates/styles.layer.css'
import type { FloatingPosition } from '@mantine/core'
import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLocale } from '../text/format'
import { LocalizedDatesProvider } from './LocalizedDatesProvider'

const besideFirst: FloatingPosition[] = ['left-start', 'right-start', 'top-start']

const hasMeridiem = (locale: string) => new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12

/** Loaded by `DateTimeField` when it is needed. */
export default function DateTimePickerField(props: Omit<DateTimePickerProps, 'id' | 'popoverProps'>) {
  const { t } = useTranslation()
  // The picker is labelled by the field that opens it, which it finds by its id.
  const id = useId()
  return (
    <LocalizedDatesProvider>
      <DateTimePicker
        previousLabel={t('ui.previous')}
        nextLabel={t('ui.next')}
        timePickerProps={{
          format: hasMeridiem(currentLocale()) ? '12h' : '24h',
          withDropdown: true,
          hoursInputLabel: t('date_time.hours'),
          minutesInputLabel: t('date_time.minutes'),
          amPmInputLabel: t('date_time.am_pm'),
        }}
        submitButtonProps={{ 'aria-label': t('date_time.done') }}
        highlightToday
        {...props}
        id={id}
        // Beside the field rather than over the one above it, which decides whether there is a time at all.
        popoverProps={{ id, middlewares: { shift: true, flip: { crossAxis: false, fallbackPlacements: besideFirst } } }}
      />
    </LocalizedDatesProvider>
  )
}
