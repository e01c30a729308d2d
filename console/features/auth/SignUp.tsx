import { Anchor, Button, PinInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem, answered, api } from '../../api'
import { currentLanguage, localeFor } from '../../i18n'
import { Problem } from '../../ui/screens'
import { useSubmit } from '../../ui/useSubmit'
import { useTitle } from '../../ui/useTitle'
import { browserZone } from '../../ui/zone'
import { DoorHead } from './Doors'
import { EmailField, NameField, NewPasswordField, PasswordField } from './fields'
import { MailHint } from './MailHint'
import { instanceQuery } from './queries'
import { signIn } from './SignIn'

type Person = { name: string; email: string; password: string }

/** First who it is, then the code from the mail. An address in the search goes on at the code. */
export function SignUp() {
  const { t } = useTranslation()
  useTitle(t('sign_up.title'))
  const { next, email } = getRouteApi('/doors/sign-up').useSearch()
  const navigate = useNavigate()
  const [known, setKnown] = useState<Person>()
  const go = (email?: string) => void navigate({ to: '/sign-up', search: { next, email } })
  if (email === undefined)
    return (
      <Introduce
        next={next}
        onDone={(person) => {
          setKnown(person)
          go(person.email)
        }}
      />
    )
  const person = known?.email === email ? known : { name: '', email, password: '' }
  return <Verify key={email} person={person} next={next} onBack={() => go()} />
}

function Introduce({ next, onDone }: { next: string | undefined; onDone: (person: Person) => void }) {
  const { t } = useTranslation()
  const form = useForm<Person>({ initialValues: { name: '', email: '', password: '' } })
  const register = useSubmit(form, {
    mutationFn: (person) =>
      answered(api.POST('/api/auth/sign-up/email', { body: { ...person, locale: localeFor(currentLanguage()) } })),
    onSuccess: (_, person) => onDone(person),
  })
  return (
    <>
      <DoorHead title={t('sign_up.title')}>{t('sign_up.about')}</DoorHead>
      <form onSubmit={register.onSubmit} noValidate>
        <Stack>
          {register.problem && <Problem error={register.problem} />}
          <NameField {...form.getInputProps('name')} />
          <EmailField {...form.getInputProps('email')} />
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
  const label = useId()
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
      await api.PATCH('/api/v1/me', { body: { timezone: browserZone() } }).catch(() => undefined)
    },
    onSuccess: () => router.history.push(next ?? '/'),
    onError: (error) => {
      if (error instanceof ApiProblem && error.problem.code === 'verification_failed') form.setFieldValue('otp', '')
    },
  })
  const { otp, password } = form.values
  // biome-ignore lint/correctness/useExhaustiveDependencies: the last digit sends, and no other change does
  useEffect(() => {
    if (otp === '') first.current?.focus()
    if (otp.length === 6 && password) verify.onSubmit()
  }, [otp])
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
          <div>
            <Text fw={500} id={label} mb={6}>
              {t('verify.code')}
            </Text>
            <PinInput
              // Without one of its own, Mantine changes it after drawing, and the fields lose the focus.
              id={`${label}-digits`}
              ref={first}
              length={6}
              type="number"
              size="lg"
              oneTimeCode
              placeholder=""
              error={Boolean(form.errors.otp)}
              aria-labelledby={label}
              getInputProps={(index) => ({ 'aria-label': t('verify.digit', { number: index + 1 }) })}
              {...form.getInputProps('otp')}
            />
            {form.errors.otp && (
              <Text c="var(--mantine-color-error)" mt={6} role="alert">
                {t('verify.code_rule')}
              </Text>
            )}
          </div>
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
