import '../../../theme/components'
import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { ApiProblem, api, isCode, unwrap } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { CodeField, useSubmitOnSixthDigit } from '../CodeField'
import { completeSignIn } from '../sign-in'
import { SignedOutHeading } from './SignedOutLayout'

export type Step = 'code' | 'backup'
type Props = {
  search: { next?: string | undefined; email?: string | undefined }
  onIn: () => void
  onEnded: () => void
}

/** After the password: app code or backup code. `step` is in the URL, the challenge in a cookie. */
export function SecondFactor({ step, ...props }: Props & { step: Step }) {
  const { t } = useTranslation()
  const { search } = props
  const other: Step = step === 'code' ? 'backup' : 'code'
  return (
    <>
      <SignedOutHeading title={t('second_factor.title')}>{t(`second_factor.about_${step}`)}</SignedOutHeading>
      {step === 'code' ? <AppCode {...props} /> : <BackupCode {...props} />}
      <Stack gap="xs" mt="lg" align="flex-start">
        <AnchorLink to="/sign-in" search={{ ...search, step: other }} replace>
          {t(`second_factor.use_${other}`)}
        </AnchorLink>
        <AnchorLink to="/sign-in" search={search} replace>
          {t('second_factor.back')}
        </AnchorLink>
      </Stack>
    </>
  )
}

/** Too late or too many attempts: the user starts over with the password. */
const isEnded = (error: Error) => error instanceof ApiProblem && error.problem.state === 'ended'

function AppCode({ onIn, onEnded }: Props) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { code: '', trustDevice: false },
    // The error stays until the next code is sent, although the code is cleared.
    clearInputErrorOnChange: false,
    validate: { code: (code) => (code.length === 6 ? null : t('second_factor.code_rule')) },
  })
  const verify = useFormSubmit(form, {
    at: { code_rejected: 'code' },
    mutationFn: (body) => completeSignIn(unwrap(api.POST('/api/auth/two-factor/verify-totp', { body }))),
    onSuccess: onIn,
    onError: (error) => {
      if (isEnded(error)) onEnded()
      else if (isCode(error, 'code_rejected')) form.setFieldValue('code', '')
    },
  })
  useSubmitOnSixthDigit(form.values.code, verify.onSubmit)
  return (
    <form onSubmit={verify.onSubmit} noValidate>
      <Stack>
        {verify.problem && <ProblemAlert error={verify.problem} />}
        {/* Above the code, because its last digit submits the form. */}
        <Checkbox
          size="md"
          label={t('second_factor.trust')}
          {...form.getInputProps('trustDevice', { type: 'checkbox' })}
        />
        <CodeField label={t('second_factor.code')} autoFocus {...form.getInputProps('code')} />
        <Button type="submit" size="md" loading={verify.isPending}>
          {t('second_factor.submit')}
        </Button>
      </Stack>
    </form>
  )
}

/** Accepts a code without the dash, or with spaces around it. */
const tidy = (code: string) => code.replace(/[^A-Za-z0-9]/g, '').replace(/^(.{5})(.{5})$/, '$1-$2')

function BackupCode({ onIn, onEnded }: Props) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (tidy(code).length === 11 ? null : t('second_factor.backup_rule')) },
  })
  const verify = useFormSubmit(form, {
    at: { code_rejected: 'code' },
    mutationFn: ({ code }) =>
      completeSignIn(unwrap(api.POST('/api/auth/two-factor/verify-backup-code', { body: { code: tidy(code) } }))),
    onSuccess: onIn,
    onError: (error) => {
      if (isEnded(error)) onEnded()
    },
  })
  return (
    <form onSubmit={verify.onSubmit} noValidate>
      <Stack>
        {verify.problem && <ProblemAlert error={verify.problem} />}
        <TextInput
          label={t('second_factor.backup')}
          placeholder="xxxxx-xxxxx"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus
          {...form.getInputProps('code')}
        />
        <Button type="submit" size="md" loading={verify.isPending}>
          {t('second_factor.submit')}
        </Button>
      </Stack>
    </form>
  )
}
