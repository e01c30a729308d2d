import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, api } from '../../api'
import { Problem } from '../../ui/screens'
import { useSubmit } from '../../ui/useSubmit'
import { useTitle } from '../../ui/useTitle'
import { DoorHead } from './Doors'
import { EmailField } from './fields'
import { MailHint } from './MailHint'

export function ForgotPassword() {
  const { t } = useTranslation()
  useTitle(t('forgot.title'))
  const form = useForm({ initialValues: { email: '' } })
  const request = useSubmit(form, {
    mutationFn: (body) => answered(api.POST('/api/auth/request-password-reset', { body })),
  })
  return (
    <>
      <DoorHead title={t('forgot.title')}>{t('forgot.about')}</DoorHead>
      {request.isSuccess ? (
        <div role="status">
          <Text mb="md">{t('forgot.sent', { email: form.values.email })}</Text>
          <MailHint />
        </div>
      ) : (
        <form onSubmit={request.onSubmit} noValidate>
          <Stack>
            {request.problem && <Problem error={request.problem} />}
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
