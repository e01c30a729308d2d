import { useTranslation } from 'react-i18next'
import { FilterSelect } from '../../../ui/fields/filters'

type Props<Status extends string> = {
  statuses: readonly Status[]
  label: (status: Status) => string
  /** Undefined shows those of every status. */
  value: Status | undefined
  onChange: (status: Status | 'all') => void
}

export function StatusFilter<Status extends string>({ statuses, label, value, onChange }: Props<Status>) {
  const { t } = useTranslation()
  return (
    <FilterSelect
      aria-label={t('admin.billing.by_status')}
      clearable={false}
      allowDeselect={false}
      data={[
        ...statuses.map((status) => ({ value: status as string, label: label(status) })),
        { value: 'all', label: t('admin.billing.any_status') },
      ]}
      value={value ?? 'all'}
      onChange={(chosen) => onChange(statuses.find((status) => status === chosen) ?? 'all')}
    />
  )
}

/** The status that an address names: the first of them without one, and undefined for all. */
export const statusOf = <Status extends string>(statuses: readonly Status[], value: string | undefined) =>
  value === 'all' ? undefined : (statuses.find((status) => status === value) ?? statuses[0])
