import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { eventTypesQuery, webhookQuery } from '../queries'
import { newValues } from './form-values'
import { WebhookForm } from './WebhookForm'

const editRoute = getRouteApi('/signed-in/shell/w/$workspace/webhooks/$webhook/edit')

export function NewWebhookPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('webhooks.new'))
  const workspace = useWorkspace()
  const types = useQuery(eventTypesQuery(workspace.slug))
  if (!isAtLeast(workspace, 'admin')) return <RoleRequired needs="admin" />
  return (
    <>
      <PageHeader title={t('webhooks.new')} about={t('webhooks.about')} />
      {types.error && <ProblemAlert error={types.error} onRetry={() => types.refetch()} />}
      {types.isPending && <LoadingSkeleton lines={3} height={120} />}
      {types.data && <WebhookForm types={types.data} start={{ values: newValues }} />}
    </>
  )
}

export function EditWebhookPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('webhooks.edit_title'))
  const workspace = useWorkspace()
  const { webhook: id } = editRoute.useParams()
  const types = useQuery(eventTypesQuery(workspace.slug))
  // Fills the form with the current record, not with a cached one.
  const webhook = useQuery({ ...webhookQuery(workspace.slug, id), staleTime: 0 })
  const error = types.error ?? webhook.error
  const ready = types.data && webhook.isFetchedAfterMount && webhook.data
  if (!isAtLeast(workspace, 'admin')) return <RoleRequired needs="admin" />
  return (
    <>
      <PageHeader title={t('webhooks.edit_title')} />
      {error && <ProblemAlert error={error} onRetry={() => void Promise.all([types.refetch(), webhook.refetch()])} />}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && <WebhookForm key={id} types={types.data} start={webhook.data} />}
    </>
  )
}
