import { Anchor, Button, PinInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, api } from '../../api'
import { currentLanguage, localeFor } from '../../i18n'
import { Problem } from '../../ui/screens'
import { useSubmit } from '../../ui/useSubmit'
import { useTitle } from '../../ui/useTitle'
import { browserZone } from '../../ui/zones'
import { DoorHead } from './Doors'
import { EmailField, NameField, NewPasswordField, PasswordField } from './fields'
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
      <form onSubmit={verify.onSubmit} noValidate>
        <Stack>
          {verify.problem && <Problem error={verify.problem} />}
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
