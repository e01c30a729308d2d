import { queryOptions } from '@tanstack/react-query'
import { unwrap, workspaceApi } from '../../../api'

/** The models that write texts; embedding models do not. */
export const textModelsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['text-models', workspace],
    queryFn: async () => {
      const query = { category: 'text', limit: 100 } as const
      const { data } = await unwrap(workspaceApi(workspace).GET('/api/v1/ai-models/active', { params: { query } }))
      return data.filter(({ api_type }) => api_type !== 'embedding')
    },
    staleTime: 60_000,
  })
