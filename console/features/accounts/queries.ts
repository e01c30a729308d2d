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
