import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, api, isCode } from '../../api'
import { currentLanguage, localeFor } from '../../i18n'
import { Problem } from '../../ui/screens'
import { useSubmit } from '../../ui/useSubmit'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { browserZone } from '../../ui/zone'
import { CodeField, useSixthDigit } from './CodeField'
import { DoorHead } from './Doors'
import { signIn } from './enter'
import { EmailField, NameField, NewPasswordField, PasswordField } from './fields'
import { MailHint } from './MailHint'
import { changeMe, instanceQuery, invitationQuery } from './queries'

type Person = { name: string; email: string; password: string }

/** First who it is, then the code from the mail. An address in the search goes on at the code; an invitation presets it. */
export function SignUp() {
  const { t } = useTranslation()
  useTitle(t('sign_up.title'))
  const { next, email, invitation } = getRouteApi('/doors/sign-up').useSearch()
  const open = useQuery(instanceQuery).data?.sign_up ?? 'open'
  const invited = useQuery({ ...invitationQuery(invitation ?? ''), enabled: invitation !== undefined })
  const navigate = useNavigate()
  const [known, setKnown] = useState<Person>()
  const go = (email?: string) => void navigate({ to: '/sign-up', search: { next, email, invitation } })
  if (email === undefined && (open === 'closed' || (open === 'invitation' && invitation === undefined)))
    return <NotOpen why={open} next={next} />
  if (email === undefined && invited.isLoading) return <Waiting lines={3} />
  if (email === undefined)
    return (
      <Introduce
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
  return <Verify key={email} person={person} next={next} onBack={() => go()} />
}

/** Instead of the form, where not everybody may make an account. */
function NotOpen({ why, next }: { why: 'closed' | 'invitation'; next: string | undefined }) {
  const { t } = useTranslation()
  return (
    <>
      <DoorHead title={t(`sign_up.${why}`)}>{t(`sign_up.${why}_detail`)}</DoorHead>
      <Button size="md" renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>
        {t('sign_in.submit')}
      </Button>
    </>
  )
}

function Introduce({
  next,
  invited,
  invitation,
  onDone,
}: {
  next: string | undefined
  /** The address that the invitation was mailed to. */
  invited: string | undefined
  invitation: string | undefined
  onDone: (person: Person) => void
}) {
  const { t } = useTranslation()
  const form = useForm<Person>({ initialValues: { name: '', email: invited ?? '', password: '' } })
  const register = useSubmit(form, {
    mutationFn: (person) =>
      answered(
        api.POST('/api/auth/sign-up/email', {
          body: { ...person, locale: localeFor(currentLanguage()), ...(invitation && { invitation }) },
        }),
      ),
    onSuccess: (_, person) => onDone(person),
  })
  return (
    <>
      <DoorHead title={t('sign_up.title')}>{t('sign_up.about')}</DoorHead>
      <form onSubmit={register.onSubmit} noValidate>
        <Stack>
          {register.problem && <Problem error={register.problem} />}
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
        <Anchor renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>
          {t('sign_in.submit')}
        </Anchor>
      </Text>
    </>
  )
}

function Verify({ person, next, onBack }: { person: Person; next: string | undefined; onBack: () => void }) {
  const { t } = useTranslation()
  const router = useRouter()
  const first = useRef<HTMLInputElement>(null)
  const mailed = useQuery(instanceQuery).data?.sends_mail ?? true
  // Somebody who comes from the sign-in page has to say the password once more: it is sent with the code.
  const form = useForm({ initialValues: { otp: '', password: person.password } })
  const verify = useSubmit(form, {
    fields: person.password === '' ? ['otp', 'password'] : ['otp'],
    mutationFn: async ({ otp, password }) => {
      await answered(api.POST('/api/auth/email-otp/verify-email', { body: { email: person.email, otp, password } }))
      await signIn({ email: person.email, password })
      // The sign-up takes none. It can be told later too, so nothing hangs on it.
      await changeMe({ timezone: browserZone() }).catch(() => undefined)
    },
    onSuccess: () => router.history.push(next ?? '/'),
    onError: (error) => {
      if (isCode(error, 'verification_failed')) form.setFieldValue('otp', '')
    },
  })
  useSixthDigit(form.values.otp, () => form.values.password && verify.onSubmit())
  const resend = useMutation({
    mutationFn: () =>
      answered(
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
      <DoorHead title={t('verify.title')}>
        {t(mailed ? 'verify.about' : 'verify.about_kept', { email: person.email })}
      </DoorHead>
      <MailHint />
      <form onSubmit={verify.onSubmit} noValidate>
        <Stack>
          {verify.problem && <Problem error={verify.problem} />}
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
        {resend.error && <Problem error={resend.error} />}
        <Anchor component="button" type="button" onClick={onBack}>
          {t('verify.back')}
        </Anchor>
      </Stack>
    </>
  )
}
