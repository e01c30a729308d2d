import { Alert, Button, Group } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Banknote, Download, FileSpreadsheet } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { ListCard } from '../../billing/admin/ListCard'
import { allPayoutsQuery, payoutStatuses } from './admin-queries'
import { ExportPayouts } from './ExportPayouts'
import { PayoutRow } from './PayoutRow'
import { StatusFilter, statusOf } from './StatusFilter'

const route = getRouteApi('/signed-in/shell/admin/marketplace/payouts')

/** The payouts that sellers requested. Those to be transferred are put into a batch for the bank. */
export function PayoutsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.payouts'))
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { batch } = search
  const status = batch ? undefined : statusOf(payoutStatuses, search.status)
  const payouts = useInfiniteQuery(allPayoutsQuery({ status, batch_id: batch }))
  return (
    <>
      <PageHeader title={t('pages.payouts')} about={t('admin.marketplace.payouts_about')}>
        <ExportPayouts
          payouts={payouts.data?.pages.flatMap(({ data }) => data) ?? []}
          onExport={(id) => void navigate({ search: { batch: id } })}
        />
      </PageHeader>
      {batch ? (
        <Batch id={batch} />
      ) : (
        <Group mb="md" role="search">
          <StatusFilter
            statuses={payoutStatuses}
            label={(value) => t(`earnings.status.${value}`)}
            value={status}
            onChange={(chosen) => void navigate({ search: { status: chosen }, replace: true })}
          />
        </Group>
      )}
      <ListCard
        of={payouts}
        icon={Banknote}
        label={t('pages.payouts')}
        none={t('admin.marketplace.no_payouts')}
        noneDetail={t('admin.marketplace.no_payouts_detail')}
        row={(payout) => <PayoutRow payout={payout} />}
      />
    </>
  )
}

function Batch({ id }: { id: string }) {
  const { t } = useTranslation()
  const { csvSeparator } = useFormat()
  return (
    <Alert
      color="iznik"
      icon={<FileSpreadsheet size={18} />}
      title={t('admin.marketplace.batch', { id: id.slice(-8).toUpperCase() })}
      mb="md"
    >
      <p>{t('admin.marketplace.batch_about')}</p>
      <Group gap="md">
        <Button
          component="a"
          href={`/api/v1/admin/marketplace/payout-batches/${id}?separator=${csvSeparator}`}
          download
          variant="default"
          leftSection={<Download size={16} />}
        >
          {t('admin.marketplace.batch_download')}
        </Button>
        <AnchorLink to="/admin/marketplace/payouts">{t('admin.marketplace.all_payouts')}</AnchorLink>
      </Group>
    </Alert>
  )
}
