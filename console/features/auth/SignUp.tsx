import { Anchor, Button, PinInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, api } from '../../api'
import { currentLanguage, localeFor } from '../../i18n'
import { Password } from '../../ui/Password'
import { fieldProblems } from '../../ui/problem'
import { Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { DoorHead } from './Doors'
import { MailHint } from './MailHint'
import { signIn } from './SignIn'

type Person = { name: string; email: string; password: string }

/** First who it is, then the code from the mail. An address in the search goes on at the code. */
export function SignUp() {
  const { t } = useTranslation()
  useTitle(t('sign_up.title'))
  const { next, email } = getRouteApi('/doors/sign-up').useSearch()
  const [person, setPerson] = useState<Person | undefined>(email ? { name: '', email, password: '' } : undefined)
  return person ? (
    <Verify person={person} next={next} onBack={() => setPerson(undefined)} />
  ) : (
    <Introduce next={next} onDone={setPerson} />
  )
}

function Introduce({ next, onDone }: { next: string | undefined; onDone: (person: Person) => void }) {
  const { t } = useTranslation()
  const form = useForm<Person>({ initialValues: { name: '', email: '', password: '' } })
  const register = useMutation({
    mutationFn: (person: Person) =>
      answered(api.POST('/api/auth/sign-up/email', { body: { ...person, locale: localeFor(currentLanguage()) } })),
    onSuccess: (_, person) => onDone(person),
    onError: (error) => form.setErrors(fieldProblems(t, error)),
  })
  return (
    <>
      <DoorHead title={t('sign_up.title')}>{t('sign_up.about')}</DoorHead>
      <form onSubmit={form.onSubmit((values) => register.mutate(values))} noValidate>
        <Stack>
          {register.error && Object.keys(form.errors).length === 0 && <Problem error={register.error} />}
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
  // Somebody who comes from the sign-in page has to say the password once more: it is sent with the code.
  const form = useForm({ initialValues: { otp: '', password: person.password } })
  const verify = useMutation({
    mutationFn: async ({ otp, password }: { otp: string; password: string }) => {
      await answered(api.POST('/api/auth/email-otp/verify-email', { body: { email: person.email, otp, password } }))
      await signIn({ email: person.email, password })
    },
    onSuccess: () => router.history.push(next ?? '/'),
    onError: (error) => form.setErrors(fieldProblems(t, error)),
  })
  const resend = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/api/auth/email-otp/send-verification-otp', {
          body: { email: person.email, type: 'email-verification' },
        }),
      ),
  })
  return (
    <>
      <DoorHead title={t('verify.title')}>{t('verify.about', { email: person.email })}</DoorHead>
      <MailHint />
      <form onSubmit={form.onSubmit((values) => verify.mutate(values))} noValidate>
        <Stack>
          {verify.error && Object.keys(form.errors).length === 0 && <Problem error={verify.error} />}
          <div>
            <Text fw={500} id={label} mb={6}>
              {t('verify.code')}
            </Text>
            <PinInput
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
          {person.password === '' && (
            <Password
              label={t('person.password')}
              autoComplete="current-password"
              required
              {...form.getInputProps('password')}
            />
          )}
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
          {resend.isSuccess && <Text c="dimmed">{t('verify.resent', { email: person.email })}</Text>}
        </div>
        {resend.error && <Problem error={resend.error} />}
        <Anchor component="button" type="button" onClick={onBack}>
          {t('verify.back')}
        </Anchor>
      </Stack>
    </>
  )
}
