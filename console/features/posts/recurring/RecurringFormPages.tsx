import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../../api'
import { NotFoundPage } from '../../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import type { Loaded } from '../../../ui/forms/useRecordForm'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { useFormat } from '../../../ui/text/format'
import { accountsQuery } from '../../accounts/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { newValues } from './form-values'
import { impactQuery, type RecurringPost, recurringPostQuery } from './queries'
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
  const { from: since } = editRoute.useSearch()
  const navigate = editRoute.useNavigate()
  const from = since && `${since}.000Z`
  const accounts = useQuery(accountsQuery(workspace.slug))
  // Fills the form with the current record, not with a cached one.
  const recurring = useQuery({ ...recurringPostQuery(workspace.slug, id), staleTime: 0 })
  const impact = useQuery({ ...impactQuery(workspace.slug, id, from), enabled: from !== undefined })
  const error = accounts.error ?? recurring.error ?? impact.error
  const isLoaded = recurring.isFetchedAfterMount && (from === undefined || impact.isFetchedAfterMount)
  const ready = accounts.data && isLoaded && recurring.data
  if (!isAtLeast(workspace, 'author')) return <RoleRequired needs="author" />
  if (isStatus(error, 404) || isStatus(accounts.error ?? recurring.error, 400)) return <NotFoundPage />
  /** From the first occurrence on is all. */
  const part = from && impact.data && !impact.data.is_first ? { from, ...impact.data } : undefined
  return (
    <>
      <PageHeader title={t('recurring.edit_title')} about={t('recurring.edit_about')} />
      {error && (
        <ProblemAlert error={error} onRetry={() => void Promise.all([accounts.refetch(), recurring.refetch()])} />
      )}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && (
        <>
          <ScopeField
            recurring={recurring.data.record}
            from={part?.from}
            onChange={(chosen) => void navigate({ search: { from: chosen?.slice(0, 19) }, replace: true })}
          />
          <RecurringForm
            key={`${id} ${part?.from}`}
            start={partOf(recurring.data, part)}
            accounts={accounts.data}
            from={part?.from}
          />
        </>
      )}
    </>
  )
}

/** The record, or the part of it that begins with an occurrence. */
function partOf({ record, etag }: Loaded<RecurringPost>, part: { rule: string; starts_at: string } | undefined) {
  return { record: { ...record, ...(part && { rule: part.rule, starts_at: part.starts_at }) }, etag }
}

type ScopeProps = { recurring: RecurringPost; from: string | undefined; onChange: (from: string | undefined) => void }

/** Whether a change is for all posts to come, or for an occurrence and those that follow. */
function ScopeField({ recurring: { next_occurrences, timezone }, from, onChange }: ScopeProps) {
  const { t } = useTranslation()
  const format = useFormat(timezone)
  const times = [...new Set([...next_occurrences.map(({ occurs_at }) => occurs_at), ...(from ? [from] : [])])].sort()
  if (times.length === 0) return null
  return (
    <Select
      label={t('recurring.scope.label')}
      description={t('recurring.scope.about')}
      maw={420}
      mb="lg"
      allowDeselect={false}
      data={[
        { value: 'all', label: t('recurring.scope.all') },
        ...times.map((time) => ({ value: time, label: t('recurring.scope.from', { time: format.dateTime(time) }) })),
      ]}
      value={from ?? 'all'}
      onChange={(value) => onChange(!value || value === 'all' ? undefined : value)}
    />
  )
}
