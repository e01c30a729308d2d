import { Alert, Anchor, Button, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, api } from '../../api'
import { currentLanguage, localeFor } from '../../i18n'
import { Password } from '../../ui/Password'
import { fieldProblems } from '../../ui/problem'
import { Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { browserZone, zones } from '../../ui/zones'
import { DoorHead } from '../auth/Doors'
import { instanceQuery } from '../auth/queries'
import { signIn } from '../auth/SignIn'

/** Where the one-time link of the first start leads: makes the first admin, and the first workspace. */
export function SetUp() {
  const { t } = useTranslation()
  useTitle(t('setup.title'))
  const { code = '' } = getRouteApi('/doors/setup').useSearch()
  const { needs_setup } = useSuspenseQuery(instanceQuery).data
  const router = useRouter()
  const form = useForm({
    initialValues: { name: '', email: '', password: '', workspace_name: '', timezone: browserZone() },
  })
  const begin = useMutation({
    mutationFn: async (values: typeof form.values) => {
      const locale = localeFor(currentLanguage())
      await answered(api.POST('/api/v1/setup', { body: { code, locale, ...values } }))
      await signIn({ email: values.email, password: values.password })
    },
    onSuccess: () => router.history.push('/'),
    onError: (error) => form.setErrors(fieldProblems(t, error)),
  })

  if (!needs_setup && !begin.isPending)
    return (
      <>
        <DoorHead title={t('setup.done')}>{t('setup.done_detail')}</DoorHead>
        <Button component={Link} to="/sign-in" size="md">
          {t('sign_in.submit')}
        </Button>
      </>
    )
  return (
    <>
      <DoorHead title={t('setup.title')}>{t('setup.about')}</DoorHead>
      {code === '' && (
        <Alert color="yellow" mb="md" title={t('setup.no_code')}>
          {t('setup.no_code_detail')}
        </Alert>
      )}
      <form onSubmit={form.onSubmit((values) => begin.mutate(values))} noValidate>
        <Stack>
          {begin.error && Object.keys(form.errors).length === 0 && <Problem error={begin.error} />}
          <TextInput label={t('person.name')} autoComplete="name" required {...form.getInputProps('name')} />
          <TextInput
            label={t('person.email')}
            type="email"
            autoComplete="username"
            required
            {...form.getInputProps('email')}
          />
          <Password
            label={t('person.password')}
            description={t('person.password_rule')}
            autoComplete="new-password"
            required
            {...form.getInputProps('password')}
          />
          <TextInput
            label={t('workspace.name')}
            description={t('workspace.name_about')}
            required
            {...form.getInputProps('workspace_name')}
          />
          <Select
            label={t('workspace.timezone')}
            description={t('workspace.timezone_about')}
            data={zones()}
            searchable
            allowDeselect={false}
            nothingFoundMessage={t('ui.nothing_found')}
            {...form.getInputProps('timezone')}
          />
          <Button type="submit" size="md" loading={begin.isPending}>
            {t('setup.submit')}
          </Button>
        </Stack>
      </form>
      <Anchor component={Link} to="/sign-in" mt="lg" display="inline-block">
        {t('setup.have_account')}
      </Anchor>
    </>
  )
}
