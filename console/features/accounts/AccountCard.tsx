import { ActionIcon, Badge, Button, Card, Group, Menu, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ExternalLink, HeartPulse, MoreHorizontal, Pause, Pencil, Play, Unplug } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DAY } from '../../../shared/time'
import { type Account, type Network, unwrap, workspaceApi } from '../../api'
import { Dialog } from '../../ui/dialog/Dialog'
import { DialogActions } from '../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useFocusAfterRemoval } from '../../ui/focus/useFocusAfterRemoval'
import { AnchorLink } from '../../ui/navigation/AnchorLink'
import { useFormat } from '../../ui/text/format'
import { NetworkResponse } from '../networks/NetworkResponse'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { AccountSummary } from './AccountSummary'
import { PausedNotice, usePauseAccount } from './PausedNotice'
import { reloadAccounts, scheduledCountQuery } from './queries'
import { RenameAccountDialog } from './RenameAccountDialog'
import { useCheckAccount } from './useCheckAccount'

/** Time before the end of a sign-in from which it is shown. */
const ENDS_SOON_MS = 10 * DAY

/** An account: its state, and what can be done with it. */
export function AccountCard({
  account,
  network,
  onReconnect,
}: {
  account: Account
  network: Network | undefined
  onReconnect: () => void
}) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const [asking, setAsking] = useState(false)
  const [renaming, setRenaming] = useState(false)
  const { gone, at } = useFocusAfterRemoval<HTMLDivElement>()
  const mayChange = isAtLeast(workspace, 'editor')
  const lost = account.status === 'disconnected'
  const endsSoon = account.sign_in_ends_at !== null && Date.parse(account.sign_in_ends_at) - Date.now() < ENDS_SOON_MS
  const reload = () => reloadAccounts(workspace.slug)
  const path = { params: { path: { id: account.id } } }
  const waiting = useQuery({ ...scheduledCountQuery(workspace.slug, account.id), enabled: asking }).data
  const check = useCheckAccount(account)
  const pause = usePauseAccount(account)
  const disconnect = useMutation({
    mutationFn: () => unwrap(workspaceApi(workspace.slug).DELETE('/api/v1/accounts/{id}', path)),
    onSuccess: () => {
      gone.current = true
      setAsking(false)
      notifications.show({ message: t('accounts.gone', { name: account.name }) })
    },
    onSettled: reload,
  })
  return (
    <Card ref={at} component="article" aria-label={account.name}>
      <Group wrap="nowrap" align="flex-start" justify="space-between">
        <AccountSummary account={account} network={network} size={40} />
        {mayChange && (
          <Menu position="bottom-end" width={200}>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t('accounts.more', { name: account.name })}>
                <MoreHorizontal size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<HeartPulse size={16} />} onClick={() => check.mutate()}>
                {t('accounts.check')}
              </Menu.Item>
              <Menu.Item
                leftSection={account.paused ? <Play size={16} /> : <Pause size={16} />}
                onClick={() => pause.mutate(!account.paused)}
              >
                {t(account.paused ? 'accounts.resume' : 'accounts.pause')}
              </Menu.Item>
              <Menu.Item leftSection={<Pencil size={16} />} onClick={() => setRenaming(true)}>
                {t('accounts.rename')}
              </Menu.Item>
              {account.url && (
                <Menu.Item
                  component="a"
                  href={account.url}
                  target="_blank"
                  rel="noreferrer"
                  leftSection={<ExternalLink size={16} />}
                >
                  {t('accounts.profile')}
                </Menu.Item>
              )}
              <Menu.Divider />
              <Menu.Item
                c="var(--mantine-color-error)"
                leftSection={<Unplug size={16} />}
                onClick={() => setAsking(true)}
              >
                {t('accounts.disconnect')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <Group mt="md" gap="xs">
        <Badge variant="light" color={lost ? 'coral' : 'success'}>
          {lost ? t('accounts.status_lost') : t('accounts.status_ok')}
        </Badge>
        {account.paused && (
          <Badge variant="light" color="yellow">
            {t('accounts.status_paused')}
          </Badge>
        )}
        <Text c="dimmed" fz="sm">
          {account.last_published_at
            ? t('accounts.last_published', { time: format.dateTime(account.last_published_at) })
            : t('accounts.never_published')}
          {account.checked_at && (
            <>
              {' · '}
              <time dateTime={account.checked_at} title={format.full(account.checked_at)}>
                {t('accounts.checked', { ago: format.ago(account.checked_at) })}
              </time>
            </>
          )}
        </Text>
      </Group>
      <Group gap="lg" mt="sm">
        <AnchorLink
          to="/w/$workspace/accounts/$account/queue"
          params={{ workspace: workspace.slug, account: account.id }}
          fz="sm"
          aria-label={t('queue.link_of', { name: account.name })}
        >
          {t('queue.link')} ›
        </AnchorLink>
        {network?.metrics && (
          <AnchorLink
            to="/w/$workspace/accounts/$account/metrics"
            params={{ workspace: workspace.slug, account: account.id }}
            fz="sm"
            aria-label={t('metrics.link_of', { name: account.name })}
          >
            {t('metrics.link')} ›
          </AnchorLink>
        )}
      </Group>
      {lost && (
        <Stack gap="xs" mt="sm" align="flex-start">
          <Text fz="sm">{t('accounts.lost')}</Text>
          {account.status_detail && (
            <NetworkResponse network={network?.name ?? account.network} message={account.status_detail} c="dimmed" />
          )}
          {mayChange && (
            <Button size="compact-md" onClick={onReconnect}>
              {t('accounts.reconnect')}
            </Button>
          )}
        </Stack>
      )}
      {!lost && endsSoon && account.sign_in_ends_at && (
        <Stack gap="xs" mt="sm" align="flex-start">
          <Text fz="sm">{t('accounts.ends', { time: format.dateTime(account.sign_in_ends_at) })}</Text>
          {mayChange && (
            <Button size="compact-md" variant="light" onClick={onReconnect}>
              {t('accounts.sign_in.again')}
            </Button>
          )}
        </Stack>
      )}
      {account.paused && <PausedNotice account={account} />}
      <RenameAccountDialog account={account} opened={renaming} onClose={() => setRenaming(false)} />
      <Dialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('accounts.disconnect_ask', { name: account.name })}
      >
        <Text mb="md">{t('accounts.disconnect_detail')}</Text>
        <Text mb="md" fw={600} role="status">
          {waiting?.count ? t('accounts.waiting', waiting) : null}
        </Text>
        {disconnect.error && <ProblemAlert error={disconnect.error} />}
        <DialogActions>
          <Button variant="default" onClick={() => setAsking(false)}>
            {t('ui.cancel')}
          </Button>
          <Button color="coral" loading={disconnect.isPending} onClick={() => disconnect.mutate()}>
            {t('accounts.disconnect')}
          </Button>
        </DialogActions>
      </Dialog>
    </Card>
  )
}
