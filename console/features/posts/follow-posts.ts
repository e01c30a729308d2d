import { queryClient, unwrap, workspaceApi } from '../../api'
import { hidePost, isNewer, postCountsQuery, showPosts } from './queries'

/** A transaction that began before the last call may commit after it. */
const COMMIT_DELAY_MS = 15_000

/** The time from which the next call asks, by the server's clock, because it compares with its own times. */
function nextTime({ headers }: Response) {
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  return new Date(now - COMMIT_DELAY_MS).toISOString()
}

/** The time from which the next call asks, by workspace. */
const times = new Map<string, string>()

/** Shows what changed since the last call. The first one loads the numbers that the navigation shows. */
export async function followPosts(workspace: string, signal: AbortSignal) {
  const since = times.get(workspace)
  const client = workspaceApi(workspace)
  if (!since) {
    const call = client.GET('/api/v1/posts/counts', { signal })
    queryClient.setQueryData(postCountsQuery(workspace).queryKey, await unwrap(call))
    times.set(workspace, nextTime((await call).response))
    return
  }
  const query = { limit: 100, updated_since: since }
  const call = client.GET('/api/v1/posts', { params: { query }, signal })
  const { data, next_cursor } = await unwrap(call)
  // More than a page: refetches everything.
  if (next_cursor) void queryClient.invalidateQueries({ queryKey: ['posts', workspace] })
  showPosts(workspace, data.filter(isNewer))
  const deleted = client.GET('/api/v1/posts/deleted', { params: { query: { limit: 100, since } }, signal })
  for (const { id, deleted_at } of (await unwrap(deleted)).data) hidePost(workspace, id, deleted_at)
  times.set(workspace, nextTime((await call).response))
}

/** Whether the posts of a workspace were loaded, so that their changes are known. */
export const isFollowing = (workspace: string) => times.has(workspace)

/** Forgets when the posts of a workspace were loaded, as when its pages were left. */
export const stopFollowing = (workspace: string) => times.delete(workspace)
