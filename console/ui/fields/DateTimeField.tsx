import '@mantine/dates/styles.layer.css'
import { TextInput } from '@mantine/core'
import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates'
import { useMediaQuery } from '@mantine/hooks'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../text/format'
import { fromWall } from '../text/time-zone'
import { LocalizedDatesProvider } from './LocalizedDatesProvider'

const hasMeridiem = (locale: string) => new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12

type Props = Omit<DateTimePickerProps, 'id' | 'popoverProps'>

/** Asks for a wall-clock time, in the language and with the clock of the user. */
export function DateTimeField(props: Props) {
  const isTouch = useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false })
  return isTouch ? <NativeDateTimeField {...props} /> : <PickerField {...props} />
}

/** The field of the device, which fits its screen and its hands. */
function NativeDateTimeField({ label, description, error, value, onChange, minDate, maxDate, mt, required }: Props) {
  const local = (wall: Props['value']) => (wall ? String(wall).slice(0, 16).replace(' ', 'T') : undefined)
  return (
    <TextInput
      type="datetime-local"
      size="md"
      {...{ label, description, error, mt, required }}
      min={local(minDate)}
      max={local(maxDate)}
      value={local(value) ?? ''}
      onChange={({ currentTarget }) =>
        onChange?.(currentTarget.value ? `${currentTarget.value.replace('T', ' ')}:00` : null)
      }
    />
  )
}

function PickerField(props: Props) {
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
