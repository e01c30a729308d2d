import { Select, type SelectProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { countryOfZone, holidayCountries, NO_HOLIDAYS } from '../../../../shared/holidays/country'
import { useFormat } from '../../../ui/text/format'

/** The option for null: the country of the time zone. */
const OF_ZONE = 'zone'

type Props = Omit<SelectProps<string>, 'value' | 'onChange' | 'data'> & {
  value?: string | null
  onChange?: (country: string | null) => void
  timezone: string
}

/** Chooses the country whose public holidays a workspace has; null: that of its time zone. */
export function HolidayCountryField({ value, onChange, timezone, ...props }: Props) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const regions = new Intl.DisplayNames(locale, { type: 'region' })
  const nameOf = (code: string) => regions.of(code) ?? code
  const ofZone = countryOfZone(timezone)
  const countries = holidayCountries
    .map((code) => ({ value: code, label: nameOf(code) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale))
  return (
    <Select
      label={t('workspace.holidays')}
      description={t('workspace.holidays_about')}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('ui.nothing_found')}
      {...props}
      data={[
        {
          value: OF_ZONE,
          label: ofZone
            ? t('workspace.holidays_of_zone', { country: nameOf(ofZone) })
            : t('workspace.holidays_of_unknown_zone'),
        },
        { value: NO_HOLIDAYS, label: t('workspace.holidays_none') },
        ...countries,
      ]}
      value={value ?? OF_ZONE}
      onChange={(choice: string | null) => onChange?.(choice === OF_ZONE ? null : choice)}
    />
  )
}
