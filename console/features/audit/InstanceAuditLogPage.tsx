import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { useMe, usersQuery } from '../auth/queries'
import { AuditLog } from './AuditLog'
import { instanceActions } from './actions'
import { type AuditEntry, instanceAuditQuery, type Person } from './queries'
import type { AuditSearch } from './search-params'

const route = getRouteApi('/signed-in/shell/admin/audit-log')

const isKnown = (actor: AuditEntry['actor']): actor is Person => typeof actor?.name === 'string'

/** Shows instance admins the entries that belong to no workspace, such as sign-ins. */
export function InstanceAuditLogPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.instance_audit_log'))
  const { timezone } = useMe()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const log = useInfiniteQuery(instanceAuditQuery(timezone, filters))
  const [sought, setSought] = useState('')
  const [asked] = useDebouncedValue(sought.replace(/ \(.*\)$/, '').trim(), 300)
  const users = useInfiniteQuery(usersQuery(asked || undefined)).data?.pages.flatMap(({ data }) => data) ?? []
  const actors = log.data?.pages.flatMap(({ data }) => data.map(({ actor }) => actor)).filter(isKnown) ?? []
  const people = new Map([...actors, ...users].map((person): [string, Person] => [person.id, person]))
  return (
    <>
      <PageHeader title={t('pages.instance_audit_log')} about={t('audit.instance_about')} />
      <AuditLog
        log={log}
        none={t('audit.instance_none')}
        filters={filters}
        actions={instanceActions}
        people={[...people.values()]}
        onSearch={setSought}
        zone={timezone}
        onFilter={(changed: AuditSearch) =>
          void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
        }
      />
    </>
  )
}
