import { Button } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { focusAt } from './place'

type Pages = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>

const entries = () => document.querySelectorAll<HTMLElement>('#main li')

/** Below a list: its next page, as long as there is one. Keys go on at the first entry of it. */
export function More({ of: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { of: Pages }) {
  const { t } = useTranslation()
  const before = useRef<number>(undefined)
  const wasFetching = useRef(false)
  useEffect(() => {
    const first = wasFetching.current && !isFetchingNextPage && entries()[before.current ?? -1]
    if (first) focusAt(first)
    wasFetching.current = isFetchingNextPage
  }, [isFetchingNextPage])
  if (!hasNextPage) return null
  const load = () => {
    before.current = entries().length
    void fetchNextPage()
  }
  return (
    <Button variant="default" fullWidth mt="md" loading={isFetchingNextPage} onClick={load}>
      {t('ui.more')}
    </Button>
  )
}
