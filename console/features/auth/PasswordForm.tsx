import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../ui/screens'
import { useSubmit } from '../../ui/useSubmit'
import { PasswordField } from './fields'
import { useMe } from './queries'

/** Tells password managers whose password is asked for. */
export const ForManagers = () => (
  <input type="text" name="username" autoComplete="username" value={useMe().email} readOnly hidden />
)

/** Asks for the password before something is done that a stolen session must not do. */
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
  /** What a refusal says, where more is known of it than its code. */
  problem?: (error: Error) => ReactNode
  send: (password: string) => Promise<Data>
  onDone: (answer: Data) => unknown
  onCancel: () => void
}) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { password: '' } })
  const act = useSubmit(form, {
    at: { password_wrong: 'password' },
    mutationFn: ({ password }) => send(password),
    onSuccess: onDone,
  })
  return (
    <form onSubmit={act.onSubmit} noValidate>
      <Stack>
        {act.problem && (problem?.(act.problem) ?? <Problem error={act.problem} />)}
        <Text component="div">{children}</Text>
        <ForManagers />
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
