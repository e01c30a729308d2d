import { queryClient, unwrap, workspaceApi } from '../../api'
import { postCountsQuery } from './queries'

/** A transaction that began before the last call may commit after it. */
const COMMIT_DELAY_MS = 15_000

/** The time from which the next call asks, by the server's clock, because it compares with its own times. */
function nextTime({ headers }: Response) {
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  return new Date(now - COMMIT_DELAY_MS).toISOString()
}

/** The time from which the next call asks, by workspace. */
const times = new Map<string, string>()

/** The time from which changes of posts are to be asked for. undefined: they are not followed yet. */
export const followedSince = (workspace: string) => times.get(workspace)

/** Follows the posts of a workspace from the time of this response. */
export const followFrom = (workspace: string, response: Response) => times.set(workspace, nextTime(response))

/** Loads the numbers that navigation and banners show, and follows the posts from then on. */
export const startFollowing = (workspace: string) =>
  queryClient.fetchQuery({
    ...postCountsQuery(workspace),
    queryFn: async () => {
      const call = workspaceApi(workspace).GET('/api/v1/posts/counts')
      const counts = await unwrap(call)
      followFrom(workspace, (await call).response)
      return counts
    },
    staleTime: 0,
  })

/** Whether the posts of a workspace were loaded, so that their changes are known. */
export const isFollowing = (workspace: string) => times.has(workspace)

/** Forgets when the posts of a workspace were loaded, as when its pages were left. */
export const stopFollowing = (workspace: string) => times.delete(workspace)
