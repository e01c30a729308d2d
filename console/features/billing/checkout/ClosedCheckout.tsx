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
  if (status === 'completed')
    return (
      <Card role="status">
        <EmptyState
          icon={<CircleCheck size={28} />}
          title={t(purpose === 'renewal' ? 'billing.checkout.renewed' : 'billing.checkout.completed', { plan: name })}
          action={
            <ButtonLink to="/w/$workspace/billing" params={params}>
              {t('billing.checkout.to_billing')}
            </ButtonLink>
          }
        >
          {t('billing.checkout.completed_detail')}
        </EmptyState>
      </Card>
    )
  const isFailed = status === 'failed'
  return (
    <Card role="status">
      <EmptyState
        icon={isFailed ? <CircleX size={28} /> : <Clock size={28} />}
        title={t(isFailed ? 'billing.checkout.failed' : 'billing.checkout.expired')}
        action={
          purpose === 'renewal' ? (
            <ButtonLink to="/w/$workspace/billing" params={params}>
              {t('billing.checkout.to_billing')}
            </ButtonLink>
          ) : (
            <ButtonLink to="/w/$workspace/billing/plans" params={params}>
              {t('billing.checkout.again')}
            </ButtonLink>
          )
        }
      >
        {isFailed && failure && (
          <Text span inherit display="block" lang={langOfEnglishText()} className="text">
            {failure}
          </Text>
        )}
        {t(isFailed ? 'billing.checkout.failed_detail' : 'billing.checkout.expired_detail')}
      </EmptyState>
    </Card>
  )
}
