import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { FileSpreadsheet } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { useMoney } from '../../plans/format'
import { type AdminPayout, invalidateMarketplaceAdmin } from './admin-queries'

type Props = { payouts: AdminPayout[]; onExport: (batch_id: string) => void }

/** A button for each currency with pending payouts. */
export const ExportPayouts = ({ payouts, onExport }: Props) => {
  const currencies = new Set(payouts.filter(({ status }) => status === 'pending').map(({ currency }) => currency))
  return [...currencies].map((currency) => <ExportButton key={currency} currency={currency} onExport={onExport} />)
}

function ExportButton({ currency, onExport }: Pick<AdminPayout, 'currency'> & Pick<Props, 'onExport'>) {
  const { t } = useTranslation()
  const money = useMoney()
  const once = useIdempotencyKey()
  const [asking, ask] = useDisclosure(false)
  const exporting = useMutation({
    mutationFn: () =>
      once({ currency }, (headers) =>
        unwrap(api.POST('/api/v1/admin/marketplace/payouts/export', { body: { currency }, headers })),
      ),
    onSuccess: async ({ batch_id, payouts, amount }) => {
      ask.close()
      await invalidateMarketplaceAdmin()
      const message = batch_id
        ? t('admin.marketplace.exported', { count: payouts, amount: money(amount, currency) })
        : t('admin.marketplace.exported_none')
      notifications.show({ message })
      if (batch_id) onExport(batch_id)
    },
  })
  return (
    <>
      <Button leftSection={<FileSpreadsheet size={16} />} onClick={ask.open}>
        {t('admin.marketplace.export', { currency })}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={ask.close}
        title={t('admin.marketplace.export_ask', { currency })}
        confirm={t('admin.marketplace.export_confirm')}
        mutation={exporting}
        onConfirm={() => exporting.mutate()}
      >
        <Text>{t('admin.marketplace.export_detail')}</Text>
      </ConfirmDialog>
    </>
  )
}
