import { sql } from 'kysely'
import type { Static } from 'typebox'
import { notFound } from '../../errors.ts'
import { renamePayload } from '../../events.ts'
import type { Member } from '../../lib/access.ts'
import { type Db, FIRST_ID, LAST_ID, leastId, leastIdAt } from '../../lib/database.ts'
import { cursorOf, idOfCursor, type PageInput } from '../../lib/page.ts'
import { LOOKED_INTO, subjectOf } from './subjects.ts'
import type { Delivery, deliveryFilterStates } from './webhooks.schema.ts'

export type DeliveryIds = { id: string; delivery_id: string }
type Filters = {
  state?: (typeof deliveryFilterStates)[number]
  attempted?: boolean
  type?: string
  event_id?: string
  since?: string
  until?: string
}
type Row = Omit<Static<typeof Delivery>, 'subject'>

export async function findWebhook(db: Db, { workspace_id }: Member, id: string) {
  const webhook = await db
    .selectFrom('webhook')
    .select('id')
    .where('id', '=', id)
    .where('team_id', '=', workspace_id)
    .executeTakeFirst()
  if (!webhook) throw notFound()
}

/** Deliveries get their ids in the statement that writes their event. */
const EMIT_MS = 60_000

/** The ids that deliveries of an event, and of what was written in a span of time, can have. */
function idsOf({ event_id, since, until }: Filters) {
  const least = [since === undefined ? FIRST_ID : leastId(new Date(since))]
  const end = [until === undefined ? LAST_ID : leastIdAt(new Date(until).getTime() + 2 * EMIT_MS)]
  if (event_id !== undefined) {
    const ms = Number.parseInt(event_id.replaceAll('-', '').slice(0, 12), 16)
    least.push(leastIdAt(ms - EMIT_MS))
    end.push(leastIdAt(ms + 2 * EMIT_MS))
  }
  return { least: least.sort().at(-1), end: end.sort()[0] }
}

/** When the event of a row was written, to the clock of Meydan: the one that ids are by may differ a little. */
const written = (event_id: string) =>
  sql`coalesce((select created_at from event where id = ${sql.ref(event_id)}), uuid_extract_timestamp(${sql.ref(event_id)}))`

type Span = { below?: string; limit: number } | { only: string; limit: 1 }

/**
 * Deliveries below an id, newest first, or one alone. Those that are over are read from their last attempt. Of the
 * attempts only those are looked at that can stand beside the page's other rows: what is still to be sent may have left
 * ten times as many.
 */
async function selectDeliveries(db: Db, webhook_id: string, { limit, ...span }: Filters & Span) {
  const { state, attempted, type, event_id, since, until } = span
  const { least, end } = idsOf(span)
  const within = (id: 'id' | 'delivery_id') =>
    'only' in span
      ? sql`and ${sql.ref(id)} = ${span.only}::uuid`
      : sql`and ${sql.ref(id)} >= ${least}::uuid and ${sql.ref(id)} < ${end}::uuid and ${sql.ref(id)} < ${span.below ?? LAST_ID}::uuid`
  const matching = (table: 'delivery' | 'attempt') => sql`${type === undefined ? sql`` : sql`and type = ${type}`}
    ${event_id === undefined ? sql`` : sql`and event_id = ${event_id}`}
    ${since === undefined ? sql`` : sql`and ${written(`${table}.event_id`)} >= ${new Date(since)}`}
    ${until === undefined ? sql`` : sql`and ${written(`${table}.event_id`)} < ${new Date(until)}`}`
  const tried = attempted === undefined ? sql`` : attempted ? sql`and attempts > 0` : sql`and attempts = 0`
  const over = attempted === false ? sql`and false` : endedAs(state)
  const { rows } = await sql<Row & { payload: string | null }>`
    with kept as (
      select id, event_id, type, state::text as state, attempts,
        case when state = 'waiting' and claim_id is null then run_at end as next_attempt_at
      from delivery where webhook_id = ${webhook_id} ${openAs(state)} ${tried} ${matching('delivery')} ${within('id')}
      order by id desc limit ${limit}
    ), ended as (
      select delivery_id as id, event_id, type, case when ok then 'delivered' else 'failed' end as state, n as attempts,
        null::timestamptz as next_attempt_at
      from attempt where webhook_id = ${webhook_id} and done ${over} ${matching('attempt')} ${within('delivery_id')}
        and delivery_id >= coalesce((select id from kept order by id offset ${limit - 1} limit 1), ${FIRST_ID})
      order by delivery_id desc limit ${limit}
    ), page as (
      select * from kept union all select * from ended order by id desc limit ${limit}
    )
    select page.*, last.at as last_attempt_at, last.status as last_status, last.error as last_error,
      coalesce(event.created_at, uuid_extract_timestamp(page.event_id)) as created_at,
      case when octet_length(event.payload) <= ${LOOKED_INTO} then event.payload end as payload
    from page
    left join event on event.id = page.event_id
    left join lateral (
      select at, status, error from attempt
      where webhook_id = ${webhook_id} and delivery_id = page.id order by n desc limit 1
    ) as last on true
    order by page.id desc`.execute(db)
  return rows.map(({ payload, ...row }) => ({ ...row, subject: subjectOf(payload) }))
}

const openAs = (state: Filters['state']) => {
  if (state === undefined) return sql``
  if (state === 'delivered') return sql`and false`
  return state === 'undelivered' ? sql`and attempts > 0` : sql`and state = ${state}`
}

/** Tests end with one attempt, whether it was answered well or not. */
const endedAs = (state: Filters['state']) => {
  if (state === undefined) return sql``
  if (state === 'delivered') return sql`and ok`
  return state === 'failed' || state === 'undelivered' ? sql`and not ok` : sql`and false`
}

export async function listDeliveries(
  db: Db,
  caller: Member,
  id: string,
  { limit = 25, cursor, ...filters }: Filters & PageInput,
) {
  const below = cursor === undefined ? LAST_ID : idOfCursor(cursor)
  await findWebhook(db, caller, id)
  const rows = await selectDeliveries(db, id, { ...filters, below, limit: limit + 1 })
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last ? cursorOf(last.id) : null }
}

export async function findDelivery(db: Db, { id, delivery_id }: DeliveryIds) {
  const [delivery] = await selectDeliveries(db, id, { only: delivery_id, limit: 1 })
  if (!delivery) throw notFound()
  return delivery
}

const LOGGED = 50

export async function readDelivery(db: Db, caller: Member, ids: DeliveryIds) {
  await findWebhook(db, caller, ids.id)
  const delivery = await findDelivery(db, ids)
  const event = await db
    .selectFrom('event')
    .select(['type', 'payload'])
    .where('id', '=', delivery.event_id)
    .executeTakeFirst()
  if (!event) throw notFound()
  const attempt_log = await db
    .selectFrom('attempt')
    .select(['n', 'trigger', 'at', 'ok', 'status', 'duration_ms', 'response', 'error'])
    .where('webhook_id', '=', ids.id)
    .where('delivery_id', '=', ids.delivery_id)
    .orderBy('n', 'desc')
    .limit(LOGGED)
    .execute()
  return { ...delivery, payload: renamePayload(event.payload, event.type, delivery.type), attempt_log }
}
