import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { AccessiblePasswordInput } from '../../../ui/fields/AccessiblePasswordInput'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { type AppCalls, invalidateNetworkApps, type NetworkApp } from './queries'

type Props = { app: NetworkApp; calls: AppCalls; onDone: () => void }

/** Id and secret of the app that an admin registered. */
export function NetworkAppForm({ app, calls, onDone }: Props) {
  const { t } = useTranslation()
  const { network, name, client_id, client_secret } = app
  const form = useForm({ initialValues: { client_id: client_id ?? '', client_secret: '' } })
  const save = useFormSubmit(form, {
    mutationFn: (values) =>
      calls.save(network, {
        client_id: values.client_id.trim(),
        ...(values.client_secret.trim() && { client_secret: values.client_secret.trim() }),
      }),
    onSuccess: async () => {
      notifications.show({ message: t('network_apps.saved', { network: name }) })
      await invalidateNetworkApps()
      onDone()
    },
  })
  return (
    <form onSubmit={save.onSubmit} noValidate>
      <Stack>
        {save.problem && <ProblemAlert error={save.problem} />}
        <TextInput
          label={t('network_apps.client_id')}
          required
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('client_id')}
        />
        <AccessiblePasswordInput
          label={t('network_apps.client_secret')}
          description={
            client_secret.set ? t('network_apps.secret_stays', { last4: client_secret.last4 ?? '' }) : undefined
          }
          required={!client_secret.set}
          autoComplete="off"
          {...form.getInputProps('client_secret')}
        />
        <DialogActions>
          <Button type="submit" loading={save.isPending}>
            {t('network_apps.save')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
