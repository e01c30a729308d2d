import { useQuery } from '@tanstack/react-query'
import { queryClient, unwrap, workspaceApi } from '../../api'
import { hidePost, isNewer, postCountsQuery, showPosts } from './queries'

const POLL_MS = 2500
/** A transaction that began before the last poll may commit after it. */
const COMMIT_DELAY_MS = 15_000

/** The time from which the next poll asks, by the server's clock, because it compares with its own times. */
function pollTime({ headers }: Response) {
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  return new Date(now - COMMIT_DELAY_MS).toISOString()
}

/** Keeps the posts on the screen current by polling for changes every few seconds. */
export function usePolledPosts(workspace: string) {
  useQuery({
    queryKey: ['live', workspace],
    queryFn: async ({ queryKey, signal }) => {
      const since = queryClient.getQueryData<string>(queryKey)
      const client = workspaceApi(workspace)
      if (!since) {
        const call = client.GET('/api/v1/posts/counts', { signal })
        queryClient.setQueryData(postCountsQuery(workspace).queryKey, await unwrap(call))
        return pollTime((await call).response)
      }
      const query = { limit: 100, updated_since: since }
      const call = client.GET('/api/v1/posts', { params: { query }, signal })
      const { data, next_cursor } = await unwrap(call)
      // More than a page: refetches everything.
      if (next_cursor) void queryClient.invalidateQueries({ queryKey: ['posts', workspace] })
      showPosts(workspace, data.filter(isNewer))
      const deleted = client.GET('/api/v1/posts/deleted', { params: { query: { limit: 100, since } }, signal })
      for (const { id, deleted_at } of (await unwrap(deleted)).data) hidePost(workspace, id, deleted_at)
      return pollTime((await call).response)
    },
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
  })
}
