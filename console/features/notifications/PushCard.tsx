import { Badge, Button, Card, Group, Stack, Switch, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../api'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { useFocusAfterRemoval } from '../../ui/focus/useFocusAfterRemoval'
import rows from '../../ui/layout/IconList.module.css'
import { useFormat } from '../../ui/text/format'
import { browserName } from '../../ui/text/user-agent'
import { useMe } from '../auth/queries'
import { deletePushSubscription, type PushSubscriptionRecord, pushObstacle, turnPushOff, turnPushOn } from './push'
import { pushSubscriptionsQuery } from './queries'

const reload = () => queryClient.invalidateQueries({ queryKey: pushSubscriptionsQuery.queryKey })

/** Turns pushed notifications on and off in this browser, and lists the user's browsers that have them. */
export function PushCard() {
  const { t } = useTranslation()
  const subscriptions = useQuery(pushSubscriptionsQuery)
  const all = subscriptions.data?.data ?? []
  return (
    <Card mb="lg">
      <Stack gap="md">
        <div>
          <Title order={2} fz="lg">
            {t('notifications.push.title')}
          </Title>
          <Text c="dimmed" fz="sm">
            {t('notifications.push.about')}
          </Text>
        </div>
        {subscriptions.error && <ProblemAlert error={subscriptions.error} onRetry={() => subscriptions.refetch()} />}
        {subscriptions.isPending && <LoadingSkeleton lines={2} />}
        {subscriptions.data && <ThisBrowser current={all.find(({ current }) => current)} />}
        {all.length > 0 && (
          <ul className={rows.list} aria-label={t('notifications.push.list')}>
            {all.map((subscription) => (
              <BrowserRow key={subscription.id} subscription={subscription} />
            ))}
          </ul>
        )}
      </Stack>
    </Card>
  )
}

function ThisBrowser({ current }: { current: PushSubscriptionRecord | undefined }) {
  const { t } = useTranslation()
  const [obstacle, setObstacle] = useState(pushObstacle)
  const change = useMutation({
    mutationFn: async (on: boolean) => {
      if (on) return turnPushOn()
      if (current) await turnPushOff(current.id)
      return true
    },
    onSuccess: (allowed, on) => {
      setObstacle(pushObstacle())
      if (allowed) notifications.show({ message: t(on ? 'notifications.push.on' : 'notifications.push.off') })
    },
    onSettled: reload,
  })
  // Shows the new choice until the response arrives.
  const isOn = change.isPending ? change.variables : current !== undefined
  return (
    <div>
      <Switch
        label={t('notifications.push.this_browser')}
        description={t(obstacle ? `notifications.push.obstacle.${obstacle}` : 'notifications.push.ask')}
        checked={isOn}
        // Turning off needs no permission of the browser.
        disabled={change.isPending || (obstacle !== null && !isOn)}
        onChange={({ currentTarget: { checked } }) => change.mutate(checked)}
      />
      {change.error && <ProblemAlert error={change.error} />}
    </div>
  )
}

function BrowserRow({ subscription: { id, current, ...subscription } }: { subscription: PushSubscriptionRecord }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { gone, at } = useFocusAfterRemoval<HTMLLIElement>()
  const remove = useMutation({
    mutationFn: () => (current ? turnPushOff(id) : deletePushSubscription(id)),
    onSuccess: () => {
      gone.current = true
    },
    onError: useErrorNotification(),
    onSettled: reload,
  })
  const { created_at, last_used_at } = subscription
  const agent = subscription.user_agent ?? ''
  const name = browserName(agent) || t('notifications.push.unknown')
  const Icon = /Mobi|Android|iPhone|iPad/.test(agent) ? Smartphone : Monitor
  return (
    <li ref={at} className={rows.row}>
      <span className={rows.icon}>
        <Icon size={20} aria-hidden="true" />
      </span>
      <div className={rows.what}>
        <Group gap="xs">
          <Text fw={600} title={agent || undefined} className="text">
            {name}
          </Text>
          {current && <Badge variant="light">{t('notifications.push.current')}</Badge>}
        </Group>
        <Text c="dimmed" fz="sm">
          <time dateTime={created_at} title={format.full(created_at)}>
            {t('notifications.push.since', { ago: format.ago(created_at) })}
          </time>
          {' · '}
          {last_used_at ? (
            <time dateTime={last_used_at} title={format.full(last_used_at)}>
              {t('notifications.push.last', { ago: format.ago(last_used_at) })}
            </time>
          ) : (
            t('notifications.push.never')
          )}
        </Text>
      </div>
      <Button
        variant="default"
        size="sm"
        loading={remove.isPending}
        onClick={() => remove.mutate()}
        aria-label={t('notifications.push.remove_one', { name })}
      >
        {t('notifications.push.remove')}
      </Button>
    </li>
  )
}
