import { Anchor, Button, Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../../api'
import { ProblemText } from '../../../ui/feedback/ProblemAlert'
import { useMoney } from '../../plans/format'
import { useWorkspace } from '../../workspaces/queries'
import { useWorkspaceFormat } from '../format'
import { paymentMethodQuery, type Subscription } from '../queries'

/** Whether the provider charges automatically, so that it keeps a payment method. */
const renewsItself = ({ provider }: Subscription) => provider === 'stripe' || provider === 'iyzico'

/** The next payment and its payment method. */
export function PaymentCard({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation()
  return (
    <Card component="section" aria-labelledby="payment">
      <Stack gap="md" h="100%">
        <div>
          <Text c="dimmed" fz="sm" component="h2" id="payment" m={0}>
            {t('subscription.next_payment')}
          </Text>
          <NextPayment subscription={subscription} />
        </div>
        <div>
          <Text c="dimmed" fz="sm">
            {t('subscription.payment_method')}
          </Text>
          {renewsItself(subscription) ? (
            <Method />
          ) : (
            <Text>{t(`subscription.paid_by.${subscription.provider === 'paytr' ? 'paytr' : 'manual'}`)}</Text>
          )}
        </div>
      </Stack>
    </Card>
  )
}

function NextPayment({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useWorkspaceFormat()
  const { status, amount, billing_currency, cancel_at_period_end, current_period_end, pay_url } = subscription
  const date = format.date(current_period_end)
  if (cancel_at_period_end || amount === 0)
    return (
      <Title order={3} size="h2">
        {t('subscription.no_payment')}
      </Title>
    )
  if (subscription.pending_plan_code)
    return (
      <>
        <Title order={3} size="h2">
          {date}
        </Title>
        <Text>{t('subscription.next.pending')}</Text>
      </>
    )
  const isDue = status === 'past_due'
  return (
    <>
      <Title order={3} size="h2" className="tabular">
        {isDue
          ? t('subscription.next.due', { amount: money(amount, billing_currency) })
          : money(amount, billing_currency)}
      </Title>
      {!isDue && (
        <Text>
          {status === 'trialing'
            ? t('subscription.next.trial', { date })
            : t(renewsItself(subscription) ? 'subscription.next.charged' : 'subscription.next.paid', { date })}
        </Text>
      )}
      {!isDue && pay_url && (
        <Button component="a" href={pay_url} mt="sm">
          {t('subscription.pay_next')}
        </Button>
      )}
    </>
  )
}

function Method() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const method = useQuery(paymentMethodQuery(slug))
  if (method.isPending) return <Skeleton height={24} mt={4} radius="md" />
  if (isStatus(method.error, 404)) return <Text>{t('subscription.method_none')}</Text>
  if (!method.data)
    return (
      <Text>
        <ProblemText error={method.error} />{' '}
        <Anchor component="button" type="button" onClick={() => method.refetch()}>
          {t('ui.again')}
        </Anchor>
      </Text>
    )
  const { brand, last4, expires, update_url } = method.data
  const [year, month] = expires?.split('-') ?? []
  return (
    <>
      {last4 && (
        <Text fw={600} display="flex" style={{ alignItems: 'center', gap: '0.5rem' }}>
          <CreditCard size={18} aria-hidden="true" />
          {t('subscription.card', { brand: brand ? brand.charAt(0).toUpperCase() + brand.slice(1) : '', last4 })}
        </Text>
      )}
      {expires && <Text c="dimmed">{t('subscription.card_expires', { month: `${month}/${year}` })}</Text>}
      {update_url && <Anchor href={update_url}>{t('subscription.change_method')}</Anchor>}
    </>
  )
}
