import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, api } from '../../api'
import { fieldProblems } from '../../ui/problem'
import { Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { DoorHead } from './Doors'
import { MailHint } from './MailHint'

export function ForgotPassword() {
  const { t } = useTranslation()
  useTitle(t('forgot.title'))
  const form = useForm({ initialValues: { email: '' } })
  const request = useMutation({
    mutationFn: (body: { email: string }) => answered(api.POST('/api/auth/request-password-reset', { body })),
    onError: (error) => form.setErrors(fieldProblems(t, error)),
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
        <form onSubmit={form.onSubmit((values) => request.mutate(values))} noValidate>
          <Stack>
            {request.error && Object.keys(form.errors).length === 0 && <Problem error={request.error} />}
            <TextInput
              label={t('person.email')}
              type="email"
              autoComplete="username"
              required
              {...form.getInputProps('email')}
            />
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
