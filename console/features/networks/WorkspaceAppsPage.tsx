import { Card } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { languageOf } from '../../i18n'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../ui/feedback/RoleRequired'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { NetworkAppRow } from './apps/NetworkAppRow'
import { callsOfWorkspace, workspaceAppsQuery } from './apps/queries'

/** The own apps of a workspace, with which its members sign in before those of the instance. */
export function WorkspaceAppsPage() {
  const { t, i18n } = useTranslation()
  useDocumentTitle(t('pages.workspace_apps'))
  const workspace = useWorkspace()
  const maySet = isAtLeast(workspace, 'admin')
  const apps = useQuery({ ...workspaceAppsQuery(workspace.slug, languageOf(i18n.language)), enabled: maySet })
  if (!maySet) return <RoleRequired needs="admin" />
  return (
    <>
      <PageHeader title={t('pages.workspace_apps')} about={t('network_apps.about_own')} />
      {apps.error && <ProblemAlert error={apps.error} onRetry={() => void apps.refetch()} />}
      {apps.isPending && <LoadingSkeleton lines={6} height={64} />}
      {apps.data && (
        <Card padding={0}>
          {apps.data.map((app) => (
            <NetworkAppRow key={app.network} app={app} calls={callsOfWorkspace(workspace.slug)} />
          ))}
        </Card>
      )}
    </>
  )
}
