import { queryOptions } from '@tanstack/react-query'
import { allPages, queryClient, unwrap, unwrapWithEtag, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { keys } from '../queries'

export type RecurringPost = components['schemas']['RecurringPost']

/** Below the key of lists of posts, because posts that change also change the next occurrences. */
export const recurringPostsQuery = (workspace: string) =>
  queryOptions({
    queryKey: [...keys.list(workspace), 'recurring'],
    queryFn: () =>
      allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/recurring-posts', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

/** One recurring post, with the ETag that a change sends back. */
export const recurringPostQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['recurring-post', workspace, id],
    queryFn: () =>
      unwrapWithEtag(workspaceApi(workspace).GET('/api/v1/recurring-posts/{id}', { params: { path: { id } } })),
  })

/** The latest past occurrences of a recurring post, with the post that each created or the reason why it has none. */
export const occurrencesQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: [...keys.list(workspace), 'recurring', id],
    queryFn: async () =>
      (
        await unwrap(
          workspaceApi(workspace).GET('/api/v1/recurring-posts/{id}/occurrences', {
            params: { path: { id }, query: { limit: 25 } },
          }),
        )
      ).data,
  })

export type UpcomingOccurrence = components['schemas']['UpcomingOccurrence']

/** The occurrences between two instants that have no post. */
export const upcomingQuery = (workspace: string, from: string, to: string) =>
  queryOptions({
    queryKey: [...keys.list(workspace), 'recurring', 'upcoming', from, to],
    queryFn: async () =>
      (
        await unwrap(
          workspaceApi(workspace).GET('/api/v1/recurring-posts/upcoming', { params: { query: { from, to } } }),
        )
      ).data,
  })

/** What a change would concern: all posts to come, or those from an occurrence on. */
export const impactQuery = (workspace: string, id: string, from: string | undefined) =>
  queryOptions({
    // Not below the key of the recurring post: after a split, `from` belongs to the new one.
    queryKey: ['recurring-impact', workspace, id, from],
    queryFn: () =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/recurring-posts/{id}/impact', {
          params: { path: { id }, query: { ...(from && { from }) } },
        }),
      ),
    // The number of posts changes each time one is created or edited.
    staleTime: 0,
    retry: false,
  })

/** The part of a recurring post that begins with an occurrence, with the ETag of the whole. */
export const followingQuery = (workspace: string, id: string, from: string) =>
  queryOptions({
    queryKey: ['recurring-post', workspace, id, from],
    queryFn: async () => {
      const whole = await queryClient.fetchQuery({ ...recurringPostQuery(workspace, id), staleTime: 0 })
      const { rule, starts_at } = await queryClient.fetchQuery(impactQuery(workspace, id, from))
      return { ...whole, record: { ...whole.record, rule, starts_at } }
    },
  })

type Recurrence = { rule: string; starts_at: string; timezone: string; variants: number }

export const previewQuery = (workspace: string, body: Recurrence) =>
  queryOptions({
    queryKey: ['recurrence-preview', workspace, body],
    queryFn: ({ signal }) => unwrap(workspaceApi(workspace).POST('/api/v1/recurring-posts/preview', { body, signal })),
    retry: false,
  })

export const invalidateRecurring = (workspace: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.list(workspace) }),
    queryClient.invalidateQueries({ queryKey: ['recurring-post', workspace] }),
  ])
