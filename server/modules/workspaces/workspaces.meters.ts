import { sql } from 'kysely'
import type { Gauge } from '../usage/meter.ts'

const countMembers: Gauge['count'] = (workspace_id) =>
  sql<number>`(select count(*)::int from workspace_member where workspace_id = ${workspace_id})`

export const teamMembers: Gauge = {
  meter: 'team_members',
  kind: 'gauge',
  count: (workspace_id, now) => sql`(${countMembers(workspace_id, now)}
    + (select count(*)::int from invitation where workspace_id = ${workspace_id} and state = 'pending'
      and expires_at > ${now}))`,
  allows: (limit) => `${limit} ${limit === 1 ? 'member' : 'members'}, including pending invitations`,
  hint: 'Remove a member or revoke an invitation',
}

/** Without pending invitations, so that one of them can be accepted while the others exceed the limit. */
export const joinedMembers: Gauge = { ...teamMembers, count: countMembers }
