import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { PasswordField } from '../fields'
import { useMe } from '../queries'

/** Shows password managers whose password is needed. */
export const PasswordManagerUsername = () => (
  <input type="text" name="username" autoComplete="username" value={useMe().email} readOnly hidden />
)

/** Requires the password for an action that a stolen session must not perform. */
export function PasswordForm<Data>({
  children,
  submit,
  color,
  problem,
  send,
  onDone,
  onCancel,
}: {
  children: ReactNode
  submit: string
  color?: string
  /** Replaces the error message if more than its code is known. */
  problem?: (error: Error) => ReactNode
  send: (password: string) => Promise<Data>
  onDone: (response: Data) => unknown
  onCancel: () => void
}) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { password: '' } })
  const act = useFormSubmit(form, {
    at: { password_wrong: 'password' },
    mutationFn: ({ password }) => send(password),
    onSuccess: onDone,
  })
  return (
    <form onSubmit={act.onSubmit} noValidate>
      <Stack>
        {act.problem && (problem?.(act.problem) ?? <ProblemAlert error={act.problem} />)}
        <Text component="div">{children}</Text>
        <PasswordManagerUsername />
        <PasswordField {...form.getInputProps('password')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={act.isPending} {...(color && { color })}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
