import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Post, queryClient, unwrap, wasRefused, workspaceApi } from '../../../api'
import { useWorkspace } from '../../workspaces/queries'
import { showPost } from '../changes'
import { postVersionQuery } from '../queries'
import { reloadReviews } from './queries'

type Decision = { approve: true } | { reason: string }

/** Approves or rejects a post as the page shows it. A text that changed meanwhile is shown instead, without a decision. */
export function useDecision(post: Post, onDecided?: (changed: Post) => void) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const client = workspaceApi(slug)
  return useMutation({
    mutationFn: async (decision: Decision) => {
      const { record, etag } = await queryClient.fetchQuery({ ...postVersionQuery(slug, post.id), staleTime: 0 })
      if (record.updated_at !== post.updated_at) return { changed: record, isDecided: false }
      const params = { path: { id: post.id } }
      const headers = { 'if-match': etag }
      const changed =
        'reason' in decision
          ? await unwrap(client.POST('/api/v1/posts/{id}/reject', { params, headers, body: decision }))
          : await unwrap(client.POST('/api/v1/posts/{id}/approve', { params, headers, body: {} }))
      return { changed, isDecided: true }
    },
    onSuccess: ({ changed, isDecided }) => {
      if (isDecided) onDecided?.(changed)
      else notifications.show({ message: t('review.changed'), color: 'yellow' })
      showPost(slug, changed)
      void reloadReviews(slug)
    },
  })
}

/** Approves these posts as the page shows them. Those that changed since or are refused are left out. */
export function useApproveAll(posts: readonly Post[]) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const client = workspaceApi(slug)
  return useMutation({
    mutationFn: async () => {
      const approve = async (post: Post) => {
        const { record, etag } = await queryClient.fetchQuery({ ...postVersionQuery(slug, post.id), staleTime: 0 })
        if (record.updated_at !== post.updated_at) return false
        const call = { params: { path: { id: post.id } }, headers: { 'if-match': etag }, body: {} }
        showPost(slug, await unwrap(client.POST('/api/v1/posts/{id}/approve', call)))
        return true
      }
      let count = 0
      for (const post of posts) if (await approve(post).catch(leaveOut)) count++
      return { count, left: posts.length - count }
    },
    onSuccess: ({ count, left }) => {
      const approved = t('review.approved_count', { count })
      const message = left > 0 ? `${approved}. ${t('review.left_out_count', { count: left })}` : approved
      notifications.show({ message, ...(left > 0 && { color: 'yellow' }) })
    },
    onSettled: () => reloadReviews(slug),
  })
}

/** A refusal of one post is no reason to stop. */
function leaveOut(error: unknown) {
  if (wasRefused(error)) return false
  throw error
}
