import '@mantine/dates/styles.layer.css'
import { DatePickerInput, type DatePickerInputProps } from '@mantine/dates'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { LocalizedDatesProvider } from '../../ui/fields/LocalizedDatesProvider'

/** Loaded by the form for new tokens when it is needed. */
export default function ExpiryDatePicker(props: DatePickerInputProps<'default'>) {
  const { t } = useTranslation()
  // The calendar is labelled by the field that opens it, which it finds by its id.
  const id = useId()
  return (
    <LocalizedDatesProvider>
      <DatePickerInput
        hideOutsideDates
        previousLabel={t('ui.previous')}
        nextLabel={t('ui.next')}
        {...props}
        id={id}
        popoverProps={{ id }}
      />
    </LocalizedDatesProvider>
  )
}
