import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { Dialog } from '../../../ui/dialog/Dialog'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useMoney } from '../../plans/format'
import { useWorkspace } from '../../workspaces/queries'
import { type AskingAction, askingActions } from './forms/asking-actions'
import { DeliverForm } from './forms/DeliverForm'
import { ProposalForm } from './forms/ProposalForm'
import { ReasonForm } from './forms/ReasonForm'
import { ReviewForm } from './forms/ReviewForm'
import { invalidateOrders, type Order } from './order-queries'

/** Actions without input, in display order. */
const plainActions = [
  'accept',
  'complete',
  'accept_proposal',
  'reject_proposal',
  'withdraw_proposal',
  'withdraw_dispute',
  'withdraw',
] as const
type PlainAction = (typeof plainActions)[number]

/** Actions that end the order. Each is confirmed first. */
const finalActions = ['complete', 'accept_proposal', 'withdraw'] as const
type FinalAction = (typeof finalActions)[number]
const isFinal = (name: string | undefined): name is FinalAction => finalActions.some((final) => final === name)

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
  const money = useMoney()
  const { slug } = useWorkspace()
  const onError = useErrorNotification()
  const act = usePlainAction(order)
  const [asked, setAsked] = useState<AskingAction | FinalAction>('deliver')
  const [opened, dialog] = useDisclosure(false)
  const ask = (name: AskingAction | FinalAction) => {
    setAsked(name)
    dialog.open()
  }
  const can = (name: string) => (order.actions as string[]).includes(name)
  const isUnpaid = order.status === 'pending_payment' && order.checkout !== null
  const plain = plainActions.filter((name) => can(name) || (name === 'withdraw' && isUnpaid))
  const asking = askingActions.filter(can)
  const refund = money(order.proposal?.refund_amount ?? 0, order.currency)
  return (
    <>
      {plain.length + asking.length > 0 && (
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
          {plain.map((name) => (
            <Button
              key={name}
              variant={name === 'accept' || name === 'complete' ? 'filled' : 'default'}
              loading={act.isPending && act.variables === name}
              onClick={() => (isFinal(name) ? ask(name) : act.mutate(name, { onError }))}
            >
              {t(`orders.action.${name}`)}
            </Button>
          ))}
          {asking.map((name) => (
            <Button key={name} variant={name === 'deliver' ? 'filled' : 'default'} onClick={() => ask(name)}>
              {t(`orders.action.${name}`)}
            </Button>
          ))}
        </Group>
      )}
      {isFinal(asked) ? (
        <ConfirmDialog
          opened={opened}
          onClose={dialog.close}
          title={t(`orders.action.${asked}`)}
          confirm={t(`orders.action.${asked}`)}
          stay={t('orders.close')}
          mutation={act}
          onConfirm={() => act.mutate(asked, { onSuccess: dialog.close })}
        >
          <Text>{t(`orders.ask.${asked}`, { amount: refund })}</Text>
        </ConfirmDialog>
      ) : (
        <Dialog
          opened={opened}
          onClose={dialog.close}
          title={t(`orders.action.${asked}`)}
          size={asked === 'deliver' ? 'lg' : 'md'}
        >
          <AskingForm order={order} action={asked} onClose={dialog.close} />
        </Dialog>
      )}
    </>
  )
}

function AskingForm({ action, ...props }: { order: Order; action: AskingAction; onClose: () => void }) {
  if (action === 'deliver') return <DeliverForm {...props} />
  if (action === 'propose') return <ProposalForm {...props} />
  if (action === 'review') return <ReviewForm {...props} />
  return <ReasonForm action={action} {...props} />
}
