import { useQuery } from '@tanstack/react-query'
import { answered, queryClient, workspaceApi } from '../../api'
import { hidePost, isNews, showPosts } from './queries'

const POLL_MS = 2500
/** What was begun before the last look may have been committed after it. */
const OVERLAP_MS = 15_000

/** Keeps every post on the screen as the server has it, by asking every few seconds what has changed. */
export function useLivePosts(workspace: string) {
  useQuery({
    queryKey: ['live', workspace],
    queryFn: async ({ queryKey, signal }) => {
      const since = queryClient.getQueryData<string>(queryKey)
      const client = workspaceApi(workspace)
      const query = since ? { limit: 100, updated_since: since } : { limit: 1 }
      const call = client.GET('/api/v1/posts', { params: { query }, signal })
      const { data, next_cursor } = await answered(call)
      if (since) {
        // More than a page: everything is asked for again.
        if (next_cursor) void queryClient.invalidateQueries({ queryKey: ['posts', workspace] })
        showPosts(workspace, data.filter(isNews))
        const deleted = client.GET('/api/v1/posts/deleted', { params: { query: { limit: 100, since } }, signal })
        for (const { id, deleted_at } of (await answered(deleted)).data) hidePost(workspace, id, deleted_at)
      }
      // The server's clock, because the times that it compares with are its own.
      const now = Date.parse((await call).response.headers.get('date') ?? '') || Date.now()
      return new Date(now - OVERLAP_MS).toISOString()
    },
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
  })
}
