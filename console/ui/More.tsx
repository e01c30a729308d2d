import { Button } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

type Pages = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>

/** Below a list: its next page, as long as there is one. */
export function More({ of: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { of: Pages }) {
  const { t } = useTranslation()
  if (!hasNextPage) return null
  return (
    <Button variant="default" fullWidth mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {t('ui.more')}
    </Button>
  )
}
