import { useQuery } from '@tanstack/react-query'
import { answered, type Post, queryClient, workspaceApi } from '../../api'
import { hidePost, showPost } from './queries'

const POLL_MS = 2500
/** What was begun before the last look may have been committed after it. */
const OVERLAP_MS = 15_000

/** When each post was changed last, as far as this tab has seen: the overlap brings the same change several times. */
const seen = new Map<string, string>()

function isNews({ id, updated_at }: Pick<Post, 'id' | 'updated_at'>) {
  if (seen.get(id) === updated_at) return false
  seen.set(id, updated_at)
  return true
}

/** What was deleted, here or elsewhere, is told once; what is restored comes back as changed. */
async function hideDeleted(workspace: string, since: string) {
  const query = { limit: 100, since }
  const { data } = await answered(workspaceApi(workspace).GET('/api/v1/posts/deleted', { params: { query } }))
  for (const { id, deleted_at } of data) if (isNews({ id, updated_at: deleted_at })) hidePost(workspace, id, deleted_at)
}

/** Keeps every post on the screen as the server has it, by asking every few seconds what has changed. */
export function useLivePosts(workspace: string) {
  useQuery({
    queryKey: ['live', workspace],
    queryFn: async ({ queryKey }) => {
      const since = queryClient.getQueryData<string>(queryKey)
      const query = since ? { limit: 100, updated_since: since } : { limit: 1 }
      const call = workspaceApi(workspace).GET('/api/v1/posts', { params: { query } })
      const { data, next_cursor } = await answered(call)
      if (since && next_cursor) void queryClient.invalidateQueries({ queryKey: ['posts', workspace] })
      else if (since) for (const post of data) if (isNews(post)) showPost(workspace, post)
      if (since) await hideDeleted(workspace, since)
      // The server's clock, because the times that it compares with are its own.
      const now = Date.parse((await call).response.headers.get('date') ?? '') || Date.now()
      return new Date(now - OVERLAP_MS).toISOString()
    },
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
  })
}
