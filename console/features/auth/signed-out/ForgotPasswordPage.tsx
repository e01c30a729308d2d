import '../../../theme/components'
import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { EmailField } from '../fields'
import { MailHint } from '../MailHint'
import { SignedOutHeading } from './SignedOutLayout'

export function ForgotPasswordPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('forgot.title'))
  const form = useForm({ initialValues: { email: '' } })
  const request = useFormSubmit(form, {
    mutationFn: (body) => unwrap(api.POST('/api/auth/request-password-reset', { body })),
  })
  return (
    <>
      <SignedOutHeading title={t('forgot.title')}>{t('forgot.about')}</SignedOutHeading>
      {request.isSuccess ? (
        <div role="status">
          <Text mb="md">{t('forgot.sent', { email: form.values.email })}</Text>
          <MailHint />
        </div>
      ) : (
        <form onSubmit={request.onSubmit} noValidate>
          <Stack>
            {request.problem && <ProblemAlert error={request.problem} />}
            <EmailField {...form.getInputProps('email')} />
            <Button type="submit" size="md" loading={request.isPending}>
              {t('forgot.submit')}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} to="/sign-in" mt="lg" display="inline-block">
        {t('forgot.back')}
      </Anchor>
    </>
  )
}
