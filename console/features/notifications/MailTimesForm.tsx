import { Button, Card, Group, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../api'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { UnsavedChangesGuard } from '../../ui/forms/UnsavedChangesGuard'
import { useFormSubmit } from '../../ui/forms/useFormSubmit'
import { changePreferences, type NotificationPreferences, preferencesQuery } from './queries'

const valuesOf = ({ digest_time, quiet_from, quiet_until }: NotificationPreferences) => ({
  digest_time,
  is_quiet: quiet_from !== null,
  quiet_from: quiet_from ?? '22:00',
  quiet_until: quiet_until ?? '07:00',
})

/** When mails are sent, on the clocks of the user. */
export function MailTimesForm({ preferences }: { preferences: NotificationPreferences }) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: valuesOf(preferences) })
  const save = useFormSubmit(form, {
    mutationFn: ({ is_quiet, quiet_from, quiet_until, digest_time }) =>
      changePreferences({
        digest_time,
        quiet_from: is_quiet ? quiet_from : null,
        quiet_until: is_quiet ? quiet_until : null,
      }),
    onSuccess: (stored) => {
      queryClient.setQueryData(preferencesQuery.queryKey, stored)
      form.setInitialValues(valuesOf(stored))
      form.setValues(valuesOf(stored))
      notifications.show({ message: t('notifications.saved') })
    },
  })
  const { is_quiet } = form.values
  return (
    <Card component="form" onSubmit={save.onSubmit} noValidate>
      <UnsavedChangesGuard when={() => form.isDirty()} />
      <Stack gap="md">
        <div>
          <Title order={2} fz="lg">
            {t('notifications.times.title')}
          </Title>
          <Text c="dimmed" fz="sm">
            {t('notifications.times.about', { zone: preferences.timezone })}
          </Text>
        </div>
        <TextInput
          type="time"
          required
          maw={200}
          label={t('notifications.times.digest')}
          {...form.getInputProps('digest_time')}
        />
        <Switch
          label={t('notifications.times.quiet')}
          description={t('notifications.times.quiet_about')}
          {...form.getInputProps('is_quiet', { type: 'checkbox' })}
        />
        {is_quiet && (
          <Group align="flex-start">
            <TextInput
              type="time"
              required
              label={t('notifications.times.from')}
              {...form.getInputProps('quiet_from')}
            />
            <TextInput
              type="time"
              required
              label={t('notifications.times.until')}
              {...form.getInputProps('quiet_until')}
            />
          </Group>
        )}
        {save.problem && <ProblemAlert error={save.problem} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {t('notifications.times.save')}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
