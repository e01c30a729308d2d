import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DAY } from '../../../../shared/time'
import type { Account, Network } from '../../../api'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { NetworkResponse } from '../../networks/NetworkResponse'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { AccountSummary } from '../AccountSummary'
import { SignInApp } from '../connection/SignInApp'
import { PausedNotice } from '../PausedNotice'
import { AccountActions } from './AccountActions'
import { DisconnectAccountDialog } from './DisconnectAccountDialog'
import { EditAccountDialog } from './EditAccountDialog'

/** Time before the end of a sign-in from which it is shown. */
const ENDS_SOON_MS = 10 * DAY

type Props = {
  account: Account
  network: Network | undefined
  onReconnect: () => void
}

/** An account: its state, and what can be done with it. */
export function AccountCard({ account, network, onReconnect }: Props) {
  const mayChange = isAtLeast(useWorkspace(), 'editor')
  const [dialog, setDialog] = useState<'edit' | 'disconnect'>()
  const { gone, at } = useFocusAfterRemoval<HTMLDivElement>()
  // A dialog can close late, after its call, when another one is open.
  const close = (closed: typeof dialog) => setDialog((open) => (open === closed ? undefined : open))
  return (
    <Card ref={at} component="article" aria-label={account.name}>
      <Group wrap="nowrap" align="flex-start" justify="space-between">
        <AccountSummary account={account} network={network} size={40} />
        {mayChange && (
          <AccountActions
            account={account}
            onEdit={() => setDialog('edit')}
            onDisconnect={() => setDialog('disconnect')}
          />
        )}
      </Group>
      <AccountState account={account} />
      {/* That of the instance is the usual one. */}
      {account.app === 'workspace' && <SignInApp network={account.network} app={account.app} mt={4} />}
      <AccountLinks account={account} network={network} />
      <SignInNotice account={account} network={network} onReconnect={mayChange ? onReconnect : undefined} />
      {account.paused && <PausedNotice account={account} />}
      <EditAccountDialog account={account} opened={dialog === 'edit'} onClose={() => close('edit')} />
      <DisconnectAccountDialog
        account={account}
        opened={dialog === 'disconnect'}
        onClose={() => close('disconnect')}
        onDisconnected={() => {
          gone.current = true
        }}
      />
    </Card>
  )
}

function AccountState({
  account: { status, paused, queue_paused, last_published_at, checked_at },
}: {
  account: Account
}) {
  const { t } = useTranslation()
  const format = useFormat(useWorkspace().timezone)
  const lost = status === 'disconnected'
  return (
    <Group mt="md" gap="xs">
      <Badge variant="light" color={lost ? 'coral' : 'success'}>
        {lost ? t('accounts.status_lost') : t('accounts.status_ok')}
      </Badge>
      {paused && (
        <Badge variant="light" color="yellow">
          {t('accounts.status_paused')}
        </Badge>
      )}
      {queue_paused && (
        <Badge variant="light" color="yellow">
          {t('status.queue_paused')}
        </Badge>
      )}
      <Text c="dimmed" fz="sm">
        {last_published_at
          ? t('accounts.last_published', { time: format.dateTime(last_published_at) })
          : t('accounts.never_published')}
        {checked_at && (
          <>
            {' · '}
            <time dateTime={checked_at} title={format.full(checked_at)}>
              {t('accounts.checked', { ago: format.ago(checked_at) })}
            </time>
          </>
        )}
      </Text>
    </Group>
  )
}

function AccountLinks({ account: { id, name }, network }: Pick<Props, 'account' | 'network'>) {
  const { t } = useTranslation()
  const params = { workspace: useWorkspace().slug, account: id }
  return (
    <Group gap="lg" mt="sm">
      <AnchorLink
        to="/w/$workspace/accounts/$account/queue"
        params={params}
        fz="sm"
        aria-label={t('queue.link_of', { name })}
      >
        {t('queue.link')} ›
      </AnchorLink>
      {network?.metrics && (
        <AnchorLink
          to="/w/$workspace/accounts/$account/metrics"
          params={params}
          fz="sm"
          aria-label={t('metrics.link_of', { name })}
        >
          {t('metrics.link')} ›
        </AnchorLink>
      )}
    </Group>
  )
}

type SignInNoticeProps = Pick<Props, 'account' | 'network'> & { onReconnect: (() => void) | undefined }

/** Shows that the network no longer accepts the credentials, or that they end soon. */
function SignInNotice({ account, network, onReconnect }: SignInNoticeProps) {
  const { t } = useTranslation()
  const format = useFormat(useWorkspace().timezone)
  const { status, status_detail, sign_in_ends_at } = account
  const notice = (children: ReactNode) => (
    <Stack gap="xs" mt="sm" align="flex-start">
      {children}
    </Stack>
  )
  if (status === 'disconnected')
    return notice(
      <>
        <Text fz="sm">{t('accounts.lost')}</Text>
        {status_detail && (
          <NetworkResponse network={network?.name ?? account.network} message={status_detail} c="dimmed" />
        )}
        {onReconnect && (
          <Button size="compact-md" onClick={onReconnect}>
            {t('accounts.reconnect')}
          </Button>
        )}
      </>,
    )
  if (sign_in_ends_at === null || Date.parse(sign_in_ends_at) - Date.now() >= ENDS_SOON_MS) return null
  return notice(
    <>
      <Text fz="sm">{t('accounts.ends', { time: format.dateTime(sign_in_ends_at) })}</Text>
      {onReconnect && (
        <Button size="compact-md" variant="light" onClick={onReconnect}>
          {t('accounts.sign_in.again')}
        </Button>
      )}
    </>,
  )
}
