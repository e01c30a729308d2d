import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../ui/CopyText'
import { Dialog } from '../../ui/Dialog'
import { useFormat } from '../../ui/format'
import { Problem } from '../../ui/screens'
import { useWorkspace } from '../workspaces/queries'
import { useRotateSecret } from './acts'
import type { CreatedWebhook } from './queries'

/** The form that had the focus has gone. */
const focusButton = (shown: HTMLElement | null) => {
  shown?.querySelector('button')?.focus()
}

/** What asks before a secret is made, then that secret. It is never shown again, so nothing but its button closes it. */
export function SecretDialog({
  opened,
  onClose,
  onClosed,
  title,
  made,
  onRotated,
  children,
}: {
  opened: boolean
  onClose: () => void
  /** Once it is out of sight. */
  onClosed?: () => void
  title?: string
  made: CreatedWebhook | undefined
  onRotated: (webhook: CreatedWebhook) => void
  children?: ReactNode
}) {
  const { t } = useTranslation()
  const shown = made !== undefined
  const mustStay = opened && typeof made?.secret === 'string'
  useBlocker({ shouldBlockFn: () => mustStay, enableBeforeUnload: () => mustStay })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      size="lg"
      title={shown ? t('webhooks.secret') : title}
      withCloseButton={!shown}
      closeOnEscape={!shown}
      closeOnClickOutside={!shown}
    >
      {!made ? (
        children
      ) : made.secret === null ? (
        <Lost id={made.id} onRotated={onRotated} onClose={onClose} />
      ) : (
        <Secret made={made} secret={made.secret} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Secret({
  made: { previous_secret_expires_at: until },
  secret,
  onClose,
}: {
  made: CreatedWebhook
  secret: string
  onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat(useWorkspace().timezone)
  return (
    <Stack ref={focusButton}>
      <Text>{t('webhooks.secret_detail')}</Text>
      <CopyText text={secret} />
      <Stack gap="xs">
        <div>
          <Text fw={600}>{t('webhooks.verify')}</Text>
          <Text c="dimmed" fz="sm">
            {t('webhooks.verify_about')}
          </Text>
        </div>
        <CopyText name={t('webhooks.verify')} text={example} />
        <Text c="dimmed" fz="sm">
          {t('webhooks.verify_plain')}
        </Text>
        {until && (
          <Text c="dimmed" fz="sm">
            {t('webhooks.verify_next', { time: format.dateTime(until) })}
          </Text>
        )}
      </Stack>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('webhooks.secret_kept')}</Button>
      </Group>
    </Stack>
  )
}

const example = `import { Webhook } from 'standardwebhooks'

new Webhook(secret).verify(body, headers)`

/** The first answer got lost, and the one that repeats it holds no secret. */
function Lost({
  id,
  onRotated,
  onClose,
}: {
  id: string
  onRotated: (webhook: CreatedWebhook) => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  const rotate = useRotateSecret(onRotated)
  return (
    <Stack ref={focusButton}>
      <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('webhooks.lost')}>
        {t('webhooks.lost_detail')}
      </Alert>
      {rotate.error && <Problem error={rotate.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('ui.close')}
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate({ id, overlap_seconds: 0 })}>
          {t('webhooks.lost_rotate')}
        </Button>
      </Group>
    </Stack>
  )
}
