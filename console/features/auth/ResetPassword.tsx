import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, api } from '../../api'
import { Password } from '../../ui/Password'
import { fieldProblems } from '../../ui/problem'
import { Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { DoorHead } from './Doors'

export function ResetPassword() {
  const { t } = useTranslation()
  useTitle(t('reset.title'))
  const { token = '' } = getRouteApi('/doors/reset-password').useSearch()
  const form = useForm({ initialValues: { newPassword: '' } })
  const change = useMutation({
    mutationFn: ({ newPassword }: { newPassword: string }) =>
      answered(api.POST('/api/auth/reset-password', { body: { token, newPassword } })),
    onError: (error) => form.setErrors(fieldProblems(t, error)),
  })
  if (change.isSuccess)
    return (
      <>
        <DoorHead title={t('reset.done')}>{t('reset.done_detail')}</DoorHead>
        <Button component={Link} to="/sign-in" size="md">
          {t('sign_in.submit')}
        </Button>
      </>
    )
  return (
    <>
      <DoorHead title={t('reset.title')}>{t('reset.about')}</DoorHead>
      <form onSubmit={form.onSubmit((values) => change.mutate(values))} noValidate>
        <Stack>
          {change.error && !form.errors.newPassword && <Problem error={change.error} />}
          <Password
            label={t('reset.password')}
            description={t('person.password_rule')}
            autoComplete="new-password"
            required
            {...form.getInputProps('newPassword')}
          />
          <Button type="submit" size="md" loading={change.isPending}>
            {t('reset.submit')}
          </Button>
        </Stack>
      </form>
      <Text mt="lg">
        {t('reset.expired')}{' '}
        <Anchor component={Link} to="/forgot-password">
          {t('reset.again')}
        </Anchor>
      </Text>
    </>
  )
}
