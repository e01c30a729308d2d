import { Button, Card, Stack, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Gem, ScrollText, Search } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { isCode } from '../../api'
import { useFormat } from '../../ui/format'
import { More } from '../../ui/More'
import { Empty, NotYours, PageHead, Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { dayOf, toWall } from '../../ui/zone'
import { membersQuery, type WorkspaceMember } from '../workspaces/people'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import classes from './Audit.module.css'
import { EntryRow } from './EntryRow'
import { AuditFilters } from './Filters'
import { type AuditEntry, auditQuery } from './queries'
import type { AuditSearch } from './search'

const route = getRouteApi('/inside/shell/w/$workspace/audit-log')

/** Who did what, newest first, by filters that the address keeps. */
export function AuditLogPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.audit_log'))
  const workspace = useWorkspace()
  const mayRead = isAtLeast(workspace, 'admin')
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const log = useInfiniteQuery({ ...auditQuery(workspace, filters), enabled: mayRead })
  const members = useQuery({ ...membersQuery(workspace.slug), enabled: mayRead }).data ?? []
  const entries = log.data?.pages.flatMap(({ data }) => data) ?? []
  const filtered = Object.values(filters).some(Boolean)
  const filter = (changed: AuditSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
  const clear = () => filter({ actor: undefined, action: undefined, since: undefined, until: undefined })
  if (!mayRead) return <NotYours needs="admin" />
  if (isCode(log.error, 'feature_not_available'))
    return (
      <>
        <PageHead title={t('rooms.audit_log')} />
        <Card padding={0}>
          <Empty icon={<Gem size={26} />} title={t('audit.upgrade')}>
            {t('audit.upgrade_detail')}
          </Empty>
        </Card>
      </>
    )
  return (
    <>
      <PageHead title={t('rooms.audit_log')} about={t('audit.about')} />
      <AuditFilters filters={filters} members={members} onFilter={filter} onClear={filtered ? clear : undefined} />
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
              {t('audit.none_detail')}
            </Empty>
          )}
        </Card>
      )}
      <Stack gap="lg">
        {[...Map.groupBy(entries, ({ at }) => dayOf(toWall(workspace.timezone, at)))].map(([day, ofDay]) => (
          <Day key={day} entries={ofDay} members={members} zone={workspace.timezone} />
        ))}
      </Stack>
      <More of={log} />
    </>
  )
}

function Day({ entries, members, zone }: { entries: AuditEntry[]; members: WorkspaceMember[]; zone: string }) {
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
            <EntryRow key={entry.id} entry={entry} members={members} zone={zone} />
          ))}
        </ul>
      </Card>
    </section>
  )
}
