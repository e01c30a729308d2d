import { Group, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Flag, Store } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FilterSelect } from '../../../../ui/fields/filters'
import { SearchField } from '../../../../ui/fields/SearchField'
import { PageHeader } from '../../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../../ui/layout/useDocumentTitle'
import { ListCard } from '../../../billing/admin/ListCard'
import { allGigsQuery, reportStatuses, reportsQuery } from '../admin-queries'
import { StatusFilter, statusOf } from '../StatusFilter'
import { AdminGigRow } from './AdminGigRow'
import { ReportRow } from './ReportRow'

const route = getRouteApi('/signed-in/shell/admin/marketplace/moderation')

/** The reports of gigs, and the gigs of all workspaces. */
export function ModerationPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.moderation'))
  const { view = 'reports' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <PageHeader title={t('pages.moderation')} about={t('admin.marketplace.moderation_about')}>
        <SegmentedControl
          aria-label={t('admin.marketplace.view')}
          value={view}
          onChange={(chosen) =>
            void navigate({ search: { view: chosen === 'gigs' ? 'gigs' : undefined }, replace: true })
          }
          data={[
            { value: 'reports', label: t('admin.marketplace.reports') },
            { value: 'gigs', label: t('admin.marketplace.all_gigs') },
          ]}
        />
      </PageHeader>
      {view === 'reports' ? <Reports /> : <Gigs />}
    </>
  )
}

function Reports() {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const status = statusOf(reportStatuses, route.useSearch().status)
  return (
    <>
      <Group mb="md" role="search">
        <StatusFilter
          statuses={reportStatuses}
          label={(value) => t(`admin.marketplace.report.${value}`)}
          value={status}
          onChange={(chosen) => void navigate({ search: { status: chosen }, replace: true })}
        />
      </Group>
      <ListCard
        of={useInfiniteQuery(reportsQuery(status))}
        icon={Flag}
        label={t('admin.marketplace.reports')}
        none={t('admin.marketplace.no_reports')}
        noneDetail={t('admin.marketplace.no_reports_detail')}
        row={(report) => <ReportRow report={report} />}
      />
    </>
  )
}

function Gigs() {
  const { t } = useTranslation()
  const { search, shown } = route.useSearch()
  const navigate = route.useNavigate()
  const taken_down = shown === undefined ? undefined : shown === 'hidden'
  return (
    <>
      <Group mb="md" gap="sm" role="search">
        <SearchField
          label={t('admin.marketplace.search_gigs')}
          value={search ?? ''}
          onChange={(text) => void navigate({ search: { view: 'gigs', shown, search: text }, replace: true })}
        />
        <FilterSelect
          aria-label={t('admin.billing.by_status')}
          placeholder={t('admin.billing.any_status')}
          data={[
            { value: 'hidden', label: t('gigs.status.taken_down') },
            { value: 'others', label: t('admin.marketplace.not_taken_down') },
          ]}
          value={shown ?? null}
          onChange={(chosen) =>
            void navigate({
              search: { view: 'gigs', search, shown: chosen === 'hidden' || chosen === 'others' ? chosen : undefined },
              replace: true,
            })
          }
        />
      </Group>
      <ListCard
        of={useInfiniteQuery(allGigsQuery({ search, taken_down }))}
        icon={Store}
        label={t('admin.marketplace.all_gigs')}
        none={t('admin.marketplace.no_gigs')}
        noneDetail={t('admin.marketplace.no_gigs_detail')}
        row={(gig) => <AdminGigRow gig={gig} />}
      />
    </>
  )
}
