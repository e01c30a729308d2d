import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { CalendarClock, CircleAlert, Clock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import type { PublicPlan, Usage } from '../../plans/queries'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../Billing.module.css'
import { priceOf, usePrice, useWorkspaceFormat } from '../format'
import { useChangePlan, useResumeSubscription } from '../mutations'
import { isLive, type Subscription } from '../queries'
import { SubscriptionBadge } from '../SubscriptionBadge'
import { CancelDialog } from './CancelDialog'

type Props = { subscription: Subscription | undefined; usage: Usage; plans: PublicPlan[] }

/** The plan in force and its next change, with buttons to change or cancel it. */
export function PlanCard({ subscription, usage, plans }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const price = usePrice()
  const [canceling, cancel] = useDisclosure(false)
  const live = subscription && isLive(subscription.status) ? subscription : undefined
  const name = usage.plan?.name ?? subscription?.plan_code ?? '–'
  return (
    <Card component="section" aria-labelledby="plan">
      <Stack gap="md" h="100%">
        <div>
          <Text c="dimmed" fz="sm">
            {t('subscription.plan')}
          </Text>
          <Group gap="sm">
            <Title order={2} id="plan" className="text">
              {name}
            </Title>
            {live && <SubscriptionBadge {...live} />}
          </Group>
          {live && (
            <Text className={classes.price} mt={4}>
              {price(priceOf(live))}
            </Text>
          )}
        </div>
        <PlanState subscription={subscription} plans={plans} name={name} />
        <Group gap="sm" mt="auto">
          <ButtonLink
            to="/w/$workspace/billing/plans"
            params={{ workspace: slug }}
            variant={live ? 'default' : 'filled'}
          >
            {t(live ? 'subscription.change_plan' : 'subscription.choose_plan')}
          </ButtonLink>
          {live && !live.cancel_at_period_end && (
            <Button variant="subtle" color="coral" c="var(--mantine-color-error)" onClick={cancel.open}>
              {t('subscription.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
      {live && (
        <CancelDialog
          subscription={live}
          plans={plans}
          usage={usage}
          name={name}
          opened={canceling}
          onClose={cancel.close}
        />
      )}
    </Card>
  )
}

type StateProps = { subscription: Subscription | undefined; plans: PublicPlan[]; name: string }

/** The next change of the subscription, with the button that prevents it. */
function PlanState({ subscription, plans, name }: StateProps) {
  const { t } = useTranslation()
  const format = useWorkspaceFormat()
  if (!subscription) return <Text>{t('subscription.state.none')}</Text>
  const { status, current_period_end, past_due_deadline, ended_at, pay_url, cancel_at_period_end } = subscription
  const planName = (code: string) => plans.find((plan) => plan.code === code)?.name ?? code
  if (!isLive(status))
    return (
      <Text>
        {t(`subscription.state.${status === 'canceled' ? 'canceled' : 'expired'}`, {
          plan: planName(subscription.plan_code),
          date: format.date(ended_at ?? current_period_end),
        })}
      </Text>
    )
  if (status === 'past_due')
    return (
      <Alert color="coral" icon={<CircleAlert size={20} />} title={t('subscription.banner.past_due_title')}>
        <Text>{t('subscription.state.past_due', { date: format.date(past_due_deadline ?? current_period_end) })}</Text>
        {pay_url && (
          <Button component="a" href={pay_url} mt="sm" color="coral">
            {t('subscription.pay_now')}
          </Button>
        )}
      </Alert>
    )
  if (cancel_at_period_end) return <EndingAlert subscription={subscription} />
  if (subscription.pending_plan_code)
    return <PendingAlert subscription={subscription} name={name} next={planName(subscription.pending_plan_code)} />
  return null
}

function EndingAlert({ subscription: { current_period_end } }: { subscription: Subscription }) {
  const { t } = useTranslation()
  const format = useWorkspaceFormat()
  const resume = useResumeSubscription(() => notifications.show({ message: t('subscription.resumed') }))
  const onError = useErrorNotification()
  return (
    <Alert color="yellow" icon={<Clock size={20} />} title={t('subscription.state.ending_title')}>
      <Text>{t('subscription.state.ending', { date: format.date(current_period_end) })}</Text>
      <Button mt="sm" loading={resume.isPending} onClick={() => resume.mutate(undefined, { onError })}>
        {t('subscription.resume')}
      </Button>
    </Alert>
  )
}

function PendingAlert({ subscription, name, next }: { subscription: Subscription; name: string; next: string }) {
  const { t } = useTranslation()
  const format = useWorkspaceFormat()
  const change = useChangePlan(() => notifications.show({ message: t('subscription.kept', { plan: name }) }))
  const onError = useErrorNotification()
  const { plan_code, billing_period: period, pending_period, current_period_end } = subscription
  const undo = () => change.mutate({ plan_code, period }, { onError })
  return (
    <Alert color="blue" icon={<CalendarClock size={20} />} title={t('subscription.state.pending_title')}>
      <Text>
        {t('subscription.state.pending', {
          plan: next,
          period: t(`subscription.period.${pending_period ?? period}`),
          date: format.date(current_period_end),
          present: name,
        })}
      </Text>
      <Button variant="default" mt="sm" loading={change.isPending} onClick={undo}>
        {t('subscription.keep', { plan: name })}
      </Button>
    </Alert>
  )
}
