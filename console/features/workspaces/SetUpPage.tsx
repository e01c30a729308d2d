import '../../theme/components'
import { Alert, Anchor, Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../api'
import { currentLanguage, localeFor } from '../../i18n'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../ui/forms/useFormSubmit'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { browserZone } from '../../ui/text/time-zone'
import { EmailField, NameField, NewPasswordField } from '../auth/fields'
import { signIn } from '../auth/sign-in'
import { SignedOutHeading } from '../auth/signed-out/SignedOutLayout'
import { WorkspaceNameField, ZoneField } from './fields'

const route = getRouteApi('/signed-out/setup')

/** The page of the first start's one-time link: creates the first admin and the first workspace. */
export function SetUpPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('setup.title'))
  const { code = '' } = route.useSearch()
  // As it was when the page was opened: sending the form changes it.
  const { needs_setup } = route.useLoaderData()
  const router = useRouter()
  const form = useForm({
    initialValues: { name: '', email: '', password: '', workspace_name: '', timezone: browserZone() },
  })
  const begin = useFormSubmit(form, {
    mutationFn: async (values) => {
      const locale = localeFor(currentLanguage())
      await unwrap(api.POST('/api/v1/setup', { body: { code, locale, ...values } }))
      await signIn({ email: values.email, password: values.password })
    },
    onSuccess: () => router.navigate({ to: '/' }),
  })

  if (!needs_setup)
    return (
      <>
        <SignedOutHeading title={t('setup.done')}>{t('setup.done_detail')}</SignedOutHeading>
        <Button component={Link} to="/sign-in" size="md">
          {t('sign_in.submit')}
        </Button>
      </>
    )
  return (
    <>
      <SignedOutHeading title={t('setup.title')}>{t('setup.about')}</SignedOutHeading>
      {code === '' && (
        <Alert color="yellow" mb="md" title={t('setup.no_code')}>
          {t('setup.no_code_detail')}
        </Alert>
      )}
      <form onSubmit={begin.onSubmit} noValidate>
        <Stack>
          {begin.problem && <ProblemAlert error={begin.problem} />}
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
