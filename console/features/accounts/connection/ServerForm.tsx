import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { type Network, unwrap, workspaceApi } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { GuideLink } from '../../../ui/navigation/WithGuide'
import { useWorkspace } from '../../workspaces/queries'
import { openSignIn } from './useSignIn'

/** Asks for the server that an account is on, and sends the browser there. */
export function ServerForm({ network }: { network: Network }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const form = useForm({ initialValues: { instance: '' } })
  const start = useFormSubmit(form, {
    mutationFn: ({ instance }) =>
      unwrap(workspaceApi(slug).POST('/api/v1/accounts/connections', { body: { network: network.id, instance } })),
    onSuccess: openSignIn,
  })
  return (
    <form onSubmit={start.onSubmit} noValidate>
      <Stack>
        {start.problem && <ProblemAlert error={start.problem} />}
        <Text fz="sm">
          <GuideLink path={`networks/${network.id}`}>{t('guides.network', { network: network.name })}</GuideLink>
        </Text>
        <TextInput
          label={network.connect.instance?.label}
          description={network.connect.instance?.help}
          required
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('instance')}
        />
        <Text c="dimmed" fz="sm">
          {t('accounts.sign_in.registers')}
        </Text>
        <Group justify="flex-end">
          <Button type="submit" loading={start.isPending}>
            {t('accounts.sign_in.go')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
