import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import { PromptDialog } from '../../billing/admin/PromptDialog'
import classes from '../../billing/Billing.module.css'
import { useMoney } from '../../plans/format'
import { PayoutStatusBadge } from '../earnings/PayoutStatusBadge'
import { type AdminPayout, invalidateMarketplaceAdmin } from './admin-queries'

/** A payout with the account to transfer to, as long as it is not decided. */
export function PayoutRow({ payout }: { payout: AdminPayout }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useFormat(useMe().timezone)
  const { amount, currency, status, holder, iban, iban_masked, note, user_name, workspace_name } = payout
  const { batch_id, reference, failure_reason, created_at } = payout
  const isOpen = status === 'pending' || status === 'processing'
  return (
    <>
      <div className={classes.what}>
        <Group gap="xs">
          <Text fw={600} className="text">
            {holder}
          </Text>
          <PayoutStatusBadge status={status} />
        </Group>
        <Text fz="sm" className="text">
          {inGroups(iban) ?? note ?? iban_masked}
        </Text>
        <Text c="dimmed" fz="sm" className="text">
          {user_name ?? t('orders.gone')} · {workspace_name ?? t('orders.gone')} ·{' '}
          <span title={format.full(created_at)}>{format.ago(created_at)}</span>
          {batch_id && (
            <>
              {' · '}
              <AnchorLink to="/admin/marketplace/payouts" search={{ batch: batch_id }} fz="sm">
                {t('admin.marketplace.batch', { id: batch_id.slice(-8).toUpperCase() })}
              </AnchorLink>
            </>
          )}
        </Text>
        {reference && (
          <Text fz="sm" className="text">
            {t('earnings.reference', { reference })}
          </Text>
        )}
        {failure_reason && (
          <Text fz="sm" className="text">
            {t('earnings.failure', { reason: failure_reason })}
          </Text>
        )}
      </div>
      <span className={classes.money}>{money(amount, currency)}</span>
      {isOpen && <Outcome payout={payout} />}
    </>
  )
}

/** An IBAN in groups of four, as on paper. */
const inGroups = (iban: string | null) => iban?.replace(/(.{4})(?=.)/g, '$1 ')

/** Notes how the transfer ended. */
function Outcome({ payout: { id, amount, currency, holder } }: { payout: AdminPayout }) {
  const { t } = useTranslation()
  const money = useMoney()
  const [isPaid, paid] = useDisclosure(false)
  const [isFailed, failed] = useDisclosure(false)
  const params = { path: { id } }
  const sum = money(amount, currency)
  const done = (message: string) => () => {
    notifications.show({ message })
    return invalidateMarketplaceAdmin()
  }
  return (
    <Group gap="xs">
      <Button variant="default" onClick={failed.open} aria-label={t('admin.marketplace.payout_failed_one', { holder })}>
        {t('admin.marketplace.payout_failed')}
      </Button>
      <Button onClick={paid.open} aria-label={t('admin.marketplace.payout_paid_one', { holder })}>
        {t('admin.marketplace.payout_paid')}
      </Button>
      <PromptDialog
        opened={isPaid}
        onClose={paid.close}
        title={t('admin.marketplace.payout_paid_ask', { amount: sum, holder })}
        detail={t('admin.marketplace.payout_paid_detail')}
        fields={[{ name: 'reference', label: t('admin.billing.bank_reference'), required: true }]}
        action={t('admin.marketplace.payout_paid')}
        send={({ reference = '' }) =>
          unwrap(api.POST('/api/v1/admin/marketplace/payouts/{id}/paid', { params, body: { reference } }))
        }
        onDone={done(t('admin.marketplace.payout_paid_done', { holder }))}
      />
      <PromptDialog
        opened={isFailed}
        onClose={failed.close}
        title={t('admin.marketplace.payout_failed_ask', { amount: sum, holder })}
        detail={t('admin.marketplace.payout_failed_detail')}
        fields={[
          {
            name: 'reason',
            label: t('admin.billing.reason'),
            about: t('admin.marketplace.seller_reads'),
            required: true,
          },
        ]}
        action={t('admin.marketplace.payout_failed')}
        color="coral"
        send={({ reason = '' }) =>
          unwrap(api.POST('/api/v1/admin/marketplace/payouts/{id}/failed', { params, body: { reason } }))
        }
        onDone={done(t('admin.marketplace.payout_failed_done', { holder }))}
      />
    </Group>
  )
}
