import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { type Account, type Network, queryClient, unwrap, workspaceApi } from '../../api'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { AccessiblePasswordInput } from '../../ui/fields/AccessiblePasswordInput'
import { useFormSubmit } from '../../ui/forms/useFormSubmit'
import { GuideLink } from '../../ui/navigation/WithGuide'
import { checklistQuery, useWorkspace } from '../workspaces/queries'
import { reloadAccounts } from './queries'

/** Notifies that an account is connected, and reloads accounts and checklist. */
export function useOnConnected() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  return async ({ name }: Account) => {
    notifications.show({ message: t('accounts.now_connected', { name }) })
    await Promise.all([
      reloadAccounts(slug),
      queryClient.invalidateQueries({ queryKey: checklistQuery(slug).queryKey }),
    ])
  }
}

/** Renders the form a network declares, field by field. `known`: the account being reconnected. */
export function ConnectForm({
  network,
  known,
  onDone,
}: {
  network: Network
  known: Account | undefined
  onDone: () => void
}) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const form = useForm<Record<string, string>>({
    initialValues: {
      ...Object.fromEntries(network.form.map(({ key, default: preset = '' }) => [key, preset])),
      ...known?.form,
      ...(known?.form.handle !== undefined && { handle: known.handle }),
      name: known?.name ?? '',
    },
  })
  const connected = useOnConnected()
  const connect = useFormSubmit(form, {
    mutationFn: (values) => {
      const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
      return unwrap(workspaceApi(slug).POST('/api/v1/accounts', { body: { ...filled, network: network.id } }))
    },
    onSuccess: async (account) => {
      await connected(account)
      onDone()
    },
  })
  return (
    <form onSubmit={connect.onSubmit} noValidate>
      <Stack>
        {connect.problem && <ProblemAlert error={connect.problem} />}
        <Text fz="sm">
          <GuideLink path={`networks/${network.id}`}>{t('guides.network', { network: network.name })}</GuideLink>
        </Text>
        {network.form.map(({ key, label, type, required, help }) => {
          const Field = type === 'password' ? AccessiblePasswordInput : TextInput
          return (
            <Field
              key={key}
              label={label}
              description={help}
              required={required}
              inputMode={type === 'url' ? 'url' : 'text'}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              {...form.getInputProps(key)}
            />
          )
        })}
        <TextInput
          label={t('accounts.name')}
          description={t('accounts.name_about')}
          placeholder={network.name}
          {...form.getInputProps('name')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={connect.isPending}>
            {t('accounts.connect_button')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
