import '../../../theme/components'
import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, isCode, unwrap } from '../../../api'
import { currentLanguage, localeFor } from '../../../i18n'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { browserZone } from '../../../ui/text/time-zone'
import { CodeField, useSubmitOnSixthDigit } from '../CodeField'
import { EmailField, NameField, NewPasswordField, PasswordField } from '../fields'
import { MailHint } from '../MailHint'
import { changeMe, instanceQuery, invitationQuery } from '../queries'
import { signIn } from '../sign-in'
import { SignedOutHeading } from './SignedOutLayout'

type NewUser = { name: string; email: string; password: string }

/** First the details, then the code from the mail. `email` in the URL skips to the code; an invitation presets it. */
export function SignUpPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('sign_up.title'))
  const { next, email, invitation } = getRouteApi('/signed-out/sign-up').useSearch()
  const open = useQuery(instanceQuery).data?.sign_up ?? 'open'
  const invited = useQuery({ ...invitationQuery(invitation ?? ''), enabled: invitation !== undefined })
  const navigate = useNavigate()
  const [known, setKnown] = useState<NewUser>()
  const go = (email?: string) => void navigate({ to: '/sign-up', search: { next, email, invitation } })
  if (email === undefined && (open === 'closed' || (open === 'invitation' && invitation === undefined)))
    return <SignUpClosed why={open} next={next} />
  if (email === undefined && invited.isLoading) return <LoadingSkeleton lines={3} />
  if (email === undefined)
    return (
      <SignUpForm
        next={next}
        invited={invited.data?.email}
        invitation={invited.data && invitation}
        onDone={(person) => {
          setKnown(person)
          go(person.email)
        }}
      />
    )
  const person = known?.email === email ? known : { name: '', email, password: '' }
  return <VerifyEmailForm key={email} person={person} next={next} onBack={() => go()} />
}

/** Replaces the form where sign-up is not open to everybody. */
function SignUpClosed({ why, next }: { why: 'closed' | 'invitation'; next: string | undefined }) {
  const { t } = useTranslation()
  return (
    <>
      <SignedOutHeading title={t(`sign_up.${why}`)}>{t(`sign_up.${why}_detail`)}</SignedOutHeading>
      <ButtonLink to="/sign-in" search={{ next }} size="md">
        {t('sign_in.submit')}
      </ButtonLink>
    </>
  )
}

function SignUpForm({
  next,
  invited,
  invitation,
  onDone,
}: {
  next: string | undefined
  /** The address the invitation was sent to. */
  invited: string | undefined
  invitation: string | undefined
  onDone: (person: NewUser) => void
}) {
  const { t } = useTranslation()
  const form = useForm<NewUser>({ initialValues: { name: '', email: invited ?? '', password: '' } })
  const register = useFormSubmit(form, {
    mutationFn: (person) =>
      unwrap(
        api.POST('/api/auth/sign-up/email', {
          body: { ...person, locale: localeFor(currentLanguage()), ...(invitation && { invitation }) },
        }),
      ),
    onSuccess: (_, person) => onDone(person),
  })
  return (
    <>
      <SignedOutHeading title={t('sign_up.title')}>{t('sign_up.about')}</SignedOutHeading>
      <form onSubmit={register.onSubmit} noValidate>
        <Stack>
          {register.problem && <ProblemAlert error={register.problem} />}
          <NameField {...form.getInputProps('name')} />
          <EmailField
            {...(invited && { readOnly: true, description: t('sign_up.invited_address') })}
            {...form.getInputProps('email')}
          />
          <NewPasswordField {...form.getInputProps('password')} />
          <Button type="submit" size="md" loading={register.isPending}>
            {t('sign_up.submit')}
          </Button>
        </Stack>
      </form>
      <Text mt="lg">
        {t('sign_up.have_account')}{' '}
        <AnchorLink to="/sign-in" search={{ next }}>
          {t('sign_in.submit')}
        </AnchorLink>
      </Text>
    </>
  )
}

function VerifyEmailForm({ person, next, onBack }: { person: NewUser; next: string | undefined; onBack: () => void }) {
  const { t } = useTranslation()
  const router = useRouter()
  const first = useRef<HTMLInputElement>(null)
  const mailed = useQuery(instanceQuery).data?.sends_mail ?? true
  // Coming from the sign-in page, the user repeats the password: it is sent with the code.
  const form = useForm({ initialValues: { otp: '', password: person.password } })
  const verify = useFormSubmit(form, {
    fields: person.password === '' ? ['otp', 'password'] : ['otp'],
    mutationFn: async ({ otp, password }) => {
      await unwrap(api.POST('/api/auth/email-otp/verify-email', { body: { email: person.email, otp, password } }))
      await signIn({ email: person.email, password })
      // Sign-up takes no time zone. The user can set it later, so a failure is ignored.
      await changeMe({ timezone: browserZone() }).catch(() => undefined)
    },
    onSuccess: () => router.navigate({ href: next ?? '/' }),
    onError: (error) => {
      if (isCode(error, 'verification_failed')) form.setFieldValue('otp', '')
    },
  })
  useSubmitOnSixthDigit(form.values.otp, () => form.values.password && verify.onSubmit())
  const resend = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/api/auth/email-otp/send-verification-otp', {
          body: { email: person.email, type: 'email-verification' },
        }),
      ),
    onSuccess: () => {
      verify.reset()
      form.setErrors({})
      form.setFieldValue('otp', '')
      first.current?.focus()
    },
  })
  return (
    <>
      <SignedOutHeading title={t('verify.title')}>
        {t(mailed ? 'verify.about' : 'verify.about_kept', { email: person.email })}
      </SignedOutHeading>
      <MailHint />
      <form onSubmit={verify.onSubmit} noValidate>
        <Stack>
          {verify.problem && <ProblemAlert error={verify.problem} />}
          <CodeField
            ref={first}
            label={t('verify.code')}
            autoFocus
            {...form.getInputProps('otp')}
            error={form.errors.otp && t('verify.code_rule')}
          />
          {person.password === '' && <PasswordField {...form.getInputProps('password')} />}
          <Button type="submit" size="md" loading={verify.isPending}>
            {t('verify.submit')}
          </Button>
        </Stack>
      </form>
      <Stack gap="xs" mt="lg" align="flex-start">
        <Anchor component="button" type="button" onClick={() => resend.mutate()} disabled={resend.isPending}>
          {t('verify.resend')}
        </Anchor>
        <div role="status">
          {resend.isSuccess && (
            <Text c="dimmed">{t(mailed ? 'verify.resent' : 'verify.resent_kept', { email: person.email })}</Text>
          )}
        </div>
        {resend.error && <ProblemAlert error={resend.error} />}
        <Anchor component="button" type="button" onClick={onBack}>
          {t('verify.back')}
        </Anchor>
      </Stack>
    </>
  )
}
