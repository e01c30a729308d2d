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

/** Whether a model that makes videos is set up. */
export const hasVideoModelQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['video-models', workspace],
    queryFn: async () => {
      const query = { category: 'video', limit: 1 } as const
      const { data } = await unwrap(workspaceApi(workspace).GET('/api/v1/ai-models/active', { params: { query } }))
      return data.length > 0
    },
  })
