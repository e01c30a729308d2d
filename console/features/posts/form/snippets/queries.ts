import { queryOptions } from '@tanstack/react-query'
import { allPages, queryClient, unwrap, workspaceApi } from '../../../../api'
import type { components } from '../../../../api.gen'

export type Snippet = components['schemas']['Snippet']
export type Variables = components['schemas']['Variables']

export const kinds = ['text', 'hashtags', 'template'] as const

/** The snippets of a workspace, with the variables that fill them in. */
export const snippetsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['snippets', workspace],
    queryFn: async () => {
      const client = workspaceApi(workspace)
      const [variables, snippets] = await Promise.all([
        unwrap(client.GET('/api/v1/workspace/variables')),
        allPages((cursor) =>
          unwrap(
            client.GET('/api/v1/snippets', {
              params: { query: { limit: 100, ...(cursor !== undefined && { cursor }) } },
            }),
          ),
        ),
      ])
      return { variables, snippets: snippets.toSorted((a, b) => a.name.localeCompare(b.name)) }
    },
  })

export const invalidateSnippets = (workspace: string) =>
  queryClient.invalidateQueries({ queryKey: snippetsQuery(workspace).queryKey })
