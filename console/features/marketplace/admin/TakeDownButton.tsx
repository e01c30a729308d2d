import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { PromptDialog } from '../../billing/admin/PromptDialog'
import { invalidateMarketplaceAdmin } from './admin-queries'

/** Hides a gig with a reason for its owner. */
export function TakeDownButton({ id, title }: { id: string; title: string }) {
  const { t } = useTranslation()
  const [asking, ask] = useDisclosure(false)
  return (
    <>
      <Button variant="default" onClick={ask.open} aria-label={t('admin.marketplace.take_down_one', { title })}>
        {t('admin.marketplace.take_down')}
      </Button>
      <PromptDialog
        opened={asking}
        onClose={ask.close}
        title={t('admin.marketplace.take_down_ask', { title })}
        detail={t('admin.marketplace.take_down_detail')}
        fields={[
          {
            name: 'reason',
            label: t('admin.billing.reason'),
            about: t('admin.marketplace.seller_reads'),
            required: true,
          },
        ]}
        action={t('admin.marketplace.take_down')}
        color="coral"
        send={({ reason = '' }) =>
          unwrap(
            api.POST('/api/v1/admin/marketplace/gigs/{id}/take-down', { params: { path: { id } }, body: { reason } }),
          )
        }
        onDone={() => {
          notifications.show({ message: t('admin.marketplace.taken_down', { title }) })
          return invalidateMarketplaceAdmin()
        }}
      />
    </>
  )
}
