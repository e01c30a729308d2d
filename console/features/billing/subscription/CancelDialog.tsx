import { Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import type { PublicPlan, Usage } from '../../plans/queries'
import { useWorkspace } from '../../workspaces/queries'
import { useWorkspaceFormat } from '../format'
import { useCancelSubscription } from '../mutations'
import { PlanChangeList } from '../PlanChangeList'
import { type Subscription, termsQuery } from '../queries'

type Props = {
  subscription: Subscription
  plans: PublicPlan[]
  usage: Usage
  name: string
  opened: boolean
  onClose: () => void
}

/** Asks before canceling, and shows the end of the subscription and the losses after it. */
export function CancelDialog({ subscription, plans, usage, name, opened, onClose }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useWorkspaceFormat()
  const terms = useQuery({ ...termsQuery(slug), enabled: opened }).data
  const isNow = subscription.status === 'past_due'
  const date = format.date(subscription.current_period_end)
  const cancel = useCancelSubscription(() => {
    onClose()
    notifications.show({ message: isNow ? t('subscription.canceled_now') : t('subscription.canceled', { date }) })
  })
  const from = plans.find(({ code }) => code === subscription.plan_code)
  const to = plans.find(({ code }) => code === terms?.default_plan)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('subscription.cancel_ask', { plan: name })}
      confirm={t('subscription.cancel')}
      stay={t('subscription.keep_subscription')}
      mutation={cancel}
      onConfirm={() => cancel.mutate()}
    >
      <Stack>
        <Text>{isNow ? t('subscription.cancel_now_detail') : t('subscription.cancel_detail', { date })}</Text>
        {to && <Text>{t('subscription.cancel_then', { plan: to.name })}</Text>}
        {from && to && from.code !== to.code && <PlanChangeList from={from} to={to} usage={usage} />}
      </Stack>
    </ConfirmDialog>
  )
}
