import { Button } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { focusElement } from '../focus/focus'

type Pages = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
> & {
  data: { pages: { data: unknown[] }[] } | undefined
}

const entriesOf = (list: string) => document.querySelectorAll<HTMLElement>(`${list} li`)

/**
 * Loads a list's next page, if there is one, and focuses its first entry. Pages without a match are followed by
 * themselves: a call looks through a part of a large list only. `list`: the selector of what has the entries.
 */
export function LoadMore({ of, list = '#main' }: { of: Pages; list?: string }) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = of
  const { t } = useTranslation()
  const before = useRef<number>(undefined)
  const wasFetching = useRef(false)
  useEffect(() => {
    const first = wasFetching.current && !isFetchingNextPage && entriesOf(list)[before.current ?? -1]
    if (first) focusElement(first)
    wasFetching.current = isFetchingNextPage
  }, [isFetchingNextPage, list])
  const isEmpty = data?.pages.every((page) => page.data.length === 0) ?? false
  useEffect(() => {
    if (isEmpty && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [isEmpty, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  if (!hasNextPage) return null
  const load = () => {
    before.current = entriesOf(list).length
    void fetchNextPage()
  }
  return (
    <Button variant="default" fullWidth mt="md" loading={isFetchingNextPage} onClick={load}>
      {t('ui.more')}
    </Button>
  )
}
