import { Badge, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import {
  Bot,
  CircleAlert,
  CircleCheck,
  CircleX,
  ClockAlert,
  CreditCard,
  type LucideIcon,
  Repeat,
  ShoppingBag,
  Stamp,
  Unplug,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { langOfEnglishText, translateDynamic } from '../../i18n'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { AnchorLink } from '../../ui/navigation/AnchorLink'
import { useFormat } from '../../ui/text/format'
import { useMe } from '../auth/queries'
import classes from './Notifications.module.css'
import { type Kind, markRead, type Notification, reloadNotifications } from './queries'

const icons: Record<Kind, LucideIcon> = {
  'post.failed': CircleAlert,
  'post.unconfirmed': CircleAlert,
  'post.held': ClockAlert,
  'review.requested': Stamp,
  'review.missed': ClockAlert,
  'review.approved': CircleCheck,
  'review.rejected': CircleX,
  'account.disconnected': Unplug,
  'account.ending': Unplug,
  'recurring_post.paused': Repeat,
  'agent.disabled': Bot,
  'billing.payment_failed': CreditCard,
  'billing.payment_due': CreditCard,
  'billing.trial_ending': CreditCard,
  'billing.ended': CreditCard,
  'order.changed': ShoppingBag,
}

/** Kinds whose detail is a text. That of others is a code. */
const withText: readonly Kind[] = ['post.failed', 'account.disconnected', 'review.rejected']

/** The page about the subject; for several posts, that of the failed ones. */
function pageOf({ kind, subject, count, workspace: { slug } }: Notification) {
  const params = { workspace: slug }
  if (kind === 'post.failed' && count > 1)
    return linkOptions({ to: '/w/$workspace/posts', params, search: { status: 'failed' } })
  switch (subject.type) {
    case 'post':
      return linkOptions({ to: '/w/$workspace/posts/$post', params: { ...params, post: subject.id } })
    case 'account':
      return linkOptions({ to: '/w/$workspace/accounts/health', params })
    case 'recurring_post':
      return linkOptions({ to: '/w/$workspace/recurring-posts', params })
    case 'agent':
      return linkOptions({ to: '/w/$workspace/agents/$agent', params: { ...params, agent: subject.id } })
    case 'order':
      return linkOptions({ to: '/w/$workspace/marketplace/orders/$order', params: { ...params, order: subject.id } })
    case 'workspace':
      return linkOptions({ to: '/w/$workspace/billing', params })
  }
}

/** What happened, as a sentence. */
function useSentence({ kind, subject, detail, count }: Notification) {
  const { t } = useTranslation()
  const name = subject.name || t('notifications.no_text')
  if (kind === 'post.failed' && count > 1) return t('notifications.posts_failed', { name, count: count - 1 })
  const about = translateDynamic(t, `notifications.kind.${kind.replaceAll('.', '_')}`, kind, { name })
  return kind === 'order.changed' && detail
    ? translateDynamic(t, `notifications.order.${detail.replaceAll('-', '_')}`, about, { name })
    : about
}

export function NotificationRow({ notification }: { notification: Notification }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { id, kind, workspace, actor, detail, count, unread, created_at } = notification
  const read = useMutation({ mutationFn: markRead, onSuccess: reloadNotifications, onError: useErrorNotification() })
  const sentence = useSentence(notification)
  const Icon = icons[kind]
  return (
    <li className={classes.row} {...(unread && { 'data-unread': true })}>
      <span className={classes.icon}>
        <Icon size={20} aria-hidden="true" />
      </span>
      <div className={classes.what}>
        <Group gap="xs">
          <AnchorLink
            {...pageOf(notification)}
            className={classes.link}
            fw={unread ? 650 : 500}
            onClick={() => unread && read.mutate(id)}
          >
            {sentence}
          </AnchorLink>
          {unread && <Badge variant="filled">{t('notifications.new')}</Badge>}
        </Group>
        {detail && withText.includes(kind) && (
          <Text fz="sm" {...(kind !== 'review.rejected' && { lang: langOfEnglishText() })}>
            {detail}
          </Text>
        )}
        <Text c="dimmed" fz="sm">
          {workspace.name}
          {actor && <> · {actor.name}</>}
          {count > 1 && kind !== 'post.failed' && <> · {t('notifications.times', { count })}</>} ·{' '}
          <time dateTime={created_at} title={format.full(created_at)}>
            {format.ago(created_at)}
          </time>
        </Text>
      </div>
      {unread && (
        <Button
          variant="default"
          size="compact-md"
          loading={read.isPending}
          onClick={() => read.mutate(id)}
          aria-label={t('notifications.read_one', { text: sentence })}
        >
          {t('notifications.read')}
        </Button>
      )}
    </li>
  )
}
