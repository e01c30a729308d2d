import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../ui/screens'
import { useRotate } from './acts'
import type { ApiToken, CreatedApiToken } from './queries'
import { ShownOnce } from './ShownOnce'

/** In seconds. */
const overlaps = [
  ['none', 0],
  ['hour', 3600],
  ['day', 86_400],
  ['week', 604_800],
] as const

/** First how long the former secret is to work on, then the new one, once. */
export function RotateToken({ token, opened, onClose }: { token: ApiToken; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [rotated, setRotated] = useState<CreatedApiToken>()
  return (
    <ShownOnce
      opened={opened}
      onClose={onClose}
      onClosed={() => setRotated(undefined)}
      title={t('tokens.rotate_ask', { name: token.name })}
      made={rotated}
      onRotated={setRotated}
    >
      <RotateForm token={token} onRotated={setRotated} onCancel={onClose} />
    </ShownOnce>
  )
}

function RotateForm({
  token: { id },
  onRotated,
  onCancel,
}: {
  token: ApiToken
  onRotated: (token: CreatedApiToken) => void
  onCancel: () => void
}) {
  const { t } = useTranslation()
  const [overlap, setOverlap] = useState('86400')
  const rotate = useRotate(onRotated)
  return (
    <Stack>
      <Text>{t('tokens.rotate_detail')}</Text>
      {rotate.error && <Problem error={rotate.error} />}
      <Radio.Group label={t('tokens.overlap_label')} value={overlap} onChange={setOverlap}>
        <Stack gap="xs" mt="xs">
          {overlaps.map(([name, seconds]) => (
            <Radio key={name} value={String(seconds)} label={t(`tokens.overlap_${name}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate({ id, overlap_seconds: Number(overlap) })}>
          {t('tokens.rotate')}
        </Button>
      </Group>
    </Stack>
  )
}
