import { sql } from 'kysely'
import type { Static } from 'typebox'
import { aliases } from '../../../events.ts'
import { type Db, minIdAt } from '../../../lib/db/database.ts'
import { type IndexRange, isInRange, orderOfRange } from '../../../lib/db/index-range.ts'
import { cursorOf, idOfCursor, MAX_PAGE_BYTES, pageLimit } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { type Member, mayReadBilling } from '../../../lib/http/access.ts'
import { BILLING } from './billing-access.ts'
import type { Event, EventPage, EventQuery } from './event-feed.schema.ts'

type Row = { id: string; payload: string; found: number }

/**
 * Returns the id below which no event of the workspace can be committed any more. Ids are assigned before the commit, so
 * an open transaction may hold a lower id than those already committed.
 *
 * This is a statement of its own, so that the next one sees everything that had been committed by then.
 */
async function horizon(db: Db, workspace_id: string) {
  const { rows } = await sql<{ id: string }>`select event_horizon(${workspace_id}::uuid) as id`.execute(db)
  if (!rows[0]) throw new Error('PostgreSQL returned no horizon')
  return rows[0].id
}

/** Resolves an alias of an event type. `hasOwn` keeps names such as `constructor` from being found. */
const canonical = (type: string) => (Object.hasOwn(aliases, type) && aliases[type]) || type

/** Returns the events of the caller's workspace after a cursor, oldest first. Those of billing need access to it. */
export async function pollEvents(
  { db }: Pick<Deps, 'db'>,
  caller: Member,
  { limit = 25, cursor, since, type }: Static<typeof EventQuery>,
): Promise<Static<typeof EventPage>> {
  const { workspace_id } = caller
  const from = since === undefined ? new Date(0) : new Date(since)
  const after = cursor === undefined ? minIdAt(from) : idOfCursor(cursor)
  const end = await horizon(db, workspace_id)
  const prefix = type === undefined ? [workspace_id] : [workspace_id, canonical(type)]
  const range: IndexRange = {
    columns: type === undefined ? ['workspace_id', 'id'] : ['workspace_id', 'type', 'id'],
    low: [...prefix, after],
    high: [...prefix, end],
    direction: 'asc',
  }
  // The conditions on the id alone lead to the partitions.
  const { rows } = await sql<Row>`
    with page as (
      select id, payload from event
      where ${isInRange(range)} and id > ${after}::uuid and id < ${end}::uuid
        ${cursor === undefined ? sql`and created_at >= ${from}::timestamptz` : sql``} and type <> 'webhook.test'
        ${mayReadBilling(caller) ? sql`` : sql`and not starts_with(type, ${BILLING})`}
      order by ${orderOfRange(range)} limit ${pageLimit(limit)}
    )
    select id, payload, found from (
      select id, payload, count(*) over ()::int as found, row_number() over until_here as n,
        sum(octet_length(payload)) over until_here as bytes
      from page window until_here as (order by id)
    ) as counted where n = 1 or (n <= ${limit} and bytes <= ${MAX_PAGE_BYTES}) order by id`.execute(db)
  const has_more = (rows[0]?.found ?? 0) > rows.length
  // The last page continues from the horizon, so that events of other types are not read again. A cursor may be past
  // the horizon already; it then stays where it is.
  const next = has_more ? (rows.at(-1)?.id ?? after) : end > after ? end : after
  return {
    data: rows.map(({ payload }): Static<typeof Event> => JSON.parse(payload)),
    next_cursor: cursorOf(next),
    has_more,
  }
}
