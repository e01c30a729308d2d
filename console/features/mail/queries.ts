import { infiniteQueryOptions } from '@tanstack/react-query'
import { answered, api } from '../../api'

export const outboxQuery = infiniteQueryOptions({
  queryKey: ['outbox'],
  queryFn: ({ pageParam }) =>
    answered(
      api.GET('/api/v1/admin/outbox', { params: { query: { limit: 30, ...(pageParam && { cursor: pageParam }) } } }),
    ),
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }) => next_cursor,
  refetchInterval: 10_000,
})
