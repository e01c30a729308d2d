import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../api'
import type { components } from '../../api.gen'

export type Hold = components['schemas']['Hold']
export type Release = components['schemas']['Release']
export type Status = components['schemas']['Status']
export type StatusCheck = components['schemas']['StatusCheck']
export type DuePost = components['schemas']['DuePost']
export type Backup = components['schemas']['Backup']
export type BackupSummary = components['schemas']['BackupSummary']

const BUSY_MS = 2000

export const isRunning = ({ ended_at, error_code }: Backup) => ended_at === null && error_code === null

export const backupsQuery = infiniteQueryOptions({
  queryKey: ['backups', 'list'],
  queryFn: ({ pageParam }) =>
    unwrap(
      api.GET('/api/v1/admin/backups', {
        params: { query: { limit: 25, ...(pageParam && { cursor: pageParam }) } },
      }),
    ),
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }) => next_cursor,
  refetchInterval: ({ state: { data } }) => (data?.pages[0]?.data.some(isRunning) ? BUSY_MS : false),
})

export const backupSummaryQuery = queryOptions({
  queryKey: ['backups', 'summary'],
  queryFn: () => unwrap(api.GET('/api/v1/admin/backups/summary')),
  refetchInterval: BUSY_MS * 5,
})

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

/** Checks the installation, which calls its mail server and its storage. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: () => unwrap(api.GET('/api/v1/admin/status')),
  staleTime: 5 * 60_000,
})

export const useStatusErrorCount = () =>
  useQuery(statusQuery).data?.checks.filter(({ level }) => level === 'error').length ?? 0
