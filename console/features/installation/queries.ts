import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../api'
import type { components } from '../../api.gen'

export type Hold = components['schemas']['Hold']
export type Release = components['schemas']['Release']
export type DuePost = components['schemas']['DuePost']

export const holdQuery = queryOptions({
  queryKey: ['hold'],
  queryFn: () => unwrap(api.GET('/api/v1/admin/hold')),
  staleTime: 60_000,
})

export const duePostsQuery = infiniteQueryOptions({
  queryKey: ['hold', 'posts'],
  queryFn: ({ pageParam }) =>
    unwrap(
      api.GET('/api/v1/admin/hold/posts', {
        params: { query: { limit: 25, ...(pageParam && { cursor: pageParam }) } },
      }),
    ),
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }) => next_cursor,
})
