import { sql } from 'kysely'
import type { Gauge } from '../usage/meter.ts'

export const socialAccounts: Gauge = {
  meter: 'social_accounts',
  kind: 'gauge',
  count: (workspace_id) =>
    sql`(select count(*)::int from account where workspace_id = ${workspace_id} and deleted_at is null)`,
  allows: (limit) => `${limit} connected ${limit === 1 ? 'account' : 'accounts'}`,
  hint: 'Disconnect one that you no longer need',
}

/** Accounts that publish. Paused ones keep their place among the connected ones. */
export const publishingAccounts: Gauge = {
  ...socialAccounts,
  count: (workspace_id) =>
    sql`(select count(*)::int from account
      where workspace_id = ${workspace_id} and deleted_at is null and paused_by is null)`,
  hint: 'Pause another account first',
}
