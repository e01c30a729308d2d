import { queryOptions } from '@tanstack/react-query'
import { allPages, queryClient, unwrap, workspaceApi } from '../../../../api'
import type { components } from '../../../../api.gen'

export type Snippet = components['schemas']['Snippet']

export const snippetsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['snippets', workspace],
    queryFn: async () => {
      const all = await allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/snippets', {
            params: { query: { limit: 100, ...(cursor !== undefined && { cursor }) } },
          }),
        ),
      )
      return all.toSorted((a, b) => a.name.localeCompare(b.name))
    },
  })

export const invalidateSnippets = (workspace: string) =>
  queryClient.invalidateQueries({ queryKey: snippetsQuery(workspace).queryKey })
