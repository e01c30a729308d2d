import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { prepared } from '../../lib/db/database.ts'
import { unreadCount } from '../notifications/notifications.ts'
import type { Pulse } from './change-check.schema.ts'

type Versions = NonNullable<Static<typeof Pulse>['workspace']>

/**
 * A change may commit after a later one, by as much as this. So the version of posts is one of all that changed in this
 * time before the last change.
 */
const COMMIT_DELAY = sql`interval '15 s'`
const MAX_CHANGES = sql.lit(200)
const MAX_RUNS = sql.lit(20)
const MAX_TOKENS = sql.lit(200)

type Reader = { user_id: string; workspace_id: string | null; is_instance_admin: boolean; now: Date }

/** Whether the list of a workspace changed, for each list. The query reads the last rows of indexes. */
const versionsOf = ({ user_id, workspace_id, now }: Reader) => sql<Versions>`
  select m.workspace_id as id,
    md5(concat(
      (select string_agg(concat(id, ' ', version), ',' order by id) from (
        select id, version from post p where p.workspace_id = m.workspace_id and p.deleted_at is null
          and p.updated_at >= (select max(updated_at) from post where workspace_id = m.workspace_id and deleted_at is null)
            - ${COMMIT_DELAY}
        order by p.updated_at desc, p.id desc limit ${MAX_CHANGES}) as changed),
      (select string_agg(id::text, ',' order by id) from (
        select id from post p where p.workspace_id = m.workspace_id and p.deleted_at is not null
          and p.deleted_at >= (select max(deleted_at) from post
            where workspace_id = m.workspace_id and deleted_at is not null) - ${COMMIT_DELAY}
        order by p.deleted_at desc, p.id desc limit ${MAX_CHANGES}) as deleted))) as posts,
    -- The health of accounts also changes with time.
    md5(concat(date_trunc('hour', ${now}::timestamptz), (
      select string_agg(concat_ws(' ', id, status, paused_by, held_until > ${now}::timestamptz, updated_at), ',' order by id)
      from account where workspace_id = m.workspace_id and deleted_at is null))) as accounts,
    md5(concat((select string_agg(concat(id, ' ', updated_at), ',' order by id) from approval_policy
      where workspace_id = m.workspace_id))) as reviews,
    md5(concat(
      (select max(updated_at) from gig_order where buyer_workspace_id = m.workspace_id), ' ',
      (select max(updated_at) from gig_order where seller_workspace_id = m.workspace_id))) as orders,
    md5(concat(
      (select string_agg(concat_ws(' ', id, version, next_run_at), ',' order by id) from agent
        where workspace_id = m.workspace_id), ' ',
      (select string_agg(concat_ws(' ', id, status, made, ended_at), ',' order by id) from (
        select id, status, made, ended_at from agent_run where workspace_id = m.workspace_id
        order by id desc limit ${MAX_RUNS}) as run))) as agents,
    -- The health of a webhook changes with each attempt.
    md5(concat((select string_agg(concat_ws(' ', w.id, w.version, w.description, w.disabled_at, w.previous_secret_expires_at,
        h::text, (select id from delivery d where d.webhook_id = w.id order by id desc limit 1),
        (select concat(state, id) from delivery d where d.webhook_id = w.id and state <> 'waiting'
          order by state desc, id desc limit 1),
        (select concat(min(run_at), max(run_at)) from delivery d where d.webhook_id = w.id and state = 'waiting')),
        ',' order by w.id)
      from webhook w left join webhook_health h on h.webhook_id = w.id where w.team_id = m.workspace_id))) as webhooks,
    md5(concat((select string_agg(concat_ws(' ', id, name, last_used_at, rotated_at, revoked_at), ',' order by id) from (
      select id, name, last_used_at, rotated_at, revoked_at from api_token where team_id = m.workspace_id
      order by id desc limit ${MAX_TOKENS}) as token))) as tokens
  from workspace_member m join workspace w on w.id = m.workspace_id and w.deleted_at is null
  where m.user_id = ${user_id} and m.workspace_id = ${workspace_id}::uuid`

/** The newest mail in each state, and how many are queued, counted up to 100. */
const outbox = sql<string>`md5(concat(
  (select string_agg(concat(state, ' ', newest.id), ',' order by state) from unnest(enum_range(null::mail_state)) as state
    cross join lateral (select id from mail where mail.state = state.state order by id desc limit 1) as newest),
  (select count(*) from (select from mail where state = 'queued' limit 100) as queued)))`

/** What open consoles ask for every few seconds is one statement, because most of its cost is that of a round trip. */
export const readPulse = prepared(
  (_, reader: Reader) => sql<Static<typeof Pulse>>`
    select json_build_object('unread', (${unreadCount(reader)}), 'newest_id', (
        select event_id from notification where user_id = ${reader.user_id} order by event_id desc limit 1)) as notifications,
      case when ${reader.is_instance_admin}::boolean then ${outbox} end as outbox,
      (select to_json(versions) from (${versionsOf(reader)}) as versions) as workspace`,
)

export const tagOf = (pulse: Static<typeof Pulse>) =>
  `"${createHash('sha256').update(JSON.stringify(pulse)).digest('base64url')}"`
