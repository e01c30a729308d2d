import { Alert, Anchor, Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, api } from '../../api'
import { currentLanguage, localeFor } from '../../i18n'
import { Problem } from '../../ui/screens'
import { useSubmit } from '../../ui/useSubmit'
import { useTitle } from '../../ui/useTitle'
import { browserZone } from '../../ui/zone'
import { DoorHead } from '../auth/Doors'
import { signIn } from '../auth/enter'
import { EmailField, NameField, NewPasswordField } from '../auth/fields'
import { instanceQuery } from '../auth/queries'
import { WorkspaceNameField, ZoneField } from './fields'

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
  const begin = useSubmit(form, {
    mutationFn: async (values) => {
      const locale = localeFor(currentLanguage())
      await answered(api.POST('/api/v1/setup', { body: { code, locale, ...values } }))
      await signIn({ email: values.email, password: values.password })
    },
    onSuccess: () => router.history.push('/'),
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
      <form onSubmit={begin.onSubmit} noValidate>
        <Stack>
          {begin.problem && <Problem error={begin.problem} />}
          <NameField {...form.getInputProps('name')} />
          <EmailField {...form.getInputProps('email')} />
          <NewPasswordField {...form.getInputProps('password')} />
          <WorkspaceNameField {...form.getInputProps('workspace_name')} />
          <ZoneField {...form.getInputProps('timezone')} />
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
