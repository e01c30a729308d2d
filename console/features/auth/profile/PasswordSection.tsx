import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { api, queryClient, unwrap } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { NewPasswordField, PasswordField } from '../fields'
import { sessionsQuery } from '../queries'
import { PasswordManagerUsername } from './PasswordForm'
import { ProfileSection } from './ProfileSection'

export function PasswordSection() {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <ProfileSection title={t('person.password')} about={t('profile.password_about')}>
      <Button variant="default" onClick={open}>
        {t('profile.password_change')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('profile.password_change')}>
        <ChangePassword onClose={close} />
      </Dialog>
    </ProfileSection>
  )
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { current_password: '', new_password: '' } })
  const change = useFormSubmit(form, {
    at: { password_wrong: 'current_password' },
    mutationFn: (body) => unwrap(api.POST('/api/v1/me/password', { body })),
    onSuccess: () => {
      onClose()
      notifications.show({ message: t('profile.password_changed') })
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  return (
    <form onSubmit={change.onSubmit} noValidate>
      <Stack>
        {change.problem && <ProblemAlert error={change.problem} />}
        <PasswordManagerUsername />
        <PasswordField label={t('profile.password_current')} {...form.getInputProps('current_password')} />
        <NewPasswordField label={t('reset.password')} {...form.getInputProps('new_password')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('reset.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
