import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiProblem, answered, api, queryClient, signedOut } from '../../api'
import { Problem } from '../../ui/screens'
import { useSubmit } from '../../ui/useSubmit'
import { useTitle } from '../../ui/useTitle'
import { DoorHead } from './Doors'
import { EmailField, PasswordField } from './fields'
import { instanceQuery } from './queries'

type Credentials = { email: string; password: string }

export async function signIn(body: Credentials) {
  await answered(api.POST('/api/auth/sign-in/email', { body }))
  queryClient.clear()
  signedOut.set(false)
}

export function SignIn() {
  const { t } = useTranslation()
  useTitle(t('sign_in.title'))
  const { next } = getRouteApi('/doors/sign-in').useSearch()
  const router = useRouter()
  const navigate = useNavigate()
  const instance = useQuery(instanceQuery).data
  const form = useForm<Credentials>({ initialValues: { email: '', password: '' } })
  const enter = useSubmit(form, {
    mutationFn: signIn,
    onSuccess: () => router.history.push(next ?? '/'),
    onError: (error, { email }) => {
      if (error instanceof ApiProblem && error.problem.code === 'email_not_verified')
        return navigate({ to: '/sign-up', search: { email, ...(next && { next }) } })
    },
  })

  return (
    <>
      <DoorHead title={t('sign_in.title')}>{t('sign_in.about')}</DoorHead>
      {instance?.needs_setup && (
        <Alert mb="md" title={t('sign_in.needs_setup')}>
          {t('sign_in.needs_setup_detail')}
        </Alert>
      )}
      <form onSubmit={enter.onSubmit} noValidate>
        <Stack>
          {enter.problem && <Problem error={enter.problem} />}
          <EmailField {...form.getInputProps('email')} />
          <PasswordField {...form.getInputProps('password')} />
          <Button type="submit" size="md" loading={enter.isPending}>
            {t('sign_in.submit')}
          </Button>
        </Stack>
      </form>
      <Group justify="space-between" mt="lg">
        <Text>
          {t('sign_in.no_account')}{' '}
          <Anchor renderRoot={(props) => <Link to="/sign-up" search={{ next }} {...props} />}>
            {t('sign_in.sign_up')}
          </Anchor>
        </Text>
        <Anchor component={Link} to="/forgot-password">
          {t('sign_in.forgot')}
        </Anchor>
      </Group>
    </>
  )
}
