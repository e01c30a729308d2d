import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../feedback/ProblemAlert'

/** Times for which a former secret can stay valid, in seconds. */
const overlaps = { hour: 3600, day: 86_400, week: 604_800 }

/** Asks how long the former secret stays valid before creating another. */
export function OverlapForm({
  label,
  none,
  note,
  action,
  error,
  isPending,
  onRotate,
  onCancel,
  children,
}: {
  label: string
  /** The label for no overlap. */
  none: string
  /** Explains the choice. */
  note?: (seconds: number) => string
  action: string
  error: Error | null
  isPending: boolean
  onRotate: (overlap_seconds: number) => void
  onCancel: () => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const [overlap, setOverlap] = useState(String(overlaps.day))
  return (
    <Stack>
      {children}
      {error && <ProblemAlert error={error} />}
      <Radio.Group label={label} value={overlap} onChange={setOverlap}>
        <Stack gap="xs" mt="xs">
          <Radio value="0" label={none} />
          <Radio value={String(overlaps.hour)} label={t('ui.overlap_hour')} />
          <Radio value={String(overlaps.day)} label={t('ui.overlap_day')} />
          <Radio value={String(overlaps.week)} label={t('ui.overlap_week')} />
        </Stack>
      </Radio.Group>
      {note && (
        <Text c="dimmed" fz="sm" role="status">
          {note(Number(overlap))}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button loading={isPending} onClick={() => onRotate(Number(overlap))}>
          {action}
        </Button>
      </Group>
    </Stack>
  )
}
