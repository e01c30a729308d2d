import { infiniteQueryOptions } from '@tanstack/react-query'
import { isStatus, unwrap, type Workspace, workspaceApi } from '../../api'

export const playgroundQuery = (workspace: string) =>
  infiniteQueryOptions({
    queryKey: ['network-posts', workspace],
    queryFn: ({ pageParam }) =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/playground', {
          params: { query: { limit: 20, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

/** Returns which of the user's workspaces a Playground post belongs to. */
export async function findPlaygroundPost(workspaces: readonly Workspace[], id: string) {
  for (const workspace of workspaces) {
    const call = workspaceApi(workspace.slug).GET('/api/v1/playground/{id}', { params: { path: { id } } })
    try {
      await unwrap(call)
      return workspace
    } catch (error) {
      // 400: the address has no valid id.
      if (!isStatus(error, 404) && !isStatus(error, 400)) throw error
    }
  }
  return undefined
}
