import { Card } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Gem } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isCode } from '../../api'
import { Empty, NotYours, PageHead } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { membersQuery } from '../workspaces/people'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { AuditLog } from './AuditLog'
import { auditQuery, workspaceActions } from './queries'
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
  const filter = (changed: AuditSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
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
      <AuditLog
        log={log}
        none={t('audit.none_detail')}
        filters={filters}
        actions={workspaceActions}
        people={members}
        zone={workspace.timezone}
        onFilter={filter}
      />
    </>
  )
}
