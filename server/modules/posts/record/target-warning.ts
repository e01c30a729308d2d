import { sql } from 'kysely'

/** Reasons for which a scheduled post would not be published on an account as it is now. */
export const targetWarnings = ['account_disconnected', 'account_paused', 'sign_in_ends_before'] as const
export type TargetWarning = (typeof targetWarnings)[number]

/**
 * The warning of a target; null without one. Of `post`, `t` (its target) and `a` (the account of that). It is not stored,
 * so that it ends when the account is connected again.
 */
export const targetWarning = sql<TargetWarning | null>`case when post.status = 'scheduled' and t.status = 'pending' then case
  when a.status = 'disconnected' then 'account_disconnected'
  when a.paused_by is not null then 'account_paused'
  when (select expires_at from oauth_grant where oauth_grant.id = a.grant_id and renew_at is null) <= post.scheduled_at
    then 'sign_in_ends_before' end end`
