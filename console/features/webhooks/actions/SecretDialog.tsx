import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../ui/copy/CopyText'
import { LostSecret, OneTimeSecret } from '../../../ui/forms/OneTimeSecret'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { useRotateSecret } from '../mutations'
import type { CreatedWebhook } from '../queries'

/** Asks before creating a secret, then shows it once. */
export function SecretDialog({
  made,
  onRotated,
  ...dialog
}: {
  opened: boolean
  onClose: () => void
  onClosed?: () => void
  title?: string
  made: CreatedWebhook | undefined
  onRotated: (webhook: CreatedWebhook) => void
  children?: ReactNode
}) {
  const { t } = useTranslation()
  const { onClose } = dialog
  return (
    <OneTimeSecret
      {...dialog}
      titleOfSecret={t('webhooks.secret')}
      secret={made?.secret}
      shown={made?.secret && <Secret made={made} secret={made.secret} onClose={onClose} />}
      lost={made && <LostWebhookSecret id={made.id} onRotated={onRotated} onClose={onClose} />}
    />
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
    <>
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
    </>
  )
}

const example = `import { Webhook } from 'standardwebhooks'

new Webhook(secret).verify(body, headers)`

type LostProps = { id: string; onRotated: (webhook: CreatedWebhook) => void; onClose: () => void }

function LostWebhookSecret({ id, onRotated, onClose }: LostProps) {
  const { t } = useTranslation()
  const { mutate, error, isPending } = useRotateSecret(onRotated)
  return (
    <LostSecret
      title={t('webhooks.lost')}
      detail={t('webhooks.lost_detail')}
      again={t('webhooks.lost_rotate')}
      error={error}
      isPending={isPending}
      onAgain={() => mutate({ id, overlap_seconds: 0 })}
      onClose={onClose}
    />
  )
}
