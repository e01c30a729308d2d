import { queryOptions } from '@tanstack/react-query'
import { allPages, answered, workspaceApi } from '../../api'

export const webhooksQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['webhooks', workspace],
    queryFn: () =>
      allPages((cursor) =>
        answered(
          workspaceApi(workspace).GET('/api/v1/webhooks', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

export const eventTypesQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['event-types', workspace],
    queryFn: async () => (await answered(workspaceApi(workspace).GET('/api/v1/webhooks/event-types'))).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
