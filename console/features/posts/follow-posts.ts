import { queryClient, unwrap, workspaceApi } from '../../api'
import { hidePost, isNewer, showPosts } from './changes'
import { followedSince, followFrom, startFollowing } from './following'

/** Shows what changed since the last call. */
export async function followPosts(workspace: string, signal: AbortSignal) {
  const since = followedSince(workspace)
  if (!since) {
    await startFollowing(workspace)
    return
  }
  const client = workspaceApi(workspace)
  const query = { limit: 100, updated_since: since }
  const call = client.GET('/api/v1/posts', { params: { query }, signal })
  const { data, next_cursor } = await unwrap(call)
  // More than a page: refetches everything.
  if (next_cursor) void queryClient.invalidateQueries({ queryKey: ['posts', workspace] })
  showPosts(workspace, data.filter(isNewer))
  const deleted = client.GET('/api/v1/posts/deleted', { params: { query: { limit: 100, since } }, signal })
  for (const { id, deleted_at } of (await unwrap(deleted)).data) hidePost(workspace, id, deleted_at)
  followFrom(workspace, (await call).response)
}
