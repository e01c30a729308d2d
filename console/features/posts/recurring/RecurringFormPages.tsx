import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../../api'
import { NotFoundPage } from '../../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { accountsQuery } from '../../accounts/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { newValues } from './form-values'
import { recurringPostQuery } from './queries'
import { RecurringForm } from './RecurringForm'

const editRoute = getRouteApi('/signed-in/shell/w/$workspace/recurring-posts/$recurring/edit')

export function NewRecurringPostPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('recurring.new'))
  const workspace = useWorkspace()
  const accounts = useQuery(accountsQuery(workspace.slug))
  if (!isAtLeast(workspace, 'author')) return <RoleRequired needs="author" />
  const connected = accounts.data?.filter(({ status }) => status === 'connected') ?? []
  const [only] = connected
  const chosen = connected.length === 1 && only ? [only.id] : []
  return (
    <>
      <PageHeader title={t('recurring.new')} about={t('recurring.new_about')} />
      {accounts.error && <ProblemAlert error={accounts.error} onRetry={() => accounts.refetch()} />}
      {accounts.isPending && <LoadingSkeleton lines={3} height={120} />}
      {accounts.data && (
        <RecurringForm start={{ values: newValues(workspace.timezone, chosen) }} accounts={accounts.data} />
      )}
    </>
  )
}

export function EditRecurringPostPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('recurring.edit_title'))
  const workspace = useWorkspace()
  const { recurring: id } = editRoute.useParams()
  const accounts = useQuery(accountsQuery(workspace.slug))
  // Fills the form with the current record, not with a cached one.
  const recurring = useQuery({ ...recurringPostQuery(workspace.slug, id), staleTime: 0 })
  const error = accounts.error ?? recurring.error
  const ready = accounts.data && recurring.isFetchedAfterMount && recurring.data
  if (!isAtLeast(workspace, 'author')) return <RoleRequired needs="author" />
  if (isStatus(error, 404) || isStatus(error, 400)) return <NotFoundPage />
  return (
    <>
      <PageHeader title={t('recurring.edit_title')} about={t('recurring.edit_about')} />
      {error && (
        <ProblemAlert error={error} onRetry={() => void Promise.all([accounts.refetch(), recurring.refetch()])} />
      )}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && <RecurringForm key={id} start={recurring.data} accounts={accounts.data} />}
    </>
  )
}
