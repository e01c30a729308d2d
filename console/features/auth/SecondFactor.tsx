import { Anchor, Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiProblem, answered, api, isCode } from '../../api'
import { Problem } from '../../ui/screens'
import { useSubmit } from '../../ui/useSubmit'
import { CodeField, useSixthDigit } from './CodeField'
import { DoorHead } from './Doors'
import { enter } from './enter'

export type Step = 'code' | 'backup'
type Props = {
  search: { next?: string | undefined; email?: string | undefined }
  onIn: () => void
  onEnded: () => void
}

/** After the password: the code of the app, or a backup code. The address keeps which, the cookie whose. */
export function SecondFactor({ step, ...props }: Props & { step: Step }) {
  const { t } = useTranslation()
  const { search } = props
  const other: Step = step === 'code' ? 'backup' : 'code'
  return (
    <>
      <DoorHead title={t('second.title')}>{t(`second.about_${step}`)}</DoorHead>
      {step === 'code' ? <AppCode {...props} /> : <BackupCode {...props} />}
      <Stack gap="xs" mt="lg" align="flex-start">
        <Anchor renderRoot={(link) => <Link to="/sign-in" search={{ ...search, step: other }} replace {...link} />}>
          {t(`second.use_${other}`)}
        </Anchor>
        <Anchor renderRoot={(link) => <Link to="/sign-in" search={search} replace {...link} />}>
          {t('second.back')}
        </Anchor>
      </Stack>
    </>
  )
}

/** Too much time or too many tries: it begins again with the password. */
const isEnded = (error: Error) => error instanceof ApiProblem && error.problem.state === 'ended'

function AppCode({ onIn, onEnded }: Props) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { code: '', trustDevice: false },
    // What was said of a code that was taken out stays until the next is sent.
    clearInputErrorOnChange: false,
    validate: { code: (code) => (code.length === 6 ? null : t('second.code_rule')) },
  })
  const verify = useSubmit(form, {
    at: { code_rejected: 'code' },
    mutationFn: (body) => enter(answered(api.POST('/api/auth/two-factor/verify-totp', { body }))),
    onSuccess: onIn,
    onError: (error) => {
      if (isEnded(error)) onEnded()
      else if (isCode(error, 'code_rejected')) form.setFieldValue('code', '')
    },
  })
  useSixthDigit(form.values.code, verify.onSubmit)
  return (
    <form onSubmit={verify.onSubmit} noValidate>
      <Stack>
        {verify.problem && <Problem error={verify.problem} />}
        {/* Above: the last digit sends. */}
        <Checkbox size="md" label={t('second.trust')} {...form.getInputProps('trustDevice', { type: 'checkbox' })} />
        <CodeField label={t('second.code')} autoFocus {...form.getInputProps('code')} />
        <Button type="submit" size="md" loading={verify.isPending}>
          {t('second.submit')}
        </Button>
      </Stack>
    </form>
  )
}

/** As it was written down: without the dash, or with spaces around it. */
const tidy = (code: string) => code.replace(/[^A-Za-z0-9]/g, '').replace(/^(.{5})(.{5})$/, '$1-$2')

function BackupCode({ onIn, onEnded }: Props) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (tidy(code).length === 11 ? null : t('second.backup_rule')) },
  })
  const verify = useSubmit(form, {
    at: { code_rejected: 'code' },
    mutationFn: ({ code }) =>
      enter(answered(api.POST('/api/auth/two-factor/verify-backup-code', { body: { code: tidy(code) } }))),
    onSuccess: onIn,
    onError: (error) => {
      if (isEnded(error)) onEnded()
    },
  })
  return (
    <form onSubmit={verify.onSubmit} noValidate>
      <Stack>
        {verify.problem && <Problem error={verify.problem} />}
        <TextInput
          label={t('second.backup')}
          placeholder="xxxxx-xxxxx"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus
          {...form.getInputProps('code')}
        />
        <Button type="submit" size="md" loading={verify.isPending}>
          {t('second.submit')}
        </Button>
      </Stack>
    </form>
  )
}
