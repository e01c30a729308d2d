import { queryOptions } from '@tanstack/react-query'
import { allPages, api, plansQuery, queryClient, unwrap, unwrapWithEtag, workspaceApi } from '../../api'
import type { components } from '../../api.gen'

/** A plan as its admins see it. */
export type Plan = components['schemas']['Plan']
/** A plan as everybody sees it. */
export type PublicPlan = components['schemas']['PublicPlan']
export type Usage = components['schemas']['Usage']
type Limits = PublicPlan['limits']
export type Meter = keyof Limits
export type Entitlement = PublicPlan['entitlements'][number]

/** Meters in display order. */
export const meters = [
  'social_accounts',
  'posts_per_month',
  'scheduled_posts_max',
  'ai_credits',
  'team_members',
  'storage_mb',
] as const satisfies Meter[]
/** The features that exist: a route requires each. Plans may list features of later versions too. */
export const entitlements = ['ai.agents', 'approvals', 'audit_log', 'marketplace.sell'] as const satisfies Entitlement[]

export const UNLIMITED = -1

export const usageQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['usage', workspace],
    queryFn: () => unwrap(workspaceApi(workspace).GET('/api/v1/workspace/usage')),
    // Only long enough for the page that loaded it.
    staleTime: 1000,
  })

/** All plans in their order, including archived and hidden ones. */
export const adminPlansQuery = queryOptions({
  queryKey: ['admin-plans'],
  queryFn: () =>
    allPages((cursor) =>
      unwrap(api.GET('/api/v1/admin/plans', { params: { query: { limit: 100, ...(cursor && { cursor }) } } })),
    ),
})

/** A plan, with the ETag that a change sends back. */
export const adminPlanQuery = (code: string) =>
  queryOptions({
    queryKey: ['admin-plan', code],
    queryFn: () => unwrapWithEtag(api.GET('/api/v1/admin/plans/{code}', { params: { path: { code } } })),
  })

/** Whether plan limits apply, and the plan of workspaces without a subscription. */
export const billingQuery = queryOptions({
  queryKey: ['billing-options'],
  queryFn: async () => {
    const read = (key: string) => unwrap(api.GET('/api/v1/options/{key}', { params: { path: { key } } }))
    const [enabled, standard] = await Promise.all([read('billing.enabled'), read('billing.default_plan')])
    return { enabled: enabled.value === true, default_plan: String(standard.value).toLowerCase() }
  },
  staleTime: 0,
})

/** Refetches everything shown of plans. */
export const invalidatePlans = () =>
  Promise.all(
    [adminPlansQuery.queryKey, ['admin-plan'], plansQuery.queryKey, ['usage']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
