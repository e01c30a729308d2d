import { Card, Text } from '@mantine/core'
import { CircleCheck, CircleX, Clock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { langOfEnglishText } from '../../../i18n'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useWorkspace } from '../../workspaces/queries'
import type { Checkout } from '../queries'

/** The end of a checkout: paid, failed or closed. */
export function ClosedCheckout({ checkout, name }: { checkout: Checkout; name: string }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { status, failure, purpose } = checkout
  const params = { workspace: slug }
  if (checkout.order_id) return <ClosedOrderCheckout checkout={checkout} order_id={checkout.order_id} />
  if (status === 'completed')
    return (
      <Card role="status">
        <EmptyState
          icon={<CircleCheck size={28} />}
          title={t(purpose === 'renewal' ? 'subscription.checkout.renewed' : 'subscription.checkout.completed', {
            plan: name,
          })}
          action={
            <ButtonLink to="/w/$workspace/billing" params={params}>
              {t('subscription.checkout.to_billing')}
            </ButtonLink>
          }
        >
          {t('subscription.checkout.completed_detail')}
        </EmptyState>
      </Card>
    )
  const isFailed = status === 'failed'
  return (
    <Card role="status">
      <EmptyState
        icon={isFailed ? <CircleX size={28} /> : <Clock size={28} />}
        title={t(isFailed ? 'subscription.checkout.failed' : 'subscription.checkout.expired')}
        action={
          purpose === 'renewal' ? (
            <ButtonLink to="/w/$workspace/billing" params={params}>
              {t('subscription.checkout.to_billing')}
            </ButtonLink>
          ) : (
            <ButtonLink to="/w/$workspace/billing/plans" params={params}>
              {t('subscription.checkout.again')}
            </ButtonLink>
          )
        }
      >
        {isFailed && failure && (
          <Text span inherit display="block" lang={langOfEnglishText()} className="text">
            {failure}
          </Text>
        )}
        {t(isFailed ? 'subscription.checkout.failed_detail' : 'subscription.checkout.expired_detail')}
      </EmptyState>
    </Card>
  )
}

function ClosedOrderCheckout({ checkout: { status }, order_id }: { checkout: Checkout; order_id: string }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const isPaid = status === 'completed'
  return (
    <Card role="status">
      <EmptyState
        icon={isPaid ? <CircleCheck size={28} /> : <CircleX size={28} />}
        title={t(isPaid ? 'subscription.checkout.order_paid' : 'subscription.checkout.order_unpaid')}
        action={
          <ButtonLink to="/w/$workspace/marketplace/orders/$order" params={{ workspace: slug, order: order_id }}>
            {t('subscription.checkout.to_order')}
          </ButtonLink>
        }
      >
        {t(isPaid ? 'subscription.checkout.order_paid_detail' : 'subscription.checkout.order_unpaid_detail')}
      </EmptyState>
    </Card>
  )
}
