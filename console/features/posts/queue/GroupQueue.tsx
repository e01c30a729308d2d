import { keepPreviousData, useQueries } from '@tanstack/react-query'
import type { Account } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useWorkspace } from '../../workspaces/queries'
import { QueueList, type ShownEntry } from './QueueList'
import { queueQuery } from './queries'

type Props = { accounts: Account[]; days: number; onMore: (() => void) | undefined }

/** The queues of several accounts in one list. Posts are moved in the queue of an account. */
export function GroupQueue({ accounts, days, onMore }: Props) {
  const { slug } = useWorkspace()
  const { entries, error, isPending, refetch } = useQueries({
    queries: accounts.map(({ id }) => ({ ...queueQuery(slug, id, { days }), placeholderData: keepPreviousData })),
    combine: (results) => ({
      entries: merged(results.map(({ data }, index) => ({ account: accounts[index], entries: data?.data ?? [] }))),
      error: results.find(({ error }) => error)?.error,
      isPending: results.some(({ isPending }) => isPending),
      refetch: () => Promise.all(results.map(({ refetch }) => refetch())),
    }),
  })
  if (error) return <ProblemAlert error={error} onRetry={refetch} />
  if (isPending) return <LoadingSkeleton lines={4} height={64} />
  return <QueueList entries={entries} hasTimes={false} onMore={onMore} />
}

/** Entries by time: a post once with all of its accounts, and the free slots of each account. */
function merged(queues: { account: Account | undefined; entries: Omit<ShownEntry, 'accounts'>[] }[]): ShownEntry[] {
  const byPlace = new Map<string, ShownEntry>()
  for (const { account, entries } of queues) {
    if (!account) continue
    for (const entry of entries) {
      const place = `${entry.time} ${entry.post?.id ?? account.id}`
      const known = byPlace.get(place)
      byPlace.set(place, { ...entry, accounts: [...(known?.accounts ?? []), account] })
    }
  }
  return [...byPlace.values()].toSorted((a, b) => a.time.localeCompare(b.time))
}
