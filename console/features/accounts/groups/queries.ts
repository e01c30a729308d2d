import { queryOptions } from '@tanstack/react-query'
import { allPages, queryClient, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'

export type AccountGroup = components['schemas']['AccountGroup']

/** The groups of a workspace, by name. */
export const accountGroupsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['account-groups', workspace],
    queryFn: async () => {
      const groups = await allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/account-groups', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      )
      return groups.toSorted((a, b) => a.name.localeCompare(b.name))
    },
    staleTime: 30_000,
  })

export const reloadAccountGroups = (workspace: string) =>
  queryClient.invalidateQueries({ queryKey: accountGroupsQuery(workspace).queryKey })
