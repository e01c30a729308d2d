import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { accountsQuery } from '../../accounts/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { agentQuery } from '../queries'
import { AgentForm } from './AgentForm'
import { newValues } from './form-values'

const editRoute = getRouteApi('/signed-in/shell/w/$workspace/agents/$agent/edit')

export function NewAgentPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('agents.new'))
  const workspace = useWorkspace()
  const accounts = useQuery(accountsQuery(workspace.slug))
  if (!isAtLeast(workspace, 'editor')) return <RoleRequired needs="editor" />
  const connected = accounts.data?.filter(({ status }) => status === 'connected').map(({ id }) => id)
  return (
    <>
      <PageHeader title={t('agents.new')} about={t('agents.new_about')} />
      {accounts.error && <ProblemAlert error={accounts.error} onRetry={() => accounts.refetch()} />}
      {accounts.isPending && <LoadingSkeleton lines={3} height={120} />}
      {accounts.data && connected && (
        <AgentForm start={{ values: newValues(workspace.timezone, connected) }} accounts={accounts.data} />
      )}
    </>
  )
}

export function EditAgentPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('agents.edit_title'))
  const workspace = useWorkspace()
  const { agent: id } = editRoute.useParams()
  const accounts = useQuery(accountsQuery(workspace.slug))
  // Fills the form with the current record, not with a cached one.
  const agent = useQuery({ ...agentQuery(workspace.slug, id), staleTime: 0 })
  const error = accounts.error ?? agent.error
  const ready = accounts.data && agent.isFetchedAfterMount && agent.data
  if (!isAtLeast(workspace, 'editor')) return <RoleRequired needs="editor" />
  return (
    <>
      <PageHeader title={t('agents.edit_title')} />
      {error && <ProblemAlert error={error} onRetry={() => void Promise.all([accounts.refetch(), agent.refetch()])} />}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && <AgentForm key={id} start={agent.data} accounts={accounts.data} />}
    </>
  )
}
