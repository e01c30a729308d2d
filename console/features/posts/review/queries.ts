import { queryOptions, useQuery } from '@tanstack/react-query'
import { allPages, queryClient, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { useWorkspace } from '../../workspaces/queries'

export type ApprovalPolicies = components['schemas']['ApprovalPolicies']
export type ReviewState = components['schemas']['ReviewState']
export type AccountPolicy = components['schemas']['NewAccountPolicy']

export const approvalPoliciesQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['approval-policies', workspace],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/workspace/approval-policies')),
    staleTime: 60_000,
  })

/** The open steps of all posts in review, by post. */
export const reviewStatesQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['reviews', workspace, 'states'],
    queryFn: async () => {
      const states = await allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/posts/reviews', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      )
      return new Map(states.map((state) => [state.post_id, state]))
    },
  })

/** The open steps of a post, and the decisions so far. */
export const postReviewQuery = (workspace: string, id: string, version: string) =>
  queryOptions({
    queryKey: ['reviews', workspace, id, version],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/posts/{id}/review', { params: { path: { id } } })),
  })

export const reloadReviews = (workspace: string) => queryClient.invalidateQueries({ queryKey: ['reviews', workspace] })

/** Whether a post on one of these accounts needs an approval. */
export function useAsksForApproval(accounts: readonly string[]) {
  const { slug } = useWorkspace()
  const policies = useQuery(approvalPoliciesQuery(slug)).data
  return accounts.some((id) => {
    const own = policies?.accounts.find(({ account_id }) => account_id === id)
    return (own ?? policies)?.mode !== 'none' && policies !== undefined
  })
}
