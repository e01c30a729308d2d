import { infiniteQueryOptions } from '@tanstack/react-query'
import { answered, type Workspace, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { fromWall, moveDay } from '../../ui/zone'
import type { AuditSearch } from './search'

export type AuditEntry = components['schemas']['AuditEntry']

export const auditQuery = ({ slug, timezone }: Workspace, { actor, action, since, until }: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', slug, { actor, action, since, until, timezone }],
    queryFn: ({ pageParam, signal }) => {
      const midnight = (day: string) => fromWall(timezone, `${day} 00:00:00`).toISOString()
      const query = {
        limit: 50,
        ...(pageParam && { cursor: pageParam }),
        ...(actor && { actor }),
        ...(action && { action }),
        ...(since && { since: midnight(since) }),
        ...(until && { until: midnight(moveDay(until, 1)) }),
      }
      return answered(workspaceApi(slug).GET('/api/v1/workspace/audit-log', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

/** What can be asked for, by subject. An action that is not here is shown by its own name. */
export const actions = {
  workspace: ['created', 'updated', 'deleted', 'restored'],
  member: ['role_changed', 'removed', 'left'],
  invitation: ['created', 'resent', 'revoked', 'accepted'],
  token: ['created', 'rotated', 'revoked'],
  account: ['connected', 'reconnected', 'disconnected', 'removed'],
  post: ['created', 'updated', 'publish_requested', 'retry_requested', 'deleted', 'restored'],
  webhook: ['created', 'deleted', 'tested'],
} as const
export const subjects = Object.keys(actions) as (keyof typeof actions)[]
