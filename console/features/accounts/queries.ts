import { queryOptions } from '@tanstack/react-query'
import { allPages, answered, workspaceApi } from '../../api'

export const accountsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['accounts', workspace],
    queryFn: () =>
      allPages((cursor) =>
        answered(
          workspaceApi(workspace).GET('/api/v1/accounts', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
    staleTime: 30_000,
  })

/** What networks there are changes with the version of Meydan only. */
export const networksQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['networks', workspace],
    queryFn: async () => (await answered(workspaceApi(workspace).GET('/api/v1/accounts/networks'))).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** How many scheduled posts go to an account. */
export const waitingQuery = (workspace: string, account: string) =>
  queryOptions({
    queryKey: ['posts', workspace, 'waiting', account],
    queryFn: async () => {
      const query = { status: 'scheduled', account_id: account, limit: 100 } as const
      const posts = await allPages((cursor) =>
        answered(
          workspaceApi(workspace).GET('/api/v1/posts', { params: { query: { ...query, ...(cursor && { cursor }) } } }),
        ),
      )
      return posts.length
    },
  })
