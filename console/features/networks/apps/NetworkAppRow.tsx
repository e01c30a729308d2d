import { Alert, Badge, Button, Group, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFormat } from '../../../ui/text/format'
import { NetworkLogo } from '../NetworkIcon'
import { NetworkResponse } from '../NetworkResponse'
import { NetworkAppDialog } from './NetworkAppDialog'
import classes from './NetworkApps.module.css'
import { type AppCalls, invalidateNetworkApps, type NetworkApp } from './queries'

/** A network in the list: whether it is set up, and how to do that. */
export function NetworkAppRow({ app, calls }: { app: NetworkApp; calls: AppCalls }) {
  const { t } = useTranslation()
  const [editing, setEditing] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const { network, name, registration } = app
  const isSetUp = app.client_secret.set
  const isOwn = app.app_in_use !== undefined
  const titleId = `app-${network}`
  const test = useMutation({
    mutationFn: () => calls.test(network),
    onSuccess: ({ ok, message }) =>
      notifications.show(
        ok
          ? { message: t('network_apps.accepted', { network: name }) }
          : { message: t('network_apps.refused', { network: name, reason: message }), color: 'coral' },
      ),
    onError: useErrorNotification(),
    onSettled: invalidateNetworkApps,
  })
  const remove = useMutation({
    mutationFn: () => calls.remove(network),
    onSuccess: async () => {
      setDeleting(false)
      await invalidateNetworkApps()
    },
  })
  return (
    <section className={classes.app} aria-labelledby={titleId}>
      <Group justify="space-between">
        <Group wrap="nowrap" className={classes.name}>
          <NetworkLogo icon={app.icon} size={36} />
          <div>
            <Title order={2} size="h4" id={titleId}>
              {name}
            </Title>
            <Text c="dimmed" fz="sm">
              {isSetUp
                ? t('network_apps.accounts', { count: app.accounts })
                : t(`network_apps.works_for.${registration.works_for}`)}
            </Text>
          </div>
        </Group>
        <AppBadge app={app} />
        <Group gap="xs" className={classes.actions}>
          <Button variant={isSetUp ? 'default' : 'light'} onClick={() => setEditing(true)}>
            {t(isSetUp ? 'network_apps.change' : isOwn ? 'network_apps.set_up_own' : 'network_apps.set_up')}
          </Button>
          {isSetUp && (
            <>
              <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
                {t('network_apps.test')}
              </Button>
              <Button variant="subtle" color="coral" onClick={() => setDeleting(true)}>
                {t('network_apps.delete')}
              </Button>
            </>
          )}
        </Group>
      </Group>
      {app.refused_reason && <RefusalAlert name={name} reason={app.refused_reason} />}
      {isSetUp && !isOwn && <ApiVersionAlert app={app} />}
      <NetworkAppDialog app={app} calls={calls} opened={editing} onClose={() => setEditing(false)} />
      <ConfirmDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        title={t('network_apps.delete_ask', { network: name })}
        confirm={t('network_apps.delete')}
        mutation={remove}
        onConfirm={() => remove.mutate()}
      >
        {t(isOwn ? 'network_apps.delete_own_detail' : 'network_apps.delete_detail')}
      </ConfirmDialog>
    </section>
  )
}

function AppBadge({ app: { client_secret, refused_at, app_in_use } }: { app: NetworkApp }) {
  const { t } = useTranslation()
  const [state, color] = !client_secret.set
    ? ([app_in_use === 'instance' ? 'is_of_instance' : 'is_missing', 'gray'] as const)
    : refused_at
      ? (['is_refused', 'coral'] as const)
      : ([app_in_use ? 'is_own' : 'is_set_up', 'success'] as const)
  return (
    <Badge variant="light" color={color}>
      {t(`network_apps.${state}`)}
    </Badge>
  )
}

function RefusalAlert({ name, reason }: { name: string; reason: string }) {
  const { t } = useTranslation()
  return (
    <Alert
      mt="md"
      color="coral"
      icon={<CircleAlert size={18} />}
      title={t('network_apps.refused_title', { network: name })}
    >
      <NetworkResponse network={name} message={reason} />
    </Alert>
  )
}

/** Warns while there is time to move to a newer version of the API. */
function ApiVersionAlert({ app: { name, api_version } }: { app: NetworkApp }) {
  const { t } = useTranslation()
  const format = useFormat('UTC')
  if (!api_version?.served_until || api_version.state === 'served') return null
  const { version, served_until, state } = api_version
  return (
    <Alert
      mt="md"
      color={state === 'ended' ? 'coral' : 'yellow'}
      icon={<CircleAlert size={18} />}
      title={t(`network_apps.version_${state}`, { network: name, version, date: format.date(served_until) })}
    >
      {t('network_apps.version_detail')}
    </Alert>
  )
}
