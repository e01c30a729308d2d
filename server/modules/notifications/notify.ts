import { type ExpressionBuilder, sql } from 'kysely'
import { withMentionNames } from '../../../shared/text/mentions.ts'
import { inTransaction, type Tx } from '../../lib/db/database.ts'
import type { DB } from '../../lib/db/database-types.ts'
import type { Deps } from '../../lib/deps.ts'
import { atLeast, type Role, roles } from '../../lib/http/roles.ts'
import { addJobs } from '../../lib/runtime/jobs.ts'
import { quoted, sanitizeExternalText } from '../../lib/text.ts'
import { isKind, type Kind, kinds, optionsOf, pushDefault } from './kinds.ts'
import { enqueueMails } from './mails/mail-notifications.ts'
import { mayRead } from './may-read.ts'
import { enqueuePushes } from './push/send-push.ts'

const MAX_NAME = 120
const MAX_DETAIL = 500

type Notified<K extends Kind> = {
  kind: K
  /** Null: it is about the installation, and all instance admins are told. */
  workspace_id: string | null
  subject: { id: string; name: string }
  detail?: string | null
  /** Members with these roles, and these people. The kind adds those who can approve. */
  to?: { roles?: readonly Role[]; user_ids?: readonly (string | null | undefined)[] }
  /** The member who acted, who is not told. */
  actor_id?: string | null
  /** Tells the cause from others of its kind: reporting it again changes nothing. */
  cause: string
  /** Key under which notifications of several subjects are shown as one. */
  group?: string
}

/** The member who acted by hand. An agent acts for a member, who did not. */
export const actingUser = (caller: { user_id: string; session_id: string | null; token: unknown } | null) =>
  caller && (caller.session_id !== null || caller.token !== null) ? caller.user_id : null

/** Notes in the transaction of a cause that members are told about it. A job tells them after the commit. */
export const notify = <K extends Kind>(tx: Tx, notified: Notified<K>, now: Date) => notifyEach(tx, [notified], now)

/** The same for many causes, in one statement. */
export async function notifyEach<K extends Kind>(tx: Tx, notified: readonly Notified<K>[], now: Date) {
  const records = notified.map(({ kind, workspace_id, subject, detail, to = {}, actor_id = null, cause, group }) => ({
    ...{ kind, workspace_id, subject_type: kinds[kind].subject, subject_id: subject.id, actor_id },
    subject_name: quoted(withMentionNames(subject.name), MAX_NAME),
    detail: detail ? storedDetail(detail) : null,
    told_roles: [...(to.roles ?? [])],
    told_users: (to.user_ids ?? []).filter((id) => typeof id === 'string'),
    reader_roles: roles.filter((role) => atLeast(role, kinds[kind].reader)),
    group_key: `${kind}:${group ?? subject.id}`,
    dedupe_key: `${kind}:${subject.id}:${cause}`,
  }))
  const { rows } = await sql<{ event_id: string }>`
    insert into notification_event (kind, workspace_id, subject_type, subject_id, actor_id, subject_name, detail,
      told_roles, told_users, reader_roles, group_key, dedupe_key, created_at)
    select kind, workspace_id, subject_type, subject_id, actor_id, subject_name, detail,
      told_roles, told_users, reader_roles, group_key, dedupe_key, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(records)}::json) as listed (kind text, workspace_id uuid, subject_type text,
      subject_id uuid, actor_id uuid, subject_name text, detail text, told_roles text[], told_users uuid[],
      reader_roles text[], group_key text, dedupe_key text)
    on conflict (dedupe_key) do nothing
    returning id as event_id`.execute(tx)
  await addJobs(
    tx,
    'insert-notifications',
    rows.map((payload) => ({ payload, options: {} })),
  )
}

type Cause = { kinds: readonly Kind[]; subject_id: string; cause: string }

/** Condition: an event of this cause, or of one whose name begins with it and a colon. */
const isOf =
  ({ kinds, subject_id, cause }: Cause) =>
  (where: ExpressionBuilder<DB, 'notification_event'>) =>
    where.or(
      kinds.flatMap((kind) => {
        const key = `${kind}:${subject_id}:${cause}`
        // In the order of bytes, a semicolon comes right after a colon. In that of a language it may come before.
        const isLonger = sql<boolean>`(dedupe_key collate "C" > ${`${key}:`} and dedupe_key collate "C" < ${`${key};`})`
        return [where('dedupe_key', '=', key), isLonger]
      }),
    )

/** Returns the ids of the users whom the notifications of a cause name. */
export async function findNotified(tx: Tx, cause: Cause) {
  const events = await tx.selectFrom('notification_event').select('told_users').where(isOf(cause)).execute()
  return events.flatMap(({ told_users }) => told_users)
}

const storedDetail = (detail: string) => sanitizeExternalText(detail).slice(0, MAX_DETAIL).toWellFormed()

/** Changes the detail in the notifications of a cause. */
export const changeDetail = (tx: Tx, cause: Cause, detail: string) =>
  tx
    .updateTable('notification_event')
    .set({ detail: storedDetail(detail) })
    .where(isOf(cause))
    .execute()

/** Deletes the notifications of a cause. Mails and pushes that are not sent yet leave them out. */
export const deleteNotifications = (tx: Tx, cause: Cause) =>
  tx.deleteFrom('notification_event').where(isOf(cause)).execute()

/**
 * Tells the members who may see the subject now. Each gets one row however often this runs, and its mail and pushes are
 * enqueued in the same transaction.
 */
export const insertNotifications = (deps: Deps, { event_id }: { event_id: string }) =>
  inTransaction(deps.db, async (tx) => {
    const event = await tx
      .selectFrom('notification_event')
      .select(['kind', 'workspace_id', 'subject_id', 'group_key', 'created_at'])
      .where('id', '=', event_id)
      .executeTakeFirst()
    if (!event || !isKind(event.kind)) return
    const { kind } = event
    const { approvers, mail, ownMail } = optionsOf(kind)
    const asked =
      approvers && event.workspace_id !== null
        ? await deps.lifecycle.findApprovers(tx, {
            workspace_id: event.workspace_id,
            post_id: event.subject_id,
            orEditors: kind === 'review.missed',
          })
        : []
    const isMailedByCause = { all: sql`true`, named: sql`told.is_named`, none: sql`false` }[ownMail ?? 'none']
    const { rows } = await sql<{ user_id: string; is_mailed: boolean; is_pushed: boolean }>`
      with told as (
        select m.user_id, e.workspace_id, e.group_key, coalesce(in_console.mode, 'now') <> 'off' as in_console,
          m.user_id = any(e.told_users) as is_named,
          case when ${kind} = 'post.failed' and not u.mail_post_failures then 'off'
            else coalesce(by_mail.mode, ${mail}) end as mail_mode,
          coalesce(by_push.mode, ${pushDefault(kind)}) <> 'off'
            and exists (select from push_subscription s where s.user_id = m.user_id) as is_pushed
        from notification_event e
        join lateral (
          select user_id, role::text as role from workspace_member where workspace_id = e.workspace_id
          union all select id, null from "user" where is_instance_admin and e.workspace_id is null
        ) m on true
        join "user" u on u.id = m.user_id and u.banned_at is null
        left join notification_preference in_console
          on in_console.user_id = m.user_id and in_console.kind = e.kind and in_console.channel = 'console'
        left join notification_preference by_mail
          on by_mail.user_id = m.user_id and by_mail.kind = e.kind and by_mail.channel = 'mail'
        left join notification_preference by_push
          on by_push.user_id = m.user_id and by_push.kind = e.kind and by_push.channel = 'push'
        where e.id = ${event_id} and m.user_id is distinct from e.actor_id
          and (e.workspace_id is null or m.role = any(e.told_roles) or m.user_id = any(e.told_users) or m.user_id = any(${asked}::uuid[]))
          and ${mayRead(sql`m.user_id`)}
      ), inserted as (
        insert into notification (user_id, event_id, workspace_id, group_key, in_console, mail)
        select user_id, ${event_id}, workspace_id, group_key, in_console,
          case mail_mode when 'digest' then 'digest' when 'now' then case when not ${isMailedByCause} then 'now' end end
        from told where in_console or mail_mode <> 'off' or is_pushed
        on conflict do nothing
        returning user_id, mail
      )
      select user_id, coalesce(mail = 'now', false) as is_mailed, is_pushed
      from inserted join told using (user_id)`.execute(tx)
    for (const { user_id, is_mailed } of rows)
      if (is_mailed) await enqueueMails(tx, { user_id, kind }, event.created_at)
    const user_ids = rows.filter(({ is_pushed }) => is_pushed).map(({ user_id }) => user_id)
    await enqueuePushes(tx, user_ids, { event_id, group_key: event.group_key, since: event.created_at })
  })
