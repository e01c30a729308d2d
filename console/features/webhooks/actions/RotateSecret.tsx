import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OverlapForm } from '../../../ui/forms/OverlapForm'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { useRotateSecret } from '../mutations'
import type { CreatedWebhook, Webhook } from '../queries'
import { SecretDialog } from './SecretDialog'

/** Asks how long the former secret still signs, then shows the new one once. */
export function RotateSecret({ webhook, opened, onClose }: { webhook: Webhook; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [rotated, setRotated] = useState<CreatedWebhook>()
  return (
    <SecretDialog
      opened={opened}
      onClose={onClose}
      onClosed={() => setRotated(undefined)}
      title={t('webhooks.rotate_ask')}
      made={rotated}
      onRotated={setRotated}
    >
      <RotateForm webhook={webhook} onRotated={setRotated} onCancel={onClose} />
    </SecretDialog>
  )
}

type FormProps = { webhook: Webhook; onRotated: (webhook: CreatedWebhook) => void; onCancel: () => void }

function RotateForm({ webhook: { id, previous_secret_expires_at }, onRotated, onCancel }: FormProps) {
  const { t } = useTranslation()
  const format = useFormat(useWorkspace().timezone)
  const { mutate, error, isPending } = useRotateSecret(onRotated)
  return (
    <OverlapForm
      label={t('webhooks.overlap_label')}
      none={t('webhooks.overlap_none')}
      note={(seconds) => t(seconds === 0 ? 'webhooks.overlap_effect_none' : 'webhooks.overlap_effect')}
      action={t('webhooks.rotate')}
      error={error}
      isPending={isPending}
      onRotate={(overlap_seconds) => mutate({ id, overlap_seconds })}
      onCancel={onCancel}
    >
      <Text>{t('webhooks.rotate_detail')}</Text>
      {previous_secret_expires_at && (
        <Text>{t('webhooks.rotate_twice', { time: format.dateTime(previous_secret_expires_at) })}</Text>
      )}
    </OverlapForm>
  )
}
