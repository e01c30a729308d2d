import { queryOptions } from '@tanstack/react-query'
import { allPages, queryClient, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'

export type Comment = components['schemas']['PostComment']
export type Audience = Comment['audience']

/** Time after which an open page shows comments of others. */
const REFETCH_MS = 15_000

/** All comments on a post, the oldest first. */
export const commentsQuery = (workspace: string, post: string) =>
  queryOptions({
    queryKey: ['comments', workspace, post],
    queryFn: async () => {
      const comments = await allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/posts/{id}/comments', {
            params: { path: { id: post }, query: { limit: 100, ...(cursor !== undefined && { cursor }) } },
          }),
        ),
      )
      return comments.toReversed()
    },
    refetchInterval: REFETCH_MS,
  })

export const reloadComments = (workspace: string, post: string) =>
  queryClient.invalidateQueries({ queryKey: commentsQuery(workspace, post).queryKey })

export type Discussion = { first: Comment; replies: Comment[] }

/** Puts replies under the comments that they reply to. */
export const discussionsOf = (comments: readonly Comment[]): Discussion[] =>
  comments
    .filter(({ parent_id }) => parent_id === null)
    .map((first) => ({ first, replies: comments.filter(({ parent_id }) => parent_id === first.id) }))
