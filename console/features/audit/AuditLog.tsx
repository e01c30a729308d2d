import { Button, Card, Stack, Title } from '@mantine/core'
import { ScrollText, Search } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../ui/format'
import { More } from '../../ui/More'
import { Empty, Problem } from '../../ui/screens'
import { Waiting } from '../../ui/Waiting'
import { dayOf, toWall } from '../../ui/zone'
import classes from './Audit.module.css'
import { EntryRow } from './EntryRow'
import { AuditFilters } from './Filters'
import type { Actions, AuditEntry, Person } from './queries'
import type { AuditSearch } from './search'

type Log = Parameters<typeof More>[0]['of'] & {
  data: { pages: { data: AuditEntry[] }[] } | undefined
  error: Error | null
  isPending: boolean
  refetch: () => unknown
}

/** Entries by day, newest first, below the filters that the address keeps. `none`: what would stand here. */
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
      {log.error && <Problem error={log.error} onRetry={() => log.refetch()} />}
      {log.isPending && <Waiting lines={6} height={60} />}
      {log.data && entries.length === 0 && (
        <Card padding={0}>
          {filtered ? (
            <Empty
              icon={<Search size={26} />}
              title={t('audit.none_found')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('posts.clear')}
                </Button>
              }
            >
              {t('audit.none_found_detail')}
            </Empty>
          ) : (
            <Empty icon={<ScrollText size={26} />} title={t('audit.none')}>
              {none}
            </Empty>
          )}
        </Card>
      )}
      <Stack gap="lg">
        {[...Map.groupBy(entries, ({ at }) => dayOf(toWall(zone, at)))].map(([day, ofDay]) => (
          <Day key={day} entries={ofDay} people={people} zone={zone} />
        ))}
      </Stack>
      <More of={log} />
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
