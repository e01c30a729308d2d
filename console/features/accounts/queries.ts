import { queryOptions } from '@tanstack/react-query'
import { allPages, queryClient, unwrap, workspaceApi } from '../../api'
import { currentLanguage } from '../../i18n'
import { networksQuery } from '../networks/queries'

export const accountsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['accounts', workspace],
    queryFn: () =>
      allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/accounts', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
    staleTime: 30_000,
    // A network may refuse an account at any time.
    refetchInterval: 30_000,
  })

export const prefetchAccounts = (workspace: string) =>
  Promise.all([
    queryClient.prefetchQuery(accountsQuery(workspace)),
    queryClient.prefetchQuery(networksQuery(workspace, currentLanguage())),
  ])

/** The number of scheduled posts for an account. */
export const scheduledCountQuery = (workspace: string, account: string) =>
  queryOptions({
    queryKey: ['posts', workspace, 'waiting', account],
    queryFn: async () => {
      const query = { status: 'scheduled', account_id: account, limit: 100 } as const
      const posts = await allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/posts', { params: { query: { ...query, ...(cursor && { cursor }) } } }),
        ),
      )
      return posts.length
    },
  })
