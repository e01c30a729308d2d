import { Card, SimpleGrid, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { HeartPulse, Share2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Account, type Network, unwrap, workspaceApi } from '../../api'
import { Dialog } from '../../ui/dialog/Dialog'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { useEasiestNetwork, useNetworks } from '../networks/queries'
import { TryOutLink } from '../networks/TryOutLink'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { ConnectForm, useOnConnected } from './ConnectForm'
import { AccountCard } from './card/AccountCard'
import { ConnectionDialog } from './connection/ConnectionDialog'
import { ServerForm } from './connection/ServerForm'
import { useSignIn } from './connection/useSignIn'
import { AccountGroups } from './groups/AccountGroups'
import { NetworkList } from './NetworkList'
import { accountsQuery } from './queries'

const route = getRouteApi('/signed-in/shell/w/$workspace/accounts')

export function AccountsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.accounts'))
  const workspace = useWorkspace()
  const accounts = useQuery(accountsQuery(workspace.slug))
  const networks = useNetworks()
  const { connect, account: again, connection, by } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (connect?: string, account?: string, by?: string) =>
    void navigate({ search: { connect, account, by }, replace: true, resetScroll: false })
  const connecting = accounts.isPending
    ? undefined
    : networks.data?.find(({ id, form }) => id === connect && form.length > 0)
  /** An account that was connected with credentials is connected again in the same way. */
  const asksForServer =
    connecting?.connect.instance != null && connecting.connect.available && by !== 'keys' && again === undefined
  const { pendingNetwork, begin, reconnect } = useConnect(show)
  const error = accounts.error ?? networks.error
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
      {accounts.data && <AccountList accounts={accounts.data} networks={networks.data} onReconnect={reconnect} />}
      {accounts.data && accounts.data.length > 1 && <AccountGroups accounts={accounts.data} />}
      {isAtLeast(workspace, 'editor') && networks.data && (
        <NetworkList
          title={accounts.data?.length === 0 ? t('accounts.connect_first') : t('accounts.connect')}
          networks={networks.data}
          pending={pendingNetwork}
          onConnect={begin}
          onConnectByKeys={({ id }) => show(id, undefined, 'keys')}
        />
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

/** Connects accounts at once, by a sign-in at the network, or with the form that `showForm` opens. */
function useConnect(showForm: (network: string, account?: string) => void) {
  const { slug } = useWorkspace()
  const signIn = useSignIn()
  const connected = useOnConnected()
  const connectAtOnce = useMutation({
    mutationFn: (network: string) => unwrap(workspaceApi(slug).POST('/api/v1/accounts', { body: { network } })),
    onSuccess: connected,
    onError: useErrorNotification(),
  })
  const pendingSignIn = signIn.isPending ? signIn.variables.network : undefined
  return {
    pendingNetwork: connectAtOnce.isPending ? connectAtOnce.variables : pendingSignIn,
    begin: ({ id, connect: { kind, available, instance }, form }: Network) => {
      if (kind === 'oauth2' && available && !instance) signIn.mutate({ network: id })
      else if (form.length > 0) showForm(id)
      else connectAtOnce.mutate(id)
    },
    reconnect: ({ id, network, connected_by, form }: Account) =>
      connected_by === 'sign_in' ? signIn.mutate({ network, instance: form.instance }) : showForm(network, id),
  }
}

type AccountListProps = {
  accounts: Account[]
  networks: Network[] | undefined
  onReconnect: (account: Account) => void
}

function AccountList({ accounts, networks, onReconnect }: AccountListProps) {
  const { t } = useTranslation()
  const mayConnect = isAtLeast(useWorkspace(), 'editor')
  const easiestNetwork = useEasiestNetwork()
  return (
    <section aria-labelledby="connected">
      <Title order={2} size="h3" id="connected" mb="sm">
        {t('accounts.connected')}
      </Title>
      {accounts.length === 0 ? (
        <Card padding={0}>
          <EmptyState icon={<Share2 size={26} />} title={t('accounts.none')}>
            {mayConnect ? t('accounts.none_detail', { network: easiestNetwork }) : t('accounts.none_viewer')}
          </EmptyState>
        </Card>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
          {accounts.map((account) => (
            <AccountCard
              key={account.id}
              account={account}
              network={networks?.find(({ id }) => id === account.network)}
              onReconnect={() => onReconnect(account)}
            />
          ))}
        </SimpleGrid>
      )}
    </section>
  )
}
