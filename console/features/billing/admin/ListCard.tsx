import { Card } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type LucideIcon, ReceiptText } from 'lucide-react'
import type { Key, ReactNode } from 'react'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import classes from '../Billing.module.css'

type Props<Item> = {
  of: UseInfiniteQueryResult<{ pages: { data: Item[] }[] }>
  /** Shown while the list is empty. */
  icon?: LucideIcon
  label: string
  none: string
  noneDetail: string
  row: (item: Item) => ReactNode
}

/** A list in a card, also while it loads, fails or is empty. */
export function ListCard<Item extends { id: Key }>({
  of,
  icon: Icon = ReceiptText,
  label,
  none,
  noneDetail,
  row,
}: Props<Item>) {
  const shown = of.data?.pages.flatMap(({ data }) => data)
  return (
    <>
      {of.error && !shown && <ProblemAlert error={of.error} onRetry={() => of.refetch()} />}
      {of.isPending && <LoadingSkeleton lines={5} />}
      {shown && (
        <Card>
          {shown.length === 0 ? (
            <EmptyState icon={<Icon size={26} />} title={none}>
              {noneDetail}
            </EmptyState>
          ) : (
            <ul className={classes.list} aria-label={label}>
              {shown.map((item) => (
                <li key={item.id} className={classes.row}>
                  {row(item)}
                </li>
              ))}
            </ul>
          )}
        </Card>
      )}
      <LoadMore of={of} />
    </>
  )
}
