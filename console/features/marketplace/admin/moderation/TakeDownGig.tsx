import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../../api'
import { invalidateMarketplaceAdmin } from '../admin-queries'
import { TakeDownButton } from './TakeDownButton'

/** Hides a gig with a reason for its owner. */
export function TakeDownGig({ id, title }: { id: string; title: string }) {
  const { t } = useTranslation()
  return (
    <TakeDownButton
      title={title}
      detail={t('admin.marketplace.take_down_detail')}
      about={t('admin.marketplace.seller_reads')}
      send={(reason) =>
        unwrap(
          api.POST('/api/v1/admin/marketplace/gigs/{id}/take-down', { params: { path: { id } }, body: { reason } }),
        )
      }
      onDone={invalidateMarketplaceAdmin}
    />
  )
}
