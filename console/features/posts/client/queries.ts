import { queryOptions } from '@tanstack/react-query'
import { allPages, api, isCode, queryClient, unwrap } from '../../../api'
import type { components } from '../../../api.gen'
import type { Language } from '../../../i18n'

export type ClientReview = components['schemas']['ClientReview']
export type ReviewedPost = components['schemas']['ReviewedPost']

export type ClientComment = components['schemas']['ClientComment']

/** Time after which an open page shows comments of others. */
const REFETCH_MS = 30_000

/** The comments on a post that the client reads, the oldest first. */
export const clientCommentsQuery = (id: string, post_id: string) =>
  queryOptions({
    queryKey: ['client-review', id, 'comments', post_id],
    queryFn: async () => {
      const params = { path: { id, post_id } }
      const comments = await allPages((cursor) =>
        unwrap(
          api.GET('/api/v1/review/{id}/posts/{post_id}/comments', {
            params: { ...params, query: { limit: 100, ...(cursor !== undefined && { cursor }) } },
          }),
        ),
      )
      return comments.toReversed()
    },
    refetchInterval: REFETCH_MS,
  })

/** Reads the posts of a link and the comments again. */
export const reloadClientReview = (id: string) => queryClient.invalidateQueries({ queryKey: ['client-review', id] })

/** Exchanges the secret in the address, which it removes from there, for a session. */
export async function openClientLink(id: string, password?: string) {
  const secret = window.location.hash.slice(1)
  if (!secret) return
  const body = { secret, ...(password !== undefined && { password }) }
  await unwrap(api.POST('/api/v1/review/{id}/session', { params: { path: { id } }, body }))
  window.history.replaceState(window.history.state, '', window.location.pathname)
}

/** Opens the link and reads its posts. Null while the link asks for a password. */
export const clientReviewQuery = (id: string, locale: Language) =>
  queryOptions({
    queryKey: ['client-review', id, 'posts', locale],
    queryFn: async () => {
      try {
        await openClientLink(id)
      } catch (error) {
        if (isCode(error, 'password_required')) return null
        throw error
      }
      return unwrap(api.GET('/api/v1/review/{id}', { params: { path: { id }, query: { locale } } }))
    },
    retry: false,
    staleTime: 60_000,
  })
