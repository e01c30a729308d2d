import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, api } from '../../api'
import { Problem } from '../../ui/screens'
import { useSubmit } from '../../ui/useSubmit'
import { useTitle } from '../../ui/useTitle'
import { DoorHead } from './Doors'
import { NewPasswordField } from './fields'

export function ResetPassword() {
  const { t } = useTranslation()
  useTitle(t('reset.title'))
  const { token = '' } = getRouteApi('/doors/reset-password').useSearch()
  const form = useForm({ initialValues: { newPassword: '' } })
  const change = useSubmit(form, {
    mutationFn: ({ newPassword }) => answered(api.POST('/api/auth/reset-password', { body: { token, newPassword } })),
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
  if (token === '')
    return (
      <>
        <DoorHead title={t('reset.title')} />
        <Alert color="yellow" mb="md" title={t('reset.no_token')}>
          {t('reset.no_token_detail')}
        </Alert>
        <Anchor component={Link} to="/forgot-password">
          {t('reset.ask')}
        </Anchor>
      </>
    )
  return (
    <>
      <DoorHead title={t('reset.title')}>{t('reset.about')}</DoorHead>
      <form onSubmit={change.onSubmit} noValidate>
        <Stack>
          {change.problem && <Problem error={change.problem} />}
          <NewPasswordField label={t('reset.password')} {...form.getInputProps('newPassword')} />
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
