import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../../api'
import { NotFoundPage } from '../../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { adminPlanQuery } from '../queries'
import { newValues, toCopy } from './form-values'
import { PlanForm } from './PlanForm'

const newRoute = getRouteApi('/signed-in/shell/admin/plans/new')
const editRoute = getRouteApi('/signed-in/shell/admin/plans/$plan')

export function NewPlanPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('admin.plans.new'))
  const { from } = newRoute.useSearch()
  const model = useQuery({ ...adminPlanQuery(from ?? ''), enabled: from !== undefined })
  return (
    <>
      <PageHeader
        title={t('admin.plans.new')}
        about={model.data ? t('admin.plans.new_from', { name: model.data.record.name }) : t('admin.plans.new_about')}
      />
      {from && model.error && <ProblemAlert error={model.error} onRetry={() => model.refetch()} />}
      {from && model.isPending && <LoadingSkeleton lines={3} height={160} />}
      {!from && <PlanForm key="new" start={{ values: newValues() }} />}
      {from && model.data && <PlanForm key={from} start={{ values: toCopy(model.data.record) }} />}
    </>
  )
}

export function EditPlanPage() {
  const { t } = useTranslation()
  const { plan: code } = editRoute.useParams()
  // Fills the form with the current record, not with a cached one.
  const plan = useQuery({ ...adminPlanQuery(code), staleTime: 0 })
  const ready = plan.isFetchedAfterMount && plan.data
  const name = plan.data?.record.name ?? code
  useDocumentTitle(name)
  if (!plan.data && (isStatus(plan.error, 404) || isStatus(plan.error, 400))) return <NotFoundPage />
  return (
    <>
      <PageHeader title={name} about={t('admin.plans.edit_about')} />
      {plan.error && <ProblemAlert error={plan.error} onRetry={() => plan.refetch()} />}
      {!ready && !plan.error && <LoadingSkeleton lines={3} height={160} />}
      {ready && <PlanForm key={code} start={plan.data} />}
    </>
  )
}
