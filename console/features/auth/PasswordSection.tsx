import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { answered, api, queryClient } from '../../api'
import { Dialog } from '../../ui/Dialog'
import { Problem } from '../../ui/screens'
import { useSubmit } from '../../ui/useSubmit'
import { NewPasswordField, PasswordField } from './fields'
import { ForManagers } from './PasswordForm'
import { sessionsQuery } from './queries'
import { Section } from './Section'

export function PasswordSection() {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <Section title={t('person.password')} about={t('profile.password_about')}>
      <Button variant="default" onClick={open}>
        {t('profile.password_change')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('profile.password_change')}>
        <ChangePassword onClose={close} />
      </Dialog>
    </Section>
  )
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { current_password: '', new_password: '' } })
  const change = useSubmit(form, {
    at: { password_wrong: 'current_password' },
    mutationFn: (body) => answered(api.POST('/api/v1/me/password', { body })),
    onSuccess: () => {
      onClose()
      notifications.show({ message: t('profile.password_changed') })
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  return (
    <form onSubmit={change.onSubmit} noValidate>
      <Stack>
        {change.problem && <Problem error={change.problem} />}
        <ForManagers />
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
