import { Anchor, Button, Card, Group, SimpleGrid, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { HeartPulse, Share2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Network, unwrap, workspaceApi } from '../../api'
import { Dialog } from '../../ui/dialog/Dialog'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { useFormat } from '../../ui/text/format'
import { meQuery } from '../auth/queries'
import { NetworkIcon } from '../networks/NetworkIcon'
import { useEasiestNetwork, useNetworks } from '../networks/queries'
import { TryOutLink } from '../networks/TryOutLink'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { AccountCard } from './AccountCard'
import { ConnectForm, useOnConnected } from './ConnectForm'
import { ConnectionDialog } from './connection/ConnectionDialog'
import { ServerForm } from './connection/ServerForm'
import { useSignIn } from './connection/useSignIn'
import { accountsQuery } from './queries'

const route = getRouteApi('/signed-in/shell/w/$workspace/accounts')

/** Networks that are not set up are shown to instance admins only, who can set them up. */
const isOffered = ({ connect, form }: Network, isInstanceAdmin: boolean) =>
  connect.available || form.length > 0 || isInstanceAdmin

export function AccountsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.accounts'))
  const workspace = useWorkspace()
  const mayConnect = isAtLeast(workspace, 'editor')
  const accounts = useQuery(accountsQuery(workspace.slug))
  const networks = useNetworks()
  const easiestNetwork = useEasiestNetwork()
  const format = useFormat()
  const { connect, account: again, connection, by } = route.useSearch()
  const isInstanceAdmin = useQuery(meQuery).data?.is_instance_admin === true
  const signIn = useSignIn()
  const navigate = route.useNavigate()
  const show = (connect?: string, account?: string, by?: string) =>
    void navigate({ search: { connect, account, by }, replace: true, resetScroll: false })
  const connecting = accounts.isPending
    ? undefined
    : networks.data?.find(({ id, form }) => id === connect && form.length > 0)
  /** An account that was connected with credentials is connected again in the same way. */
  const asksForServer = connecting?.connect.instance != null && by !== 'keys' && again === undefined
  const connected = useOnConnected()
  const connectAtOnce = useMutation({
    mutationFn: (network: string) =>
      unwrap(workspaceApi(workspace.slug).POST('/api/v1/accounts', { body: { network } })),
    onSuccess: connected,
    onError: useErrorNotification(),
  })
  const error = accounts.error ?? networks.error
  /** Lists the fields the user has to fill in: required ones without a default, or else one of several secrets. */
  const needs = ({ name, connect: { kind, available }, form }: Network) => {
    if (kind === 'oauth2' && available) return t('accounts.needs_sign_in', { network: name })
    if (!available && form.length === 0) return t('accounts.not_set_up')
    const labels = (fields: Network['form']) => fields.map(({ label }) => label)
    const asked = labels(form.filter(({ required, default: preset }) => required && !preset))
    const either = labels(form.filter(({ type }) => type === 'password'))
    const what = asked.length ? asked.join(', ') : format.alternatives(either)
    return what ? t('accounts.needs', { what }) : t('accounts.needs_nothing')
  }

  const pending = connectAtOnce.isPending
    ? connectAtOnce.variables
    : signIn.isPending
      ? signIn.variables.network
      : undefined
  const offered = networks.data?.filter((network) => isOffered(network, isInstanceAdmin)) ?? []
  const begin = ({ id, connect: { kind, available, instance }, form }: Network) => {
    if (kind === 'oauth2' && available && !instance) signIn.mutate({ network: id })
    else if (form.length > 0) show(id)
    else connectAtOnce.mutate(id)
  }

  return (
    <>
      <PageHeader title={t('pages.accounts')} about={t('accounts.about')}>
        <TryOutLink />
        {accounts.data && accounts.data.length > 0 && (
          <ButtonLink
            to="/w/$workspace/accounts/health"
            params={{ workspace: workspace.slug }}
            variant="default"
            leftSection={<HeartPulse size={17} />}
          >
            {t('accounts.health.title')}
          </ButtonLink>
        )}
      </PageHeader>
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
                  onReconnect={() =>
                    account.connected_by === 'sign_in'
                      ? signIn.mutate({ network: account.network, instance: account.form.instance })
                      : show(account.network, account.id)
                  }
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
            {offered.map((network) => (
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
                <Group justify="space-between" align="flex-end" wrap="nowrap" mt="auto" gap="xs">
                  <Text c="dimmed" fz="sm">
                    {needs(network)}
                  </Text>
                  {network.connect.available || network.form.length > 0 ? (
                    <Button
                      variant="light"
                      style={{ flexShrink: 0 }}
                      loading={pending === network.id}
                      onClick={() => begin(network)}
                      aria-label={t('accounts.connect_to', { network: network.name })}
                    >
                      {t('accounts.connect_button')}
                    </Button>
                  ) : (
                    <ButtonLink
                      to="/admin/networks"
                      variant="default"
                      style={{ flexShrink: 0 }}
                      aria-label={t('accounts.set_up_of', { network: network.name })}
                    >
                      {t('accounts.set_up')}
                    </ButtonLink>
                  )}
                </Group>
                {network.connect.kind === 'oauth2' && network.connect.available && network.form.length > 0 && (
                  <Anchor
                    component="button"
                    type="button"
                    fz="sm"
                    mt="xs"
                    ta="start"
                    onClick={() => show(network.id, undefined, 'keys')}
                    aria-label={t('accounts.connect_by_keys_to', { network: network.name })}
                  >
                    {t('accounts.connect_by_keys')}
                  </Anchor>
                )}
              </Card>
            ))}
          </SimpleGrid>
        </section>
      )}
      <ConnectionDialog id={connection} onClose={() => show()} />
      <Dialog
        opened={connecting !== undefined}
        onClose={() => show()}
        title={connecting && t('accounts.connect_to', { network: connecting.name })}
      >
        {connecting && asksForServer && <ServerForm network={connecting} />}
        {connecting && !asksForServer && (
          <ConnectForm
            network={connecting}
            known={accounts.data?.find(({ id }) => id === again)}
            onDone={() => show()}
          />
        )}
      </Dialog>
    </>
  )
}
