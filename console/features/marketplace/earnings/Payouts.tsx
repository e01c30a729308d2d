import { Button, Card, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { useWorkspaceFormat } from '../../billing/format'
import { useMoney } from '../../plans/format'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../marketplace.module.css'
import { useCancelPayout } from '../mutations'
import { type Payout, payoutsQuery } from '../queries'
import { PayoutStatusBadge } from './PayoutStatusBadge'

export function Payouts() {
  const { t } = useTranslation()
  const payouts = useInfiniteQuery(payoutsQuery(useWorkspace().slug))
  const all = payouts.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Card component="section" aria-label={t('earnings.payouts')}>
      <Title order={2} size="h3" mb="sm">
        {t('earnings.payouts')}
      </Title>
      {payouts.error && <ProblemAlert error={payouts.error} onRetry={() => payouts.refetch()} />}
      {payouts.isPending && <LoadingSkeleton lines={1} height={60} />}
      {payouts.data && all.length === 0 && <Text c="dimmed">{t('earnings.no_payouts')}</Text>}
      <ul className={classes.list} aria-label={t('earnings.payouts')}>
        {all.map((payout) => (
          <PayoutRow key={payout.id} payout={payout} />
        ))}
      </ul>
      <LoadMore of={payouts} />
    </Card>
  )
}

function PayoutRow({ payout }: { payout: Payout }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useWorkspaceFormat()
  const [asking, dialog] = useDisclosure(false)
  const { id, amount, currency, status, holder, iban_masked, reference, failure_reason, created_at } = payout
  const cancel = useCancelPayout(id, () => {
    dialog.close()
    notifications.show({ message: t('earnings.canceled_done') })
  })
  return (
    <li className={classes.line}>
      <div>
        <div className={classes.head}>
          <Text fw={600}>{money(amount, currency)}</Text>
          <PayoutStatusBadge status={status} />
        </div>
        <Text fz="sm" c="dimmed">
          {format.date(created_at)} · {holder} {iban_masked}
        </Text>
        {reference && <Text fz="sm">{t('earnings.reference', { reference })}</Text>}
        {failure_reason && <Text fz="sm">{t('earnings.failure', { reason: failure_reason })}</Text>}
      </div>
      {status === 'pending' && (
        <Button variant="default" size="compact-md" onClick={dialog.open}>
          {t('earnings.cancel')}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={dialog.close}
        title={t('earnings.cancel_ask')}
        confirm={t('earnings.cancel')}
        stay={t('earnings.keep')}
        mutation={cancel}
        onConfirm={() => cancel.mutate()}
      >
        <Text>{t('earnings.cancel_detail')}</Text>
      </ConfirmDialog>
    </li>
  )
}
