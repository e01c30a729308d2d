import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { encode } from 'uqr'
import { api, isCode, queryClient, unwrap } from '../../../api'
import type { components } from '../../../api.gen'
import { CopyText } from '../../../ui/copy/CopyText'
import { Dialog } from '../../../ui/dialog/Dialog'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { CodeField, useSubmitOnSixthDigit } from '../CodeField'
import { meQuery, readMe, sessionsQuery, useMe } from '../queries'
import { BackupCodes } from './BackupCodes'
import { PasswordForm } from './PasswordForm'
import classes from './Profile.module.css'
import { ProfileSection } from './ProfileSection'

type Setup = components['schemas']['TwoFactorSetup']
type TwoFactorAction = 'on' | 'renew' | 'off'

/** Turning it on or off opens a new session and changes the user's data. */
async function refresh() {
  queryClient.setQueryData(meQuery.queryKey, await readMe())
  void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
}

export function TwoFactorSection() {
  const { t } = useTranslation()
  const { two_factor_enabled: on } = useMe()
  const [act, setAct] = useState<TwoFactorAction>()
  /** Codes shown only once: only their button closes the dialog. */
  const [codes, setCodes] = useState<string[]>()
  /** The content of the dialog, kept until it has faded out. */
  const [shown, setShown] = useState<TwoFactorAction>('on')
  const begin = (next: TwoFactorAction) => () => {
    setShown(next)
    setAct(next)
  }
  const close = () => setAct(undefined)
  return (
    <ProfileSection
      title={
        <Group component="span" gap="xs">
          {t('two_factor.title')}
          <Badge component="span" variant="light" color={on ? 'success' : 'gray'}>
            {t(on ? 'two_factor.is_on' : 'two_factor.is_off')}
          </Badge>
        </Group>
      }
      about={t('two_factor.about')}
    >
      <Group>
        {on ? (
          <>
            <Button variant="default" onClick={begin('renew')}>
              {t('two_factor.renew')}
            </Button>
            <Button variant="default" onClick={begin('off')}>
              {t('two_factor.off')}
            </Button>
          </>
        ) : (
          <Button onClick={begin('on')}>{t('two_factor.on')}</Button>
        )}
      </Group>
      <Dialog
        opened={act !== undefined}
        onClose={close}
        onExitTransitionEnd={() => setCodes(undefined)}
        title={t(codes ? 'two_factor.codes' : shown === 'renew' ? 'two_factor.renew' : 'two_factor.title')}
        withCloseButton={!codes}
        closeOnEscape={!codes}
        closeOnClickOutside={!codes}
      >
        {codes ? (
          <BackupCodes codes={codes} onKept={close} />
        ) : shown === 'on' ? (
          <TurnOn onCodes={setCodes} onCancel={close} />
        ) : shown === 'renew' ? (
          <PasswordForm
            submit={t('two_factor.renew')}
            send={(password) => unwrap(api.POST('/api/v1/me/two-factor/backup-codes', { body: { password } }))}
            onDone={({ backup_codes }) => setCodes(backup_codes ?? [])}
            onCancel={close}
          >
            {t('two_factor.renew_about')}
          </PasswordForm>
        ) : (
          <PasswordForm
            submit={t('two_factor.off')}
            color="coral"
            send={(password) => unwrap(api.DELETE('/api/v1/me/two-factor', { body: { password } }))}
            onDone={async () => {
              await refresh()
              close()
              notifications.show({ message: t('two_factor.off_done') })
            }}
            onCancel={close}
          >
            {t('two_factor.off_about')}
          </PasswordForm>
        )}
      </Dialog>
    </ProfileSection>
  )
}

function TurnOn({ onCodes, onCancel }: { onCodes: (codes: string[]) => void; onCancel: () => void }) {
  const { t } = useTranslation()
  const [setup, setSetup] = useState<Setup>()
  if (setup)
    return <ScanQrCode setup={setup} onConfirmed={() => onCodes(setup.backup_codes ?? [])} onCancel={onCancel} />
  return (
    <PasswordForm
      submit={t('two_factor.continue')}
      send={(password) => unwrap(api.POST('/api/v1/me/two-factor', { body: { password } }))}
      onDone={setSetup}
      onCancel={onCancel}
    >
      {t('two_factor.on_about')}
    </PasswordForm>
  )
}

function ScanQrCode({ setup, onConfirmed, onCancel }: { setup: Setup; onConfirmed: () => void; onCancel: () => void }) {
  const { t } = useTranslation()
  const uri = setup.totp_uri ?? ''
  const key = new URL(uri).searchParams.get('secret') ?? ''
  const form = useForm({
    initialValues: { code: '' },
    clearInputErrorOnChange: false,
    validate: { code: (code) => (code.length === 6 ? null : t('second_factor.code_rule')) },
  })
  const confirm = useFormSubmit(form, {
    at: { code_rejected: 'code' },
    mutationFn: (body) => unwrap(api.POST('/api/v1/me/two-factor/confirm', { body })),
    onSuccess: async () => {
      onConfirmed()
      await refresh()
    },
    onError: (error) => {
      if (isCode(error, 'code_rejected')) form.setFieldValue('code', '')
    },
  })
  useSubmitOnSixthDigit(form.values.code, confirm.onSubmit)
  return (
    <form onSubmit={confirm.onSubmit} noValidate>
      <Stack>
        {confirm.problem && <ProblemAlert error={confirm.problem} />}
        <Text>{t('two_factor.scan')}</Text>
        <QrCode text={uri} label={t('two_factor.qr')} />
        <Text>{t('two_factor.by_hand')}</Text>
        <Stack gap={6}>
          <CopyText text={key} shown={key.match(/.{1,4}/g)?.join(' ')} />
        </Stack>
        <CodeField label={t('second_factor.code')} autoFocus {...form.getInputProps('code')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={confirm.isPending}>
            {t('two_factor.on')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Black on white in the dark scheme too: cameras need it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 3 })
  const dots = data.flatMap((row, y) => row.flatMap((black, x) => (black ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join('')} fill="#000" />
    </svg>
  )
}
