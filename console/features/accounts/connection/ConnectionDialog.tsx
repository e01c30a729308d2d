import { Avatar, Badge, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import { langOfEnglishText } from '../../../i18n'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { NetworkResponse } from '../../networks/NetworkResponse'
import { useNetworkNames } from '../../networks/queries'
import { checklistQuery, useWorkspace } from '../../workspaces/queries'
import { reloadAccounts } from '../queries'
import { SignInApp } from './SignInApp'
import { useSignIn } from './useSignIn'

const connectionQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['connections', workspace, id],
    queryFn: () =>
      unwrap(workspaceApi(workspace).GET('/api/v1/accounts/connections/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? 2000 : false),
  })

type Connection = Awaited<ReturnType<NonNullable<ReturnType<typeof connectionQuery>['queryFn']>>>

/** Shows what came of a sign-in at a network: accounts to choose from, or the reason of its failure. */
export function ConnectionDialog({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { data, error } = useQuery({ ...connectionQuery(slug, id ?? ''), enabled: id !== undefined })
  const networkName = useNetworkNames()
  const isConnected = data?.status === 'connected'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each sign-in that is connected
  useEffect(() => {
    if (!id || !isConnected) return
    notifications.show({ message: t('accounts.sign_in.connected', { count: data.account_ids.length }) })
    void reloadAccounts(slug)
    void queryClient.invalidateQueries({ queryKey: checklistQuery(slug).queryKey })
    onClose()
  }, [id, isConnected])
  return (
    <Dialog
      opened={id !== undefined && !isConnected}
      onClose={onClose}
      title={data ? t('accounts.connect_to', { network: networkName(data.network) }) : t('accounts.connect')}
    >
      {error && <ProblemAlert error={error} />}
      {!error && (!data || data.status === 'waiting') && <LoadingSkeleton lines={3} />}
      {data?.status === 'choose' && <Choice connection={data} onClose={onClose} />}
      {data?.status === 'failed' && data.error && <Failure connection={data} onClose={onClose} />}
    </Dialog>
  )
}

function Choice({
  connection: { id, network, app, candidates },
  onClose,
}: {
  connection: Connection
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [chosen, setChosen] = useState<string[]>([])
  const choose = useMutation({
    mutationFn: () =>
      unwrap(
        workspaceApi(slug).POST('/api/v1/accounts/connections/{id}/choose', {
          params: { path: { id } },
          body: { external_ids: chosen },
        }),
      ),
    onSuccess: (connection) => queryClient.setQueryData(connectionQuery(slug, id).queryKey, connection),
  })
  return (
    <Stack>
      {choose.error && <ProblemAlert error={choose.error} />}
      <Checkbox.Group label={t('accounts.sign_in.choose')} value={chosen} onChange={setChosen}>
        <Stack gap="xs" mt="xs">
          {candidates.map(({ external_id, name, handle, connected }) => (
            <Checkbox.Card key={external_id} value={external_id} p="sm" radius="md">
              <Group wrap="nowrap">
                <Checkbox.Indicator />
                <Avatar name={name} size={36} alt="" />
                <div style={{ minWidth: 0, flex: 1 }}>
                  <Text fw={600} truncate dir="auto">
                    {name}
                  </Text>
                  <Text c="dimmed" fz="sm" truncate>
                    {handle}
                  </Text>
                </div>
                {connected && (
                  <Badge variant="light" color="gray">
                    {t('accounts.sign_in.known')}
                  </Badge>
                )}
              </Group>
            </Checkbox.Card>
          ))}
        </Stack>
      </Checkbox.Group>
      <SignInApp network={network} app={app} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button disabled={chosen.length === 0} loading={choose.isPending} onClick={() => choose.mutate()}>
          {chosen.length > 0 ? t('accounts.sign_in.connect', { count: chosen.length }) : t('accounts.connect_button')}
        </Button>
      </DialogActions>
    </Stack>
  )
}

function Failure({
  connection: { network, instance, app, error },
  onClose,
}: {
  connection: Connection
  onClose: () => void
}) {
  const { t } = useTranslation()
  const networkName = useNetworkNames()
  const signIn = useSignIn()
  if (!error) return null
  const hasOwnText = ['expired', 'denied', 'app_changed', 'app_forgotten'].includes(error.code)
  const isOurs = ['scopes_missing', 'not_allowed', 'no_account'].includes(error.code)
  return (
    <Stack>
      <Text>
        {error.code === 'app_refused' && app === 'workspace'
          ? t('accounts.sign_in.failed.own_app_refused')
          : t(`accounts.sign_in.failed.${error.code}`)}
      </Text>
      {isOurs ? (
        <Text c="dimmed" fz="sm" className="text" lang={langOfEnglishText()}>
          {error.message}
        </Text>
      ) : (
        !hasOwnText && <NetworkResponse network={networkName(network)} message={error.message} c="dimmed" />
      )}
      <SignInApp network={network} app={app} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('ui.close')}
        </Button>
        <Button loading={signIn.isPending} onClick={() => signIn.mutate({ network, instance })}>
          {t('accounts.sign_in.again')}
        </Button>
      </DialogActions>
    </Stack>
  )
}
