import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCode } from '../../../api'
import { loadCode } from '../../../load-code'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useTextFields } from '../../../ui/forms/useTextFields'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { EmailField, PasswordField } from '../fields'
import { instanceQuery } from '../queries'
import { signIn } from '../sign-in'
import { SignedOutHeading } from './SignedOutLayout'

const route = getRouteApi('/signed-out/sign-in')
const SecondFactor = lazy(async () => ({ default: (await loadCode(import('./SecondFactor'))).SecondFactor }))

export function SignInPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('sign_in.title'))
  const { next, email, step } = route.useSearch()
  const router = useRouter()
  const navigate = route.useNavigate()
  const [ended, setEnded] = useState(false)
  if (step === undefined) return <CredentialsForm ended={ended} />
  return (
    <Suspense>
      <SecondFactor
        step={step}
        search={{ next, email }}
        // The back button must not lead to a finished step.
        onIn={() => router.history.replace(next ?? '/')}
        onEnded={() => {
          setEnded(true)
          void navigate({ search: { next, email }, replace: true })
        }}
      />
    </Suspense>
  )
}

function CredentialsForm({ ended }: { ended: boolean }) {
  const { t } = useTranslation()
  const { next, email = '', told } = route.useSearch()
  const router = useRouter()
  const navigate = route.useNavigate()
  const instance = useQuery(instanceQuery).data
  const form = useTextFields({ email, password: '' })
  const begin = useFormSubmit(form, {
    mutationFn: signIn,
    onSuccess: (asksForCode, { email }) =>
      asksForCode ? navigate({ search: { next, email, step: 'code' } }) : router.navigate({ href: next ?? '/' }),
    onError: (error, { email }) => {
      if (isCode(error, 'email_not_verified'))
        return navigate({ to: '/sign-up', search: { email, ...(next && { next }) } })
    },
  })

  return (
    <>
      <SignedOutHeading title={t('sign_in.title')}>{t('sign_in.about')}</SignedOutHeading>
      {instance?.needs_setup && (
        <Alert mb="md" title={t('sign_in.needs_setup')}>
          {t('sign_in.needs_setup_detail')}
        </Alert>
      )}
      {told === 'deleted' && (
        <Alert mb="md" title={t('sign_in.deleted')} role="status">
          {t('sign_in.deleted_detail')}
        </Alert>
      )}
      {ended && !begin.problem && (
        <Alert mb="md" color="yellow" title={t('second_factor.ended')} role="alert">
          {t('second_factor.ended_detail')}
        </Alert>
      )}
      <form onSubmit={begin.onSubmit} noValidate>
        <Stack>
          {begin.problem && <ProblemAlert error={begin.problem} />}
          <EmailField {...form.getInputProps('email')} />
          <PasswordField autoFocus={email !== ''} {...form.getInputProps('password')} />
          <Button type="submit" size="md" loading={begin.isPending}>
            {t('sign_in.submit')}
          </Button>
        </Stack>
      </form>
      <Group justify="space-between" mt="lg">
        {instance && instance.sign_up !== 'open' ? (
          <Text c="dimmed">{t(`sign_up.${instance.sign_up}_short`)}</Text>
        ) : (
          <Text>
            {t('sign_in.no_account')}{' '}
            <AnchorLink to="/sign-up" search={{ next }}>
              {t('sign_in.sign_up')}
            </AnchorLink>
          </Text>
        )}
        <Anchor component={Link} to="/forgot-password">
          {t('sign_in.forgot')}
        </Anchor>
      </Group>
    </>
  )
}
