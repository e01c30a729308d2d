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

/** The actions to filter by, by subject. An action missing here is shown by its code. */
export const workspaceActions = {
  workspace: ['created', 'updated', 'deleted', 'restored'],
  member: ['role_changed', 'removed', 'left'],
  invitation: ['created', 'resent', 'revoked', 'accepted'],
  token: ['created', 'rotated', 'revoked'],
  account: ['connected', 'reconnected', 'disconnected', 'removed', 'paused', 'resumed', 'posting_times_changed'],
  post: ['created', 'updated', 'publish_requested', 'retry_requested', 'approved', 'rejected', 'deleted', 'restored'],
  recurring_post: ['created', 'updated', 'paused', 'resumed', 'deleted', 'occurrence_skipped'],
  agent: ['run_requested', 'disabled'],
  webhook: ['created', 'deleted', 'tested'],
  subscription: [
    'start_trial',
    'start',
    'pay',
    'miss_payment',
    'request_cancel',
    'resume',
    'cancel_now',
    'expire',
    'change_plan',
    'schedule_change',
    'undo_change',
    'extend',
  ],
  gig: ['created', 'updated', 'deleted', 'taken_down', 'restored'],
  checkout: ['created'],
  payment: ['applied', 'unapplied'],
  payment_request: ['approved', 'rejected'],
  refund: ['requested', 'succeeded', 'failed'],
  invoice: ['issued', 'paid', 'voided', 'credited', 'official_number_set'],
} as const
export const instanceActions = {
  user: [
    'signed_up',
    'email_verified',
    'signed_in',
    'sign_in_failed',
    'signed_out',
    'session_ended',
    'updated',
    'password_changed',
    'password_reset_requested',
    'password_reset',
    'email_change_requested',
    'email_change_canceled',
    'email_changed',
    'two_factor_enabled',
    'two_factor_disabled',
    'backup_codes_renewed',
    'backup_code_used',
    'exported',
    'deleted',
    'banned',
    'unbanned',
    'made_instance_admin',
    'promoted',
  ],
  token: ['created', 'rotated', 'revoked'],
  workspace: ['erased'],
  options: ['changed', 'mail_tested'],
  ai_model: ['created', 'updated', 'key_set', 'key_removed', 'tested', 'deleted'],
  plan: ['created', 'updated', 'archived', 'ordered'],
  email_template: ['created', 'updated', 'tested', 'deleted'],
  mail: ['retried'],
  subscription: ['repaired'],
  gig: ['reported', 'report_dismissed'],
  signature: ['updated'],
} as const

type Subject = keyof typeof workspaceActions | keyof typeof instanceActions
export type Actions = { readonly [Name in Subject]?: readonly string[] }

export const subjectsOf = (actions: Actions) => Object.keys(actions) as Subject[]
