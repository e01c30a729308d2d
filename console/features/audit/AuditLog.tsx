import { Card, Stack, Title } from '@mantine/core'
import { ScrollText } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { NoMatches } from '../../ui/feedback/NoMatches'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { useFormat } from '../../ui/text/format'
import { dayOf, toWall } from '../../ui/text/time-zone'
import classes from './Audit.module.css'
import { AuditFilters } from './AuditFilters'
import type { Actions } from './actions'
import { EntryRow } from './EntryRow'
import type { AuditEntry, Person } from './queries'
import type { AuditSearch } from './search-params'

type Log = Omit<Parameters<typeof LoadMore>[0]['of'], 'data'> & {
  data: { pages: { data: AuditEntry[] }[] } | undefined
  error: Error | null
  isPending: boolean
  refetch: () => unknown
}

/** Entries by day, newest first, below filters kept in the URL. `none`: shown if there are no entries. */
export function AuditLog({
  log,
  none,
  filters,
  onFilter,
  people,
  zone,
  ...ask
}: {
  log: Log
  none: string
  filters: AuditSearch
  actions: Actions
  people: Person[]
  onSearch?: (sought: string) => void
  zone: string
  onFilter: (changed: AuditSearch) => void
}) {
  const { t } = useTranslation()
  const entries = log.data?.pages.flatMap(({ data }) => data) ?? []
  const filtered = Object.values(filters).some(Boolean)
  const clear = () => onFilter({ actor: undefined, action: undefined, since: undefined, until: undefined })
  return (
    <>
      <AuditFilters
        {...ask}
        filters={filters}
        people={people}
        zone={zone}
        onFilter={onFilter}
        onClear={filtered ? clear : undefined}
      />
      {log.error && <ProblemAlert error={log.error} onRetry={() => log.refetch()} />}
      {log.isPending && <LoadingSkeleton lines={6} height={60} />}
      {log.data && entries.length === 0 && (
        <Card padding={0}>
          {filtered ? (
            <NoMatches title={t('audit.none_found')} onClear={clear}>
              {t('audit.none_found_detail')}
            </NoMatches>
          ) : (
            <EmptyState icon={<ScrollText size={26} />} title={t('audit.none')}>
              {none}
            </EmptyState>
          )}
        </Card>
      )}
      <Stack gap="lg">
        {[...Map.groupBy(entries, ({ at }) => dayOf(toWall(zone, at)))].map(([day, ofDay]) => (
          <Day key={day} entries={ofDay} people={people} zone={zone} />
        ))}
      </Stack>
      <LoadMore of={log} />
    </>
  )
}

function Day({ entries, people, zone }: { entries: AuditEntry[]; people: Person[]; zone: string }) {
  const format = useFormat(zone)
  const id = useId()
  const [first] = entries
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="xs">
        {first && format.day(first.at)}
      </Title>
      <Card padding={0}>
        <ul className={classes.list} aria-labelledby={id}>
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} members={people} zone={zone} />
          ))}
        </ul>
      </Card>
    </section>
  )
}
