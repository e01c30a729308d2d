import { Anchor, Button, Card, Group, SimpleGrid, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../api'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { useFormat } from '../../ui/text/format'
import { meQuery } from '../auth/queries'
import { NetworkIcon } from '../networks/NetworkIcon'
import { isAtLeast, useWorkspace } from '../workspaces/queries'

type Actions = {
  onConnect: (network: Network) => void
  /** Connects with credentials instead of a sign-in. */
  onConnectByKeys: (network: Network) => void
}

type ListProps = Actions & {
  title: string
  networks: Network[]
  /** The network to which an account is being connected. */
  pending: string | undefined
}

/** The networks to which accounts can be connected. */
export function NetworkList({ title, networks, pending, ...actions }: ListProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const isInstanceAdmin = useQuery(meQuery).data?.is_instance_admin === true
  const isAdmin = isAtLeast(useWorkspace(), 'admin')
  const missing = networks.filter((network) => !canConnect(network))
  return (
    <section aria-labelledby="networks">
      <Title order={2} size="h3" id="networks" mt="xl" mb="sm">
        {title}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
        {networks
          // Networks that are not set up are shown to those who can set them up.
          .filter((network) => canConnect(network) || isInstanceAdmin || isAdmin)
          .map((network) => (
            <NetworkCard
              key={network.id}
              network={network}
              isPending={pending === network.id}
              isInstanceAdmin={isInstanceAdmin}
              {...actions}
            />
          ))}
      </SimpleGrid>
      {missing.length > 0 && !isInstanceAdmin && !isAdmin && (
        <Text c="dimmed" mt="md">
          {t('accounts.not_set_up_ask', { networks: format.list(missing.map(({ name }) => name)) })}
        </Text>
      )}
    </section>
  )
}

const canConnect = ({ connect, form }: Network) => connect.available || form.length > 0

type CardProps = Actions & { network: Network; isPending: boolean; isInstanceAdmin: boolean }

function NetworkCard({ network, isPending, isInstanceAdmin, onConnect, onConnectByKeys }: CardProps) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const needs = useNeeds(network)
  const { id, name, description, connect, form } = network
  const [field, ...more] = form.filter(({ type }) => type === 'password').map(({ label }) => label)
  /** The only secret of the form, such as an app password. Several are the keys of an app. */
  const secret = field !== undefined && more.length === 0 ? { field, network: name } : undefined
  return (
    <Card component="article" aria-labelledby={`network-${id}`}>
      <Group wrap="nowrap" align="flex-start" mb="sm">
        <NetworkIcon network={id} size={36} />
        <div>
          <Text fw={650} id={`network-${id}`}>
            {name}
          </Text>
          <Text c="dimmed" fz="sm">
            {description}
          </Text>
        </div>
      </Group>
      <Group justify="space-between" align="flex-end" wrap="nowrap" mt="auto" gap="xs">
        <Text c="dimmed" fz="sm">
          {needs}
        </Text>
        {canConnect(network) ? (
          <Button
            variant="light"
            style={{ flexShrink: 0 }}
            loading={isPending}
            onClick={() => onConnect(network)}
            aria-label={t('accounts.connect_to', { network: name })}
          >
            {t('accounts.connect_button')}
          </Button>
        ) : (
          <ButtonLink
            {...(isInstanceAdmin
              ? { to: '/admin/networks' }
              : { to: '/w/$workspace/network-apps', params: { workspace: slug } })}
            variant="default"
            style={{ flexShrink: 0 }}
            aria-label={t('accounts.set_up_of', { network: name })}
          >
            {t('accounts.set_up')}
          </ButtonLink>
        )}
      </Group>
      {connect.kind === 'oauth2' && connect.available && form.length > 0 && (
        <Anchor
          component="button"
          type="button"
          fz="sm"
          mt="xs"
          ta="start"
          onClick={() => onConnectByKeys(network)}
          aria-label={
            secret ? t('accounts.connect_by_field_to', secret) : t('accounts.connect_by_keys_to', { network: name })
          }
        >
          {secret ? t('accounts.connect_by_field', secret) : t('accounts.connect_by_keys')}
        </Anchor>
      )}
    </Card>
  )
}

/** Lists the fields the user has to fill in: required ones without a default, or else one of several secrets. */
function useNeeds({ name, connect: { kind, available, app, instance }, form }: Network) {
  const { t } = useTranslation()
  const format = useFormat()
  if (kind === 'oauth2' && available)
    return t(`accounts.needs_sign_in.${instance ? 'server' : (app ?? 'instance')}`, { network: name })
  if (!available && form.length === 0) return t('accounts.not_set_up')
  const labels = (fields: Network['form']) => fields.map(({ label }) => label)
  const asked = labels(form.filter(({ required, default: preset }) => required && !preset))
  const either = labels(form.filter(({ type }) => type === 'password'))
  const what = asked.length ? asked.join(', ') : format.alternatives(either)
  return what ? t('accounts.needs', { what }) : t('accounts.needs_nothing')
}
