import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, unwrap, type Workspace, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { fromWall, moveDay } from '../../ui/text/time-zone'
import type { WorkspaceMember } from '../workspaces/members/member-queries'
import type { AuditSearch } from './search-params'

export type AuditEntry = components['schemas']['AuditEntry']

/** A person that entries name, if known. */
export type Person = Pick<WorkspaceMember, 'id' | 'name' | 'email'>

/** Builds the query of the API from the URL's filters. Days start at midnight in `timezone`. */
function queryParams(timezone: string, { actor, action, since, until }: AuditSearch, cursor: string) {
  const midnight = (day: string) => fromWall(timezone, `${day} 00:00:00`).toISOString()
  return {
    limit: 50,
    ...(cursor && { cursor }),
    ...(actor && { actor }),
    ...(action && { action }),
    ...(since && { since: midnight(since) }),
    ...(until && { until: midnight(moveDay(until, 1)) }),
  }
}

export const auditQuery = ({ slug, timezone }: Workspace, { actor, action, since, until }: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', slug, { actor, action, since, until, timezone }],
    queryFn: ({ pageParam, signal }) => {
      const query = queryParams(timezone, { actor, action, since, until }, pageParam)
      return unwrap(workspaceApi(slug).GET('/api/v1/workspace/audit-log', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

/** Entries outside of workspaces: sign-ins, user accounts, actions of instance admins. */
export const instanceAuditQuery = (timezone: string, { actor, action, since, until }: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['instance-audit-log', { actor, action, since, until, timezone }],
    queryFn: ({ pageParam, signal }) => {
      const query = queryParams(timezone, { actor, action, since, until }, pageParam)
      return unwrap(api.GET('/api/v1/admin/audit-log', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
