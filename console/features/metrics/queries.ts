import { queryOptions } from '@tanstack/react-query'
import { unwrap, workspaceApi } from '../../api'

/** Numbers change by the hour at most. */
const STALE_MS = 60_000

export const postMetricsQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['post-metrics', workspace, id],
    queryFn: ({ signal }) =>
      unwrap(workspaceApi(workspace).GET('/api/v1/posts/{id}/metrics', { params: { path: { id } }, signal })),
    staleTime: STALE_MS,
  })

/** Lengths of the period that the page of an account offers, in days. */
export const PERIODS = [7, 30, 90] as const
export type Period = (typeof PERIODS)[number]

export const accountMetricsQuery = (workspace: string, id: string, days: Period) =>
  queryOptions({
    queryKey: ['account-metrics', workspace, id, days],
    queryFn: ({ signal }) =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/accounts/{id}/metrics', {
          params: { path: { id }, query: { days } },
          signal,
        }),
      ),
    staleTime: STALE_MS,
  })
