import { useMutation } from '@tanstack/react-query'
import { api, isCode, queryClient, unwrap } from '../../../api'
import type { ClientReview, ReviewedPost } from './queries'

/** Posts that one call approves. */
const AT_ONCE = 100

/** Key of the queries of a link, in every language. */
const queryKeyOf = (id: string) => ['client-review', id, 'posts']

function show(id: string, changed: readonly ReviewedPost[]) {
  const byId = new Map(changed.map((post) => [post.id, post]))
  queryClient.setQueriesData<ClientReview>(
    { queryKey: queryKeyOf(id) },
    (review) => review && { ...review, posts: review.posts.map((post) => byId.get(post.id) ?? post) },
  )
}

const reload = (id: string) => queryClient.invalidateQueries({ queryKey: queryKeyOf(id) })

/** Decides on a post as it is shown. One that changed is read again. */
export const useClientDecision = (id: string, post: ReviewedPost) =>
  useMutation({
    mutationFn: (reason: string | null) => {
      const params = { path: { id, post_id: post.id } }
      const { content_version } = post
      return unwrap(
        reason === null
          ? api.POST('/api/v1/review/{id}/posts/{post_id}/approve', { params, body: { content_version } })
          : api.POST('/api/v1/review/{id}/posts/{post_id}/request-change', {
              params,
              body: { content_version, reason },
            }),
      )
    },
    onSuccess: (changed) => show(id, [changed]),
    onError: (error) => {
      if (isCode(error, 'content_changed') || isCode(error, 'not_found') || isCode(error, 'invalid_transition'))
        void reload(id)
    },
  })

/** Approves these posts as they are shown. Returns how many were left out. */
export const useApproveSeen = (id: string) =>
  useMutation({
    mutationFn: async (posts: readonly ReviewedPost[]) => {
      let left = 0
      for (let start = 0; start < posts.length; start += AT_ONCE) {
        const seen = posts.slice(start, start + AT_ONCE).map(({ id, content_version }) => ({ id, content_version }))
        const params = { path: { id } }
        const { approved, left_out } = await unwrap(
          api.POST('/api/v1/review/{id}/approve', { params, body: { posts: seen } }),
        )
        show(id, approved)
        left += left_out.length
      }
      return left
    },
    onSettled: (left) => {
      if (left !== 0) void reload(id)
    },
  })
