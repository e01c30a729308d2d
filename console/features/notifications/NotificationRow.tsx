import { Badge, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import {
  AtSign,
  Bot,
  CircleAlert,
  CircleCheck,
  CircleX,
  ClockAlert,
  CreditCard,
  type LucideIcon,
  MessageCircle,
  MessageSquare,
  Repeat,
  Scale,
  ShoppingBag,
  Stamp,
  Unplug,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { langOfEnglishText, translateDynamic } from '../../i18n'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import list from '../../ui/layout/IconList.module.css'
import { AnchorLink } from '../../ui/navigation/AnchorLink'
import { useFormat } from '../../ui/text/format'
import { useMe } from '../auth/queries'
import { type KindKey, keyOf } from './kind-key'
import classes from './Notifications.module.css'
import { markRead, type Notification, reloadNotifications } from './queries'

const icons: Record<KindKey, LucideIcon> = {
  post_failed: CircleAlert,
  post_unconfirmed: CircleAlert,
  post_held: ClockAlert,
  review_requested: Stamp,
  review_missed: ClockAlert,
  review_approved: CircleCheck,
  review_rejected: CircleX,
  comment_mentioned: AtSign,
  comment_created: MessageSquare,
  comment_from_client: MessageCircle,
  account_disconnected: Unplug,
  account_ending: Unplug,
  recurring_post_paused: Repeat,
  agent_waiting: Bot,
  agent_budget_warning: Bot,
  agent_budget_reached: Bot,
  agent_disabled: Bot,
  billing_payment_failed: CreditCard,
  billing_payment_due: CreditCard,
  billing_trial_ending: CreditCard,
  billing_ended: CreditCard,
  ledger_check_failed: Scale,
  order_changed: ShoppingBag,
}

/** Kinds whose detail is a text. That of others is a code. */
const withText: readonly KindKey[] = [
  'post_failed',
  'account_disconnected',
  'review_rejected',
  'comment_mentioned',
  'comment_created',
  'comment_from_client',
  'ledger_check_failed',
]
/** Kinds whose detail is in English, from an external server or for the accountant. */
const inEnglish: readonly KindKey[] = ['post_failed', 'account_disconnected', 'ledger_check_failed']

/** The kind of a notification about several posts. Undefined for one about a single subject. */
function severalOf({ kind, subjects }: Notification) {
  const key = keyOf(kind)
  const groups = key === 'post_failed' || key === 'post_held' || key === 'review_requested'
  return groups && subjects > 1 ? key : undefined
}

/** The page about the subject; for several posts, that of all such posts. */
function pageOf(notification: Notification) {
  const { subject, workspace } = notification
  if (!workspace) return linkOptions({ to: '/admin/ledger' })
  const params = { workspace: workspace.slug }
  switch (severalOf(notification)) {
    case 'post_failed':
      return linkOptions({ to: '/w/$workspace/posts', params, search: { status: 'failed' } })
    case 'post_held':
      return linkOptions({ to: '/w/$workspace/posts', params, search: { held: 'late' } })
    case 'review_requested':
      return linkOptions({ to: '/w/$workspace/review', params })
  }
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
    case 'installation':
      return linkOptions({ to: '/w/$workspace/billing', params })
  }
}

function useSentence(notification: Notification) {
  const { kind, subject, detail, subjects } = notification
  const { t } = useTranslation()
  const name = subject.name || t('notifications.no_text')
  const several = severalOf(notification)
  if (several) return t(`notifications.several.${several}`, { name, count: subjects - 1 })
  const key = keyOf(kind)
  const about = t(`notifications.kind.${key}`, { name })
  return key === 'order_changed' && detail
    ? translateDynamic(t, `notifications.order.${detail.replaceAll('-', '_')}`, about, { name })
    : about
}

export function NotificationRow({ notification }: { notification: Notification }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { id, kind, workspace, actor, detail, count, unread, created_at } = notification
  const read = useMutation({ mutationFn: markRead, onSuccess: reloadNotifications, onError: useErrorNotification() })
  const sentence = useSentence(notification)
  const key = keyOf(kind)
  const Icon = icons[key]
  return (
    <li className={`${list.row} ${classes.row}`} data-tall {...(unread && { 'data-unread': true })}>
      <span className={`${list.icon} ${classes.icon}`}>
        <Icon size={20} aria-hidden="true" />
      </span>
      <div className={list.what}>
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
        {detail && withText.includes(key) && (
          <Text fz="sm" {...(inEnglish.includes(key) && { lang: langOfEnglishText() })}>
            {detail}
          </Text>
        )}
        <Text c="dimmed" fz="sm">
          {workspace?.name ?? t('notifications.installation')}
          {actor && <> · {actor.name}</>}
          {count > 1 && !severalOf(notification) && <> · {t('notifications.times', { count })}</>} ·{' '}
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
