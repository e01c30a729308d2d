import { Button, Group, Input, Select } from '@mantine/core'
import { CalendarRange, X } from 'lucide-react'
import { lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { translateDynamic } from '../../i18n'
import { LazyPicker } from '../../ui/fields/LazyPicker'
import { useFormat } from '../../ui/text/format'
import { moveDay, today } from '../../ui/text/time-zone'
import { type Actions, subjectsOf } from './actions'
import type { DateRange } from './DateRangePicker'
import type { Person } from './queries'
import type { AuditSearch } from './search-params'

export function AuditFilters({
  filters: { actor, action, since, until },
  actions,
  people,
  onSearch,
  zone,
  onFilter,
  onClear,
}: {
  filters: AuditSearch
  actions: Actions
  people: Person[]
  /** Set if `people` is incomplete: called with the search text. */
  onSearch?: (sought: string) => void
  zone: string
  onFilter: (changed: AuditSearch) => void
  onClear: (() => void) | undefined
}) {
  const { t } = useTranslation()
  const day = today(zone)
  const subjects = subjectsOf(actions)
  const nameOf = (name: string) => translateDynamic(t, `audit.action.${name.replaceAll('.', '_')}`, name)
  const known = subjects.flatMap((subject) => [
    `${subject}.*`,
    ...(actions[subject] ?? []).map((act) => `${subject}.${act}`),
  ])
  const listed = people.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))
  return (
    <Group mb="lg" gap="sm" role="search" aria-label={t('audit.filters')}>
      <Select
        aria-label={t('audit.by_actor')}
        placeholder={t('audit.any_actor')}
        clearable
        searchable
        nothingFoundMessage={t('ui.nothing_found')}
        {...(onSearch && { onSearchChange: onSearch })}
        w={{ base: '100%', xs: 230 }}
        data={[
          ...listed,
          // A former member.
          ...(actor && !people.some(({ id }) => id === actor) ? [{ value: actor, label: t('audit.former') }] : []),
        ]}
        value={actor ?? null}
        onChange={(id) => onFilter({ actor: id ?? undefined })}
      />
      <Select
        aria-label={t('audit.by_action')}
        placeholder={t('audit.any_action')}
        clearable
        searchable
        nothingFoundMessage={t('ui.nothing_found')}
        w={{ base: '100%', xs: 250 }}
        maxDropdownHeight={320}
        data={[
          ...subjects.map((subject) => ({
            group: t(`audit.subject.${subject}`),
            items: [
              { value: `${subject}.*`, label: t(`audit.all.${subject}`) },
              ...(actions[subject] ?? []).map((act) => ({
                value: `${subject}.${act}`,
                label: nameOf(`${subject}.${act}`),
              })),
            ],
          })),
          ...(action && !known.includes(action) ? [{ value: action, label: nameOf(action) }] : []),
        ]}
        value={action ?? null}
        onChange={(name) => onFilter({ action: name ?? undefined })}
      />
      <DateRangeField
        key={`${since} ${until}`}
        value={[since ?? null, until ?? null]}
        onChange={([first, last]) => onFilter({ since: first ?? undefined, until: last ?? undefined })}
        presets={[
          { value: [day, day], label: t('audit.span_today') },
          { value: [moveDay(day, -6), day], label: t('audit.span_week') },
          { value: [moveDay(day, -29), day], label: t('audit.span_month') },
        ]}
        latest={day}
      />
      {onClear && (
        <Button variant="subtle" leftSection={<X size={16} />} onClick={onClear}>
          {t('posts.clear')}
        </Button>
      )}
    </Group>
  )
}

const loadPicker = () => import('./DateRangePicker')
const DateRangePicker = lazy(loadPicker)

/** A range of days. The URL changes once both ends are chosen. */
function DateRangeField({
  value,
  onChange,
  ...limits
}: {
  value: DateRange
  onChange: (range: DateRange) => void
  presets: { value: DateRange; label: string }[]
  latest: string
}) {
  const { t } = useTranslation()
  const format = useFormat('UTC')
  const [range, setRange] = useState(value)
  const days = range.filter((day) => day !== null).map(format.date)
  const shown = [...new Set(days)].join(' – ') || t('audit.any_time')
  const field = {
    size: 'md' as const,
    w: { base: '100%', xs: 270 },
    'aria-label': `${t('audit.by_time')}: ${shown}`,
    leftSection: <CalendarRange size={17} />,
  }
  const choose = (chosen: DateRange) => {
    setRange(chosen)
    if (Boolean(chosen[0]) === Boolean(chosen[1])) onChange(chosen)
  }
  return (
    <LazyPicker
      {...field}
      isSet={days.length > 0}
      preload={loadPicker}
      picker={(ref) => (
        <DateRangePicker {...field} {...limits} shown={shown} value={range} onChange={choose} ref={ref} />
      )}
    >
      <Input.Placeholder>{shown}</Input.Placeholder>
    </LazyPicker>
  )
}
