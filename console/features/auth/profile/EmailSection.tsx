import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, isCode, queryClient, unwrap } from '../../../api'
import type { components } from '../../../api.gen'
import { Dialog } from '../../../ui/dialog/Dialog'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useFormat } from '../../../ui/text/format'
import { CodeField } from '../CodeField'
import { EmailField, PasswordField } from '../fields'
import { MailHint } from '../MailHint'
import { emailChangeQuery, instanceQuery, meQuery, readMe, sessionsQuery, useMe } from '../queries'
import { PasswordManagerUsername } from './PasswordForm'
import { ProfileSection } from './ProfileSection'

type EmailChange = components['schemas']['EmailChange']

/** The email address, and a pending change that needs a code from each mailbox. */
export function EmailSection() {
  const { t } = useTranslation()
  const { email } = useMe()
  const change = useQuery(emailChangeQuery)
  const [opened, { open, close }] = useDisclosure(false)
  /** Too many wrong codes, or the codes have expired. */
  const [over, setOver] = useState(false)
  const waiting = change.data
  return (
    <ProfileSection title={t('profile.email')} about={t('profile.email_about')}>
      {change.error && <ProblemAlert error={change.error} onRetry={() => change.refetch()} />}
      {change.isPending && <LoadingSkeleton lines={1} />}
      {over && !waiting && (
        <Alert color="yellow" mb="md" title={t('profile.email_over')} role="alert">
          {t('profile.email_over_detail')}
        </Alert>
      )}
      {waiting ? (
        <ConfirmCodesForm key={waiting.expires_at} change={waiting} onOver={() => setOver(true)} onAgain={open} />
      ) : (
        change.isSuccess && (
          <Stack align="flex-start">
            <Text className="text" fw={550}>
              {email}
            </Text>
            <Button variant="default" onClick={open}>
              {t('profile.email_change')}
            </Button>
          </Stack>
        )
      )}
      <Dialog opened={opened} onClose={close} title={t(waiting ? 'profile.email_again' : 'profile.email_change')}>
        <ChangeEmailForm
          to={waiting?.email ?? ''}
          onClose={close}
          onAsked={(asked) => {
            setOver(false)
            close()
            queryClient.setQueryData(emailChangeQuery.queryKey, asked)
          }}
        />
      </Dialog>
    </ProfileSection>
  )
}

function ChangeEmailForm({
  to,
  onAsked,
  onClose,
}: {
  to: string
  onAsked: (change: EmailChange) => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { email: to, password: '' } })
  const ask = useFormSubmit(form, {
    at: { password_wrong: 'password' },
    mutationFn: (body) => unwrap(api.POST('/api/v1/me/email', { body })),
    onSuccess: onAsked,
  })
  return (
    <form onSubmit={ask.onSubmit} noValidate>
      <Stack>
        {ask.problem && <ProblemAlert error={ask.problem} />}
        <Text>{t('profile.email_ask')}</Text>
        <EmailField
          label={t('profile.email_new')}
          autoComplete="email"
          {...(to === '' && { 'data-autofocus': true })}
          {...form.getInputProps('email')}
        />
        <PasswordManagerUsername />
        <PasswordField {...(to !== '' && { 'data-autofocus': true })} {...form.getInputProps('password')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={ask.isPending}>
            {t('profile.email_send')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function ConfirmCodesForm({
  change,
  onOver,
  onAgain,
}: {
  change: EmailChange
  onOver: () => void
  onAgain: () => void
}) {
  const { t } = useTranslation()
  const me = useMe()
  const format = useFormat(me.timezone)
  const mailed = useQuery(instanceQuery).data?.sends_mail ?? true
  const rule = (code: string) => (code.length === 6 ? null : t('verify.code_rule'))
  const form = useForm({
    initialValues: { old_code: '', new_code: '' },
    clearInputErrorOnChange: false,
    validate: { old_code: rule, new_code: rule },
  })
  const { gone, at } = useFocusAfterRemoval<HTMLFormElement>()
  const confirm = useFormSubmit(form, {
    at: { code_rejected: 'old_code' },
    mutationFn: (body) => unwrap(api.POST('/api/v1/me/email/confirm', { body })),
    onSuccess: async () => {
      gone.current = true
      queryClient.setQueryData(emailChangeQuery.queryKey, null)
      queryClient.setQueryData(meQuery.queryKey, await readMe())
      notifications.show({ message: t('profile.email_changed', { email: change.email }) })
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
    onError: async (error) => {
      if (!isCode(error, 'code_rejected')) return
      // The response does not say which code was wrong.
      form.setValues({ old_code: '', new_code: '' })
      await queryClient.invalidateQueries({ queryKey: emailChangeQuery.queryKey })
      if (queryClient.getQueryData(emailChangeQuery.queryKey) === null) onOver()
    },
  })
  const cancel = useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/v1/me/email')),
    onSuccess: () => {
      gone.current = true
      queryClient.setQueryData(emailChangeQuery.queryKey, null)
    },
    onError: useErrorNotification(),
  })
  return (
    <form ref={at} onSubmit={confirm.onSubmit} noValidate>
      <Stack>
        {confirm.problem && <ProblemAlert error={confirm.problem} />}
        <div>
          <Text fw={550} className="text">
            {t('profile.email_waits', { email: change.email })}
          </Text>
          <Text c="dimmed" mt={4}>
            {t(mailed ? 'profile.email_codes' : 'profile.email_codes_kept', { time: format.time(change.expires_at) })}
          </Text>
        </div>
        <MailHint />
        <CodeField label={t('profile.email_code', { email: me.email })} {...form.getInputProps('old_code')} />
        <CodeField label={t('profile.email_code', { email: change.email })} {...form.getInputProps('new_code')} />
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            {t('profile.email_confirm')}
          </Button>
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('profile.email_cancel')}
          </Button>
        </Group>
        <Anchor component="button" type="button" onClick={onAgain} style={{ alignSelf: 'flex-start' }}>
          {t('profile.email_again')}
        </Anchor>
      </Stack>
    </form>
  )
}
