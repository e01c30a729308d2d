import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OverlapForm } from '../../ui/forms/OverlapForm'
import { useRotateToken } from './mutations'
import type { ApiToken, CreatedApiToken } from './queries'
import { TokenDialog } from './TokenDialog'

/** First how long the former secret stays valid, then the new secret, shown once. */
export function RotateToken({ token, opened, onClose }: { token: ApiToken; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [rotated, setRotated] = useState<CreatedApiToken>()
  return (
    <TokenDialog
      opened={opened}
      onClose={onClose}
      onClosed={() => setRotated(undefined)}
      title={t('tokens.rotate_ask', { name: token.name })}
      made={rotated}
      onRotated={setRotated}
    >
      <RotateForm id={token.id} onRotated={setRotated} onCancel={onClose} />
    </TokenDialog>
  )
}

type FormProps = { id: string; onRotated: (token: CreatedApiToken) => void; onCancel: () => void }

function RotateForm({ id, onRotated, onCancel }: FormProps) {
  const { t } = useTranslation()
  const { mutate, error, isPending } = useRotateToken(onRotated)
  return (
    <OverlapForm
      label={t('tokens.overlap_label')}
      none={t('tokens.overlap_none')}
      action={t('tokens.rotate')}
      error={error}
      isPending={isPending}
      onRotate={(overlap_seconds) => mutate({ id, overlap_seconds })}
      onCancel={onCancel}
    >
      <Text>{t('tokens.rotate_detail')}</Text>
    </OverlapForm>
  )
}
