import { sql } from 'kysely'
import type { Static } from 'typebox'
import { notFound } from '../../../errors.ts'
import { type Db, FIRST_ID, LAST_ID } from '../../../lib/db/database.ts'
import { cursorOf, cutPage, idOfCursor, type PageInput } from '../../../lib/db/page.ts'
import { renamePayload } from '../../../lib/events/emit.ts'
import { type Member, mayReadBilling } from '../../../lib/http/access.ts'
import { assertReadsBilling, isBilling } from '../event-feed/billing-access.ts'
import { MAX_PARSED_BYTES, subjectOf } from '../event-feed/event-subject.ts'
import type { Delivery } from './deliveries.schema.ts'
import { all, type DeliveryFilters, endedConditions, openConditions, type Span, scanEnd } from './delivery-filters.ts'

export type DeliveryIds = { id: string; delivery_id: string }
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

/**
 * Reads the deliveries of a span, newest first.
 *
 * A delivery that is not over is a row of `delivery`. One that is over is read from the attempt that ended it. From the
 * attempts, only ids that can be on the same page as the open deliveries are read: deliveries that are still to be sent
 * may have left ten times as many attempts.
 */
async function selectDeliveries(
  db: Db,
  caller: Member,
  webhook_id: string,
  filters: DeliveryFilters,
  span: Span,
  limit: number,
) {
  const { rows } = await sql<Row & { payload: string | null }>`
    with open as (
      select id, event_id, type, state::text as state, attempts,
        case when state = 'waiting' and claim_id is null then run_at end as next_attempt_at
      from delivery where ${all(openConditions(webhook_id, filters, span))}
      order by id desc limit ${limit}
    ), ended as (
      select delivery_id as id, event_id, type, case when ok then 'delivered' else 'failed' end as state, n as attempts,
        null::timestamptz as next_attempt_at
      from attempt where ${all(endedConditions(webhook_id, filters, span))}
        and delivery_id >= coalesce((select id from open order by id offset ${limit - 1} limit 1), ${FIRST_ID})
      order by delivery_id desc limit ${limit}
    ), page as (
      select * from open union all select * from ended order by id desc limit ${limit}
    )
    select page.*, last.at as last_attempt_at, last.status as last_status, last.error as last_error,
      coalesce(event.created_at, uuid_extract_timestamp(page.event_id)) as created_at,
      case when octet_length(event.payload) <= ${MAX_PARSED_BYTES} then event.payload end as payload
    from page
    left join event on event.id = page.event_id
    left join lateral (
      select at, status, error from attempt
      where webhook_id = ${webhook_id} and delivery_id = page.id order by n desc limit 1
    ) as last on true
    order by page.id desc`.execute(db)
  const hidesBilling = !mayReadBilling(caller)
  return rows.map(({ payload, ...row }) => ({
    ...row,
    subject: hidesBilling && isBilling(row.type) ? null : subjectOf(payload),
  }))
}

export async function listDeliveries(
  db: Db,
  caller: Member,
  id: string,
  { limit = 25, cursor, ...filters }: DeliveryFilters & PageInput,
) {
  const below = cursor === undefined ? LAST_ID : idOfCursor(cursor)
  await findWebhook(db, caller, id)
  const end = await scanEnd(db, id, filters, { below })
  const rows = await selectDeliveries(db, caller, id, filters, { below, end }, limit + 1)
  const page = cutPage(rows, limit, ({ id }) => [id])
  return { ...page, next_cursor: page.next_cursor ?? (end === undefined ? null : cursorOf(end)) }
}

export async function findDelivery(db: Db, caller: Member, { id, delivery_id }: DeliveryIds) {
  const [delivery] = await selectDeliveries(db, caller, id, {}, { only: delivery_id }, 1)
  if (!delivery) throw notFound()
  return delivery
}

const MAX_ATTEMPTS_SHOWN = 50

export async function readDelivery(db: Db, caller: Member, ids: DeliveryIds) {
  await findWebhook(db, caller, ids.id)
  const delivery = await findDelivery(db, caller, ids)
  const event = await db
    .selectFrom('event')
    .select(['type', 'payload'])
    .where('id', '=', delivery.event_id)
    .executeTakeFirst()
  if (!event) throw notFound()
  if (isBilling(event.type)) assertReadsBilling(caller)
  const attempt_log = await db
    .selectFrom('attempt')
    .select(['n', 'trigger', 'at', 'ok', 'status', 'duration_ms', 'response', 'error'])
    .where('webhook_id', '=', ids.id)
    .where('delivery_id', '=', ids.delivery_id)
    .orderBy('n', 'desc')
    .limit(MAX_ATTEMPTS_SHOWN)
    .execute()
  return { ...delivery, payload: renamePayload(event.payload, event.type, delivery.type), attempt_log }
}
