import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { gigQuery } from '../queries'
import { SellingUpgrade, useMaySell } from '../SellingUpgrade'
import { newValues } from './form-values'
import { GigForm } from './GigForm'

const editRoute = getRouteApi('/signed-in/shell/w/$workspace/marketplace/gigs/$gig/edit')

export function NewGigPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('gigs.new'))
  const workspace = useWorkspace()
  const maySell = useMaySell()
  if (!isAtLeast(workspace, 'admin')) return <RoleRequired needs="admin" />
  return (
    <>
      <PageHeader title={t('gigs.new')} about={t('gigs.about')} />
      {maySell === false ? <SellingUpgrade /> : <GigForm start={{ values: newValues }} />}
    </>
  )
}

export function EditGigPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('gigs.edit_title'))
  const workspace = useWorkspace()
  const { gig: id } = editRoute.useParams()
  // Fills the form with the current record, not with a cached one.
  const gig = useQuery({ ...gigQuery(workspace.slug, id), staleTime: 0 })
  const ready = gig.isFetchedAfterMount && gig.data
  if (!isAtLeast(workspace, 'admin')) return <RoleRequired needs="admin" />
  return (
    <>
      <PageHeader title={t('gigs.edit_title')} />
      {gig.error && <ProblemAlert error={gig.error} onRetry={() => gig.refetch()} />}
      {!ready && !gig.error && <LoadingSkeleton lines={3} height={120} />}
      {ready && <GigForm key={id} start={gig.data} />}
    </>
  )
}
