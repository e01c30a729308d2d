import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, type Network, queryClient, workspaceApi } from '../../api'
import type { T } from '../../i18n'
import { Password } from '../../ui/Password'
import { fieldProblems } from '../../ui/problem'
import { Problem } from '../../ui/screens'
import { checklistQuery, useWorkspace } from '../workspaces/queries'
import { accountsQuery } from './queries'

/** What a network says of its fields is known in English; the console says the same in its own languages. */
export const fieldText = (t: T, network: string, key: string, what: 'label' | 'help', text: string) =>
  t(`networks.${network}.${key}_${what}` as 'networks.bluesky.handle_label', { defaultValue: text })

/** The form that a network declares, field by field. */
export function ConnectForm({ network, onDone }: { network: Network; onDone: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const form = useForm<Record<string, string>>({
    initialValues: {
      name: '',
      ...Object.fromEntries(network.form.map(({ key, default: preset = '' }) => [key, preset])),
    },
  })
  const connect = useMutation({
    mutationFn: (values: Record<string, string>) => {
      const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
      return answered(workspaceApi(slug).POST('/api/v1/accounts', { body: { ...filled, network: network.id } }))
    },
    onSuccess: async ({ name }) => {
      notifications.show({ message: t('accounts.now_connected', { name }) })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: accountsQuery(slug).queryKey }),
        queryClient.invalidateQueries({ queryKey: checklistQuery(slug).queryKey }),
      ])
      onDone()
    },
    onError: (error) => form.setErrors(fieldProblems(t, error)),
  })
  return (
    <form onSubmit={form.onSubmit((values) => connect.mutate(values))} noValidate>
      <Stack>
        {connect.error && Object.keys(form.errors).length === 0 && <Problem error={connect.error} />}
        {network.form.length === 0 && <Text>{t('accounts.needs_nothing_detail')}</Text>}
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
