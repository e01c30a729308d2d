import { queryOptions } from '@tanstack/react-query'
import { DAY } from '../../../../shared/time'
import { unwrap, unwrapWithEtag, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { keys } from '../queries'

export type PostingTimes = components['schemas']['PostingTimes']
export type QueueEntry = components['schemas']['QueueEntry']

export const postingTimesQuery = (workspace: string, account: string) =>
  queryOptions({
    queryKey: ['posting-times', workspace, account] as const,
    queryFn: () =>
      unwrapWithEtag(
        workspaceApi(workspace).GET('/api/v1/accounts/{id}/posting-times', { params: { path: { id: account } } }),
      ),
  })

/** The days of a queue that its page shows at first, and at most. */
export const FIRST_DAYS = { days: 14 }
export const ALL_DAYS = { days: 62 }

/** The slots of an account in a span, or in the next days. Every change of posts loads them again. */
export const queueQuery = (workspace: string, account: string, span: { from: string; to: string } | { days: number }) =>
  queryOptions({
    queryKey: [...keys.list(workspace), 'queue', account, span],
    queryFn: ({ signal }) => {
      const query = 'days' in span ? { to: new Date(Date.now() + span.days * DAY).toISOString() } : span
      const params = { path: { id: account }, query }
      return unwrap(workspaceApi(workspace).GET('/api/v1/accounts/{id}/queue', { params, signal }))
    },
  })

/** The time that the queue would give a post for these accounts now, and the code of the reason if there is none. */
export const nextSlotQuery = (workspace: string, account_ids: string[]) =>
  queryOptions({
    queryKey: [...keys.list(workspace), 'next-slot', account_ids],
    queryFn: async ({ signal }) => {
      const body = { content: '', account_ids, queue: 'next' as const }
      const { next_slot_at, problems } = await unwrap(
        workspaceApi(workspace).POST('/api/v1/posts/validate', { body, signal }),
      )
      return { time: next_slot_at, code: problems.find(({ pointer }) => pointer === '/queue')?.code }
    },
    enabled: account_ids.length > 0,
  })
