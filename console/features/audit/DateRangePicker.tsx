import '@mantine/dates/styles.layer.css'
import { DatePickerInput, type DatePickerInputProps } from '@mantine/dates'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { LocalizedDatesProvider } from '../../ui/fields/LocalizedDatesProvider'
import classes from './Audit.module.css'

export type DateRange = [string | null, string | null]

type Props = Omit<DatePickerInputProps<'range'>, 'type' | 'value' | 'onChange' | 'presets'> & {
  value: DateRange
  onChange: (range: DateRange) => void
  presets: { value: DateRange; label: string }[]
  /** The last day that can be chosen. */
  latest: string
  /** The text in the field. */
  shown: string
}

/** Loaded by the filters of the audit log when it is needed. */
export default function DateRangePicker({ shown, latest, ...props }: Props) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <LocalizedDatesProvider>
      <DatePickerInput
        type="range"
        allowSingleDateInRange
        clearable
        hideOutsideDates
        previousLabel={t('ui.previous')}
        nextLabel={t('ui.next')}
        // The calendar is labelled by the field that opens it, which it finds by its id.
        id={id}
        popoverProps={{ id }}
        valueFormatter={() => shown}
        placeholder={shown}
        clearButtonProps={{ 'aria-label': t('audit.clear_time') }}
        maxDate={latest}
        classNames={{ datePickerRoot: classes.span, presetsList: classes.presets }}
        {...props}
      />
    </LocalizedDatesProvider>
  )
}
