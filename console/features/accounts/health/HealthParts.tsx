import { Button, Text } from '@mantine/core'
import { CircleCheck, TriangleAlert, Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type StatusStyle } from '../../../ui/feedback/StatusBadge'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useFormat } from '../../../ui/text/format'
import { NetworkResponse } from '../../networks/NetworkResponse'
import { useNetwork, useNetworkNames } from '../../networks/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { AccountSummary } from '../AccountSummary'
import { useSignIn } from '../connection/useSignIn'
import { usePauseAccount } from '../PausedNotice'
import { useCheckAccount } from '../useCheckAccount'
import classes from './Health.module.css'
import type { AccountHealth } from './queries'

const styles: Record<AccountHealth['state'], StatusStyle> = {
  ok: { color: 'success', icon: CircleCheck },
  needs_attention: { color: 'orange', icon: TriangleAlert },
  disconnected: { color: 'coral', icon: Unplug },
}

/** Reasons that end when the account is connected again. */
const endByReconnecting = ['sign_in_ended', 'credentials_refused', 'permission_missing', 'sign_in_ends_soon'] as const

export function HealthAccount({ health }: { health: AccountHealth }) {
  const network = useNetwork(health.network)
  return <AccountSummary account={{ ...health, id: health.account_id }} network={network} size={36} />
}

export function HealthState({ health: { state, sign_in_days_left: days } }: { health: AccountHealth }) {
  const { t } = useTranslation()
  return (
    <div>
      <StatusBadge {...styles[state]}>{t(`accounts.health.state.${state}`)}</StatusBadge>
      {days !== null && state !== 'disconnected' && (
        <Text c="dimmed" fz="sm" mt={4}>
          {days === 0 ? t('accounts.health.ends_today') : t('accounts.health.days_left', { count: days })}
        </Text>
      )}
    </div>
  )
}

/** The reasons, each with the message of the network and what to do. */
export function HealthReasons({ health: { network, reasons } }: { health: AccountHealth }) {
  const { t } = useTranslation()
  const networkName = useNetworkNames()
  const { slug } = useWorkspace()
  if (reasons.length === 0)
    return (
      <Text c="dimmed" fz="sm">
        {t('accounts.health.no_reason')}
      </Text>
    )
  return (
    <ul className={classes.reasons}>
      {reasons.map(({ code, message, permissions, post_id }) => (
        <li key={code}>
          <Text fz="sm" fw={600}>
            {t(`accounts.health.reason.${code}`, { permissions: permissions.join(', ') })}
          </Text>
          {message && <NetworkResponse network={networkName(network)} message={message} />}
          <Text fz="sm" c="dimmed">
            {t(`accounts.health.todo.${code}`)}{' '}
            {post_id && (
              <AnchorLink to="/w/$workspace/posts/$post" params={{ workspace: slug, post: post_id }} fz="sm">
                {t('accounts.health.see_post')}
              </AnchorLink>
            )}
          </Text>
        </li>
      ))}
    </ul>
  )
}

export function HealthPosts({ health: { account_id, scheduled_posts, next_post_at } }: { health: AccountHealth }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  if (scheduled_posts === 0 || next_post_at === null)
    return (
      <Text c="dimmed" fz="sm">
        {t('accounts.health.no_posts')}
      </Text>
    )
  return (
    <div>
      <AnchorLink
        to="/w/$workspace/posts"
        params={{ workspace: workspace.slug }}
        search={{ status: 'scheduled', account: account_id }}
        fz="sm"
      >
        {t('accounts.health.posts', { count: scheduled_posts, number: format.number(scheduled_posts) })}
      </AnchorLink>
      <Text c="dimmed" fz="sm">
        {t('accounts.health.next_post', { time: format.dateTime(next_post_at) })}
      </Text>
    </div>
  )
}

/** Buttons with which an editor acts on the state of an account. */
export function HealthActions({ health }: { health: AccountHealth }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const account = { id: health.account_id, name: health.name }
  const signIn = useSignIn()
  const pause = usePauseAccount(account)
  const check = useCheckAccount(account)
  if (!isAtLeast(workspace, 'editor')) return null
  const has = (code: AccountHealth['reasons'][number]['code']) => health.reasons.some((reason) => reason.code === code)
  const of = (label: string) => `${label}: ${health.name}`
  const reconnect = t('accounts.reconnect')
  return (
    <div className={classes.actions}>
      {endByReconnecting.some(has) &&
        (health.connected_by === 'sign_in' ? (
          <Button
            size="compact-md"
            aria-label={of(reconnect)}
            loading={signIn.isPending}
            onClick={() => signIn.mutate(health)}
          >
            {reconnect}
          </Button>
        ) : (
          <ButtonLink
            size="compact-md"
            aria-label={of(reconnect)}
            to="/w/$workspace/accounts"
            params={{ workspace: workspace.slug }}
            search={{ connect: health.network, account: health.account_id }}
          >
            {reconnect}
          </ButtonLink>
        ))}
      {has('paused_by_member') && (
        <Button
          size="compact-md"
          variant="light"
          aria-label={of(t('accounts.resume'))}
          loading={pause.isPending}
          onClick={() => pause.mutate(false)}
        >
          {t('accounts.resume')}
        </Button>
      )}
      <Button
        size="compact-md"
        variant="default"
        aria-label={of(t('accounts.health.check'))}
        loading={check.isPending}
        onClick={() => check.mutate()}
      >
        {t('accounts.health.check')}
      </Button>
    </div>
  )
}
