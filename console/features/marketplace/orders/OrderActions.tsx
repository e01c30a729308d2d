import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useWorkspace } from '../../workspaces/queries'
import { DeliverDialog } from './DeliverDialog'
import { invalidateOrders, type Order } from './order-queries'
import { ReasonDialog } from './ReasonDialog'

/** Actions with a text that the other side reads, in display order. */
const withReason = ['request_revision', 'submit_requirements', 'dispute', 'cancel'] as const
export type ReasonAction = (typeof withReason)[number]

const plain = [
  'accept',
  'complete',
  'withdraw',
  'withdraw_dispute',
  'accept_proposal',
  'reject_proposal',
  'withdraw_proposal',
] as const
type PlainAction = (typeof plain)[number]

/** Calls an action that takes no input. */
function usePlainAction(order: Order) {
  const { slug } = useWorkspace()
  const client = workspaceApi(slug)
  const params = { path: { id: order.id } }
  const proposal = { path: { id: order.id, proposal_id: order.proposal?.id ?? '' } }
  const calls: Record<PlainAction, () => Promise<unknown>> = {
    accept: () => unwrap(client.PATCH('/api/v1/marketplace/orders/{id}/accept', { params })),
    complete: () => unwrap(client.PATCH('/api/v1/marketplace/orders/{id}/complete', { params })),
    withdraw: () => unwrap(client.POST('/api/v1/marketplace/orders/{id}/withdraw', { params })),
    withdraw_dispute: () => unwrap(client.POST('/api/v1/marketplace/orders/{id}/dispute/withdraw', { params })),
    accept_proposal: () =>
      unwrap(client.POST('/api/v1/marketplace/orders/{id}/proposals/{proposal_id}/accept', { params: proposal })),
    reject_proposal: () =>
      unwrap(client.POST('/api/v1/marketplace/orders/{id}/proposals/{proposal_id}/reject', { params: proposal })),
    withdraw_proposal: () =>
      unwrap(client.POST('/api/v1/marketplace/orders/{id}/proposals/{proposal_id}/withdraw', { params: proposal })),
  }
  return useMutation({
    mutationFn: (name: PlainAction) => calls[name](),
    // The other side may have acted before.
    onSettled: () => invalidateOrders(slug),
  })
}

/** The buttons of what the caller can do on an order now. */
export function OrderActions({ order }: { order: Order }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const onError = useErrorNotification()
  const act = usePlainAction(order)
  const [asking, setAsking] = useState<ReasonAction | 'deliver'>()
  const can = (name: string) => (order.actions as string[]).includes(name)
  const isUnpaid = order.status === 'pending_payment' && order.checkout !== null
  const simple = plain.filter((name) => can(name) || (name === 'withdraw' && isUnpaid))
  return (
    <Group gap="sm">
      {isUnpaid && (
        <ButtonLink
          to="/w/$workspace/billing/checkouts/$checkout"
          params={{ workspace: slug, checkout: order.checkout?.id ?? '' }}
          reloadDocument={order.checkout?.kind === 'iframe'}
        >
          {t('orders.action.pay')}
        </ButtonLink>
      )}
      {can('deliver') && <Button onClick={() => setAsking('deliver')}>{t('orders.action.deliver')}</Button>}
      {simple.map((name) => (
        <Button
          key={name}
          variant={name === 'accept' || name === 'complete' ? 'filled' : 'default'}
          loading={act.isPending && act.variables === name}
          onClick={() => act.mutate(name, { onError })}
        >
          {t(`orders.action.${name}`)}
        </Button>
      ))}
      {withReason.filter(can).map((name) => (
        <Button key={name} variant="default" onClick={() => setAsking(name)}>
          {t(`orders.action.${name}`)}
        </Button>
      ))}
      {asking === 'deliver' && <DeliverDialog order={order} onClose={() => setAsking(undefined)} />}
      {asking && asking !== 'deliver' && (
        <ReasonDialog order={order} action={asking} onClose={() => setAsking(undefined)} />
      )}
    </Group>
  )
}
