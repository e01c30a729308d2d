import '../../../theme/components'
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { NewPasswordField } from '../fields'
import { SignedOutHeading } from './SignedOutLayout'

export function ResetPasswordPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('reset.title'))
  const { token = '' } = getRouteApi('/signed-out/reset-password').useSearch()
  const form = useForm({ initialValues: { newPassword: '' } })
  const change = useFormSubmit(form, {
    mutationFn: ({ newPassword }) => unwrap(api.POST('/api/auth/reset-password', { body: { token, newPassword } })),
  })
  if (change.isSuccess)
    return (
      <>
        <SignedOutHeading title={t('reset.done')}>{t('reset.done_detail')}</SignedOutHeading>
        <Button component={Link} to="/sign-in" size="md">
          {t('sign_in.submit')}
        </Button>
      </>
    )
  if (token === '')
    return (
      <>
        <SignedOutHeading title={t('reset.title')} />
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
      <SignedOutHeading title={t('reset.title')}>{t('reset.about')}</SignedOutHeading>
      <form onSubmit={change.onSubmit} noValidate>
        <Stack>
          {change.problem && <ProblemAlert error={change.problem} />}
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
