import { useQuery } from '@tanstack/react-query'
import { answered, type Post, queryClient, workspaceApi } from '../../api'
import { showPost } from './queries'

const POLL_MS = 2500
/** What was begun before the last look may have been committed after it. */
const OVERLAP_MS = 15_000

/** When each post was changed last, as far as this tab has seen: the overlap brings the same change several times. */
const seen = new Map<string, string>()

function isNews({ id, updated_at }: Post) {
  if (seen.get(id) === updated_at) return false
  seen.set(id, updated_at)
  return true
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
      // The server's clock, because the times that it compares with are its own.
      const now = Date.parse((await call).response.headers.get('date') ?? '') || Date.now()
      return new Date(now - OVERLAP_MS).toISOString()
    },
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
  })
}
