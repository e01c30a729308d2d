import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../ui/format'
import { Problem } from '../../ui/screens'
import { useWorkspace } from '../workspaces/queries'
import { useRotateSecret } from './acts'
import type { CreatedWebhook, Webhook } from './queries'
import { SecretDialog } from './Secret'

/** In seconds. */
const overlaps = [
  ['none', 0],
  ['hour', 3600],
  ['day', 86_400],
  ['week', 604_800],
] as const

/** First how long the former secret is to sign on, then the new one, once. */
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

function RotateForm({
  webhook: { id, previous_secret_expires_at },
  onRotated,
  onCancel,
}: {
  webhook: Webhook
  onRotated: (webhook: CreatedWebhook) => void
  onCancel: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat(useWorkspace().timezone)
  const [overlap, setOverlap] = useState('86400')
  const rotate = useRotateSecret(onRotated)
  return (
    <Stack>
      <Text>{t('webhooks.rotate_detail')}</Text>
      {previous_secret_expires_at && (
        <Text>{t('webhooks.rotate_twice', { time: format.dateTime(previous_secret_expires_at) })}</Text>
      )}
      {rotate.error && <Problem error={rotate.error} />}
      <Radio.Group label={t('webhooks.overlap_label')} value={overlap} onChange={setOverlap}>
        <Stack gap="xs" mt="xs">
          {overlaps.map(([name, seconds]) => (
            <Radio key={name} value={String(seconds)} label={t(`webhooks.overlap_${name}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Text c="dimmed" fz="sm" role="status">
        {overlap === '0' ? t('webhooks.meanwhile_none') : t('webhooks.meanwhile')}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate({ id, overlap_seconds: Number(overlap) })}>
          {t('webhooks.rotate')}
        </Button>
      </Group>
    </Stack>
  )
}
