import { queryOptions } from '@tanstack/react-query'
import { allPages, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { accountsQuery } from '../queries'

export type AccountHealth = components['schemas']['AccountHealth']

const PROGRESS_MS = 1500

/** Keys begin with that of the accounts: what changes an account changes its health. */
const keyOf = (workspace: string, part: 'health' | 'check') => [...accountsQuery(workspace).queryKey, part]

export const accountHealthQuery = (workspace: string) =>
  queryOptions({
    queryKey: keyOf(workspace, 'health'),
    queryFn: () =>
      allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/accounts/health', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

/** The last check of all accounts, followed while it runs. */
export const accountCheckQuery = (workspace: string) =>
  queryOptions({
    queryKey: keyOf(workspace, 'check'),
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/accounts/check')),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? PROGRESS_MS : false),
  })
