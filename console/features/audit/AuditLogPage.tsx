import { Card } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Gem } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isCode } from '../../api'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { RoleRequired } from '../../ui/feedback/RoleRequired'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { membersQuery } from '../workspaces/members/member-queries'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { AuditLog } from './AuditLog'
import { workspaceActions } from './actions'
import { auditQuery } from './queries'
import type { AuditSearch } from './search-params'

const route = getRouteApi('/signed-in/shell/w/$workspace/audit-log')

/** The workspace's audit log, newest first, with filters kept in the URL. */
export function AuditLogPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.audit_log'))
  const workspace = useWorkspace()
  const mayRead = isAtLeast(workspace, 'admin')
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const log = useInfiniteQuery({ ...auditQuery(workspace, filters), enabled: mayRead })
  const members = useQuery({ ...membersQuery(workspace.slug), enabled: mayRead }).data ?? []
  const filter = (changed: AuditSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
  if (!mayRead) return <RoleRequired needs="admin" />
  if (isCode(log.error, 'feature_not_available'))
    return (
      <>
        <PageHeader title={t('pages.audit_log')} />
        <Card padding={0}>
          <EmptyState icon={<Gem size={26} />} title={t('audit.upgrade')}>
            {t('audit.upgrade_detail')}
          </EmptyState>
        </Card>
      </>
    )
  return (
    <>
      <PageHeader title={t('pages.audit_log')} about={t('audit.about')} />
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
