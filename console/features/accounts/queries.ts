import { queryOptions } from '@tanstack/react-query'
import { allPages, queryClient, unwrap, workspaceApi } from '../../api'

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
  })

/** The list of networks changes only with the version of Meydan. */
export const networksQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['networks', workspace],
    queryFn: async () => (await unwrap(workspaceApi(workspace).GET('/api/v1/accounts/networks'))).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const prefetchAccounts = (workspace: string) =>
  Promise.all([
    queryClient.prefetchQuery(accountsQuery(workspace)),
    queryClient.prefetchQuery(networksQuery(workspace)),
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
