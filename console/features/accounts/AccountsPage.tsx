import { ActionIcon, Badge, Button, Card, Group, Menu, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ExternalLink, HeartPulse, MoreHorizontal, Share2, Unplug } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, type Network, queryClient, unwrap, workspaceApi } from '../../api'
import { langOfEnglishText } from '../../i18n'
import { Dialog } from '../../ui/feedback/Dialog'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { useFocusAfterRemoval } from '../../ui/focus/useFocusAfterRemoval'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { useFormat } from '../../ui/text/format'
import { NetworkIcon } from '../networks/NetworkIcon'
import { handleOn, useEasiestNetwork, useNetworks } from '../networks/queries'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { ConnectForm, useOnConnected } from './ConnectForm'
import { accountsQuery, scheduledCountQuery } from './queries'

const route = getRouteApi('/signed-in/shell/w/$workspace/accounts')

/** Only these can be connected here: the others need a sign-in at the network. */
const isForm = ({ connect }: Network) => connect.kind === 'form'

export function AccountsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.accounts'))
  const workspace = useWorkspace()
  const mayConnect = isAtLeast(workspace, 'editor')
  const accounts = useQuery({ ...accountsQuery(workspace.slug), refetchInterval: 30_000 })
  const networks = useNetworks()
  const easiestNetwork = useEasiestNetwork()
  const { connect, account: again } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (connect?: string, account?: string) =>
    void navigate({ search: { connect, account }, replace: true, resetScroll: false })
  const connecting = accounts.isPending
    ? undefined
    : networks.data?.filter(isForm).find(({ id, form }) => id === connect && form.length > 0)
  const connected = useOnConnected()
  const connectAtOnce = useMutation({
    mutationFn: (network: string) =>
      unwrap(workspaceApi(workspace.slug).POST('/api/v1/accounts', { body: { network } })),
    onSuccess: connected,
    onError: useErrorNotification(),
  })
  const error = accounts.error ?? networks.error
  /** Lists the fields the user has to fill in: required ones without a default. */
  const needs = ({ form }: Network) => {
    const asked = form.filter(({ required, default: preset }) => required && !preset)
    const names = asked.map(({ label }) => label)
    return names.length ? t('accounts.needs', { what: names.join(', ') }) : t('accounts.needs_nothing')
  }

  return (
    <>
      <PageHeader title={t('pages.accounts')} about={t('accounts.about')} />
      {error && (
        <ProblemAlert error={error} onRetry={() => void Promise.all([accounts.refetch(), networks.refetch()])} />
      )}
      {accounts.isPending && <LoadingSkeleton lines={2} height={120} />}
      {accounts.data && (
        <section aria-labelledby="connected">
          <Title order={2} size="h3" id="connected" mb="sm">
            {t('accounts.connected')}
          </Title>
          {accounts.data.length === 0 ? (
            <Card padding={0}>
              <EmptyState icon={<Share2 size={26} />} title={t('accounts.none')}>
                {mayConnect ? t('accounts.none_detail', { network: easiestNetwork }) : t('accounts.none_viewer')}
              </EmptyState>
            </Card>
          ) : (
            <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
              {accounts.data.map((account) => (
                <AccountCard
                  key={account.id}
                  account={account}
                  network={networks.data?.find(({ id }) => id === account.network)}
                  onReconnect={() => show(account.network, account.id)}
                />
              ))}
            </SimpleGrid>
          )}
        </section>
      )}
      {mayConnect && networks.data && (
        <section aria-labelledby="networks">
          <Title order={2} size="h3" id="networks" mt="xl" mb="sm">
            {accounts.data?.length === 0 ? t('accounts.connect_first') : t('accounts.connect')}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
            {networks.data.filter(isForm).map((network) => (
              <Card key={network.id} component="article" aria-labelledby={`network-${network.id}`}>
                <Group wrap="nowrap" align="flex-start" mb="sm">
                  <NetworkIcon network={network.id} size={36} />
                  <div>
                    <Text fw={650} id={`network-${network.id}`}>
                      {network.name}
                    </Text>
                    <Text c="dimmed" fz="sm">
                      {network.description}
                    </Text>
                  </div>
                </Group>
                <Group justify="space-between" mt="auto" gap="xs">
                  <Text c="dimmed" fz="sm">
                    {needs(network)}
                  </Text>
                  <Button
                    variant="light"
                    loading={connectAtOnce.isPending && connectAtOnce.variables === network.id}
                    onClick={() => (network.form.length > 0 ? show(network.id) : connectAtOnce.mutate(network.id))}
                    aria-label={t('accounts.connect_to', { network: network.name })}
                  >
                    {t('accounts.connect_button')}
                  </Button>
                </Group>
              </Card>
            ))}
          </SimpleGrid>
        </section>
      )}
      <Dialog
        opened={connecting !== undefined}
        onClose={() => show()}
        title={connecting && t('accounts.connect_to', { network: connecting.name })}
      >
        {connecting && (
          <ConnectForm
            network={connecting}
            handle={accounts.data?.find(({ id }) => id === again)?.handle}
            onDone={() => show()}
          />
        )}
      </Dialog>
    </>
  )
}

function AccountCard({
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
  const { gone, at } = useFocusAfterRemoval<HTMLDivElement>()
  const mayChange = isAtLeast(workspace, 'editor')
  const lost = account.status === 'disconnected'
  const reload = () => queryClient.invalidateQueries({ queryKey: accountsQuery(workspace.slug).queryKey })
  const path = { params: { path: { id: account.id } } }
  const waiting = useQuery({ ...scheduledCountQuery(workspace.slug, account.id), enabled: asking }).data
  const check = useMutation({
    mutationFn: () => unwrap(workspaceApi(workspace.slug).POST('/api/v1/accounts/{id}/check', path)),
    onSuccess: ({ status }) =>
      notifications.show({
        message: status === 'connected' ? t('accounts.healthy', { name: account.name }) : t('accounts.lost'),
        color: status === 'connected' ? 'iznik' : 'coral',
      }),
    onError: useErrorNotification(),
    onSettled: reload,
  })
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
        <Group wrap="nowrap" miw={0}>
          <NetworkIcon network={account.network} size={36} />
          <div style={{ minWidth: 0 }}>
            <Text fw={650} truncate>
              {account.name}
            </Text>
            <Text c="dimmed" fz="sm" truncate>
              {network?.name ?? account.network} · {handleOn(network, account.handle)}
            </Text>
          </div>
        </Group>
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
        <Badge variant="light" color={lost ? 'coral' : 'iznik'}>
          {lost ? t('accounts.status_lost') : t('accounts.status_ok')}
        </Badge>
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
      {lost && (
        <Stack gap="xs" mt="sm" align="flex-start">
          <Text fz="sm" className="text" lang={account.status_detail ? langOfEnglishText() : undefined}>
            {account.status_detail ?? t('accounts.lost')}
          </Text>
          {mayChange && (
            <Button size="compact-md" onClick={onReconnect}>
              {t('accounts.reconnect')}
            </Button>
          )}
        </Stack>
      )}
      <Dialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('accounts.disconnect_ask', { name: account.name })}
      >
        <Text mb="md">{t('accounts.disconnect_detail')}</Text>
        <Text mb="md" fw={600} role="status">
          {waiting ? t('accounts.waiting', { count: waiting }) : null}
        </Text>
        {disconnect.error && <ProblemAlert error={disconnect.error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => setAsking(false)}>
            {t('ui.cancel')}
          </Button>
          <Button color="coral" loading={disconnect.isPending} onClick={() => disconnect.mutate()}>
            {t('accounts.disconnect')}
          </Button>
        </Group>
      </Dialog>
    </Card>
  )
}
