import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../shared/time.ts'
import { invalid, notFound } from '../../errors.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import { cutPage, idOfCursor, type PageInput, pageLimit } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member, User } from '../../lib/http/access.ts'
import { mayRead } from './may-read.ts'
import type { Notification } from './notifications.schema.ts'

type Reader = Pick<User, 'user_id'>
type Group = Static<typeof Notification>

const KEPT_MS = 90 * DAY
/** Events that one statement deletes. */
const BATCH = 1000
/** Unread groups are counted up to this number. */
const MAX_COUNTED = 100

/** The notifications of a user in the console that they may still see. */
const readable = (user_id: string) => sql`
  from notification n join notification_event e on e.id = n.event_id
  where n.user_id = ${user_id} and n.in_console and ${mayRead(sql`n.user_id`)}`

/**
 * Lists notifications, those with the same group as one, by the newest of each. It goes from group to group, newest
 * first, so that a page costs the same however many notifications a user has.
 */
export async function listNotifications(
  db: Db,
  { user_id }: Reader,
  { state, limit = 25, cursor }: PageInput & { state?: 'unread' | 'read' },
) {
  const own = readable(user_id)
  const rest =
    cursor === undefined
      ? sql``
      : sql`and n.event_id < ${idOfCursor(cursor)}::uuid and not exists (
          select from (select n.group_key ${own} and n.event_id >= ${idOfCursor(cursor)}::uuid) as shown
          where shown.group_key = n.group_key)`
  const isUnread = sql`exists (
    select from (select n.group_key ${own} and n.read_at is null) as unread where unread.group_key = n.group_key)`
  const wanted = state === undefined ? sql`` : state === 'unread' ? sql`and ${isUnread}` : sql`and not ${isUnread}`
  const { rows } = await sql<Group>`
    with recursive page (id, group_key, seen) as (
      select null::uuid, null::text, array[]::text[]
      union all
      select next.event_id, next.group_key, page.seen || next.group_key
      from page cross join lateral (
        select n.event_id, n.group_key ${own} and (page.id is null or n.event_id < page.id)
          and n.group_key <> all(page.seen) ${rest} ${wanted}
        order by n.event_id desc limit 1
      ) as next
      where cardinality(page.seen) < ${pageLimit(limit)}
    )
    select e.id, e.kind, case when w.id is not null then json_build_object('id', w.id, 'name', w.name, 'slug', w.slug) end as workspace,
      json_build_object('type', e.subject_type, 'id', e.subject_id, 'name', e.subject_name) as subject, e.detail,
      case when actor.id is not null then json_build_object('id', actor.id, 'name', actor.name) end as actor,
      found.count, found.subjects, found.unread, e.created_at
    from page
    cross join lateral (
      select count(*)::int as count, count(distinct e.subject_id)::int as subjects, bool_or(n.read_at is null) as unread
      ${own} and n.group_key = page.group_key
    ) as found
    join notification_event e on e.id = page.id
    left join workspace w on w.id = e.workspace_id
    left join "user" actor on actor.id = e.actor_id
    order by e.id desc`.execute(db)
  return cutPage(rows, limit, ({ id }) => [id])
}

/** The number of groups with an unread notification, counted up to 100. */
export const unreadCount = ({ user_id }: Reader) => sql<number>`
  select count(*)::int from (
    select distinct n.group_key ${readable(user_id)} and n.read_at is null limit ${sql.lit(MAX_COUNTED)}
  ) as unread`

/** Marks a group as read, up to the notification that the user has seen. Repeating it changes nothing. */
export const readNotification = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, { user_id }: Reader, id: string) =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<{ group_key: string }>`
      select n.group_key ${readable(user_id)} and n.event_id = ${id}`.execute(tx)
    const group_key = rows[0]?.group_key
    if (group_key === undefined) throw notFound()
    await tx
      .updateTable('notification')
      .set({ read_at: clock.now() })
      .where('user_id', '=', user_id)
      .where('group_key', '=', group_key)
      .where('event_id', '<=', id)
      .where('read_at', 'is', null)
      .execute()
  })

/** Marks all notifications as read, or those up to one. */
export const readAllNotifications = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { user_id }: Reader,
  until: string | undefined,
) =>
  inTransaction(db, async (tx) => {
    const shown = tx.selectFrom('notification').select('event_id').where('user_id', '=', user_id)
    if (until !== undefined && !(await shown.where('event_id', '=', until.toLowerCase()).executeTakeFirst()))
      throw invalid('/until', 'You have no notification with this id.')
    const unread = tx
      .updateTable('notification')
      .set({ read_at: clock.now() })
      .where('user_id', '=', user_id)
      .where('read_at', 'is', null)
    await (until === undefined ? unread : unread.where('event_id', '<=', until.toLowerCase())).execute()
  })

export const deleteNotificationsOfMember = (_: unknown, tx: Tx, { workspace_id }: Member, user_id: string) =>
  tx.deleteFrom('notification').where('workspace_id', '=', workspace_id).where('user_id', '=', user_id).execute()

/** Deletes notifications after 90 days, in small transactions. */
export async function deleteOldNotifications({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const before = new Date(clock.now().getTime() - KEPT_MS)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from notification_event where id = any(array(
        select id from notification_event where created_at < ${before} limit ${sql.lit(BATCH)}))`.execute(db)
    if (numAffectedRows < BATCH) return
  }
}
