import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api'
import type { components } from '../../../api.gen'
import type { Language } from '../../../i18n'

export type ClientReview = components['schemas']['ClientReview']
export type ReviewedPost = components['schemas']['ReviewedPost']

/** Exchanges the secret in the address, which it removes from there, and reads the posts of the link. */
export const clientReviewQuery = (id: string, locale: Language) =>
  queryOptions({
    queryKey: ['client-review', id, locale],
    queryFn: async () => {
      const params = { path: { id } }
      const secret = window.location.hash.slice(1)
      if (secret) {
        await unwrap(api.POST('/api/v1/review/{id}/session', { params, body: { secret } }))
        window.history.replaceState(window.history.state, '', window.location.pathname)
      }
      return unwrap(api.GET('/api/v1/review/{id}', { params: { ...params, query: { locale } } }))
    },
    retry: false,
    staleTime: 60_000,
  })
