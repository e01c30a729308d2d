import { Skeleton, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Grey lines in place of text. */
export function LoadingSkeleton({ lines = 4, height = 64 }: { lines?: number; height?: number }) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm" role="status" aria-label={t('ui.loading')} p={0}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical
        <Skeleton key={line} height={height} radius="lg" />
      ))}
    </Stack>
  )
}
