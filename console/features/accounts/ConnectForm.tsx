import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type Account, answered, type Network, queryClient, workspaceApi } from '../../api'
import { told } from '../../i18n'
import { Password } from '../../ui/Password'
import { Problem } from '../../ui/screens'
import { useSubmit } from '../../ui/useSubmit'
import { checklistQuery, useWorkspace } from '../workspaces/queries'
import { accountsQuery } from './queries'

/** What a network says of its fields is known in English; the console says the same in its own languages. */
export const fieldText = (t: TFunction, network: string, key: string, what: 'label' | 'help', text: string) =>
  told(t, `networks.${network}.${key}_${what}`, text)

/** Says that an account is connected, and shows it. */
export function useConnected() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  return async ({ name }: Account) => {
    notifications.show({ message: t('accounts.now_connected', { name }) })
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: accountsQuery(slug).queryKey }),
      queryClient.invalidateQueries({ queryKey: checklistQuery(slug).queryKey }),
    ])
  }
}

/** The form that a network declares, field by field. `handle`: of an account that is connected again. */
export function ConnectForm({
  network,
  handle,
  onDone,
}: {
  network: Network
  handle: string | undefined
  onDone: () => void
}) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const form = useForm<Record<string, string>>({
    initialValues: {
      name: '',
      ...Object.fromEntries(
        network.form.map(({ key, default: preset = '' }) => [key, (key === 'handle' && handle) || preset]),
      ),
    },
  })
  const connected = useConnected()
  const connect = useSubmit(form, {
    mutationFn: (values) => {
      const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
      return answered(workspaceApi(slug).POST('/api/v1/accounts', { body: { ...filled, network: network.id } }))
    },
    onSuccess: async (account) => {
      await connected(account)
      onDone()
    },
  })
  return (
    <form onSubmit={connect.onSubmit} noValidate>
      <Stack>
        {connect.problem && <Problem error={connect.problem} />}
        {network.form.map(({ key, label, type, required, help = '' }) => {
          const Field = type === 'password' ? Password : TextInput
          return (
            <Field
              key={key}
              label={fieldText(t, network.id, key, 'label', label)}
              description={fieldText(t, network.id, key, 'help', help) || undefined}
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
