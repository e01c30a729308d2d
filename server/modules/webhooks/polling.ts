import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { aliases } from '../../events.ts'
import type { Member } from '../../lib/access.ts'
import { type Db, leastId } from '../../lib/database.ts'
import { cursorOf, idOfCursor } from '../../lib/page.ts'
import type { Event, EventPage, EventQuery } from './webhooks.schema.ts'

/** Of all payloads of a page, in bytes. One event may be as large as it is. */
const PAGE_BYTES = 1_000_000

/**
 * Longer than a transaction takes: a statement ends after 30 seconds, and few do so much. For those that have a number
 * and hide when they began, to another role or with `track_activities` off.
 */
const HIDDEN_MINUTES = 10

type Row = { id: string; payload: string; found: number }

/**
 * The id below which no event can be committed any more. Ids are given before the commit: a transaction that is still
 * open may have one that is less than those that others have committed. So it ends where the oldest one began that has a
 * number, which `emit` takes before the id; whoever takes one after `statement_timestamp()` gets greater ids. Whose
 * transactions these are does not matter, as nothing tells it for certain: what somebody else writes to this database in
 * one long transaction holds up polling as long. One that only reads has no number and holds up nothing. On its own, so
 * that what is read next sees all that had ended by then.
 */
async function horizon(db: Db) {
  const { rows } = await sql<{ id: string }>`
    select uuid_at(least(statement_timestamp(), (
      select min(coalesce(xact_start, statement_timestamp() - make_interval(mins => ${HIDDEN_MINUTES})))
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_xid is not null
    ))) as id`.execute(db)
  if (!rows[0]) throw new Error('PostgreSQL told no horizon')
  return rows[0].id
}

/** What is nobody's other name is left as it came: it may be a name that every object has. */
const canonical = (type: string) => (Object.hasOwn(aliases, type) && aliases[type]) || type

/** The events of the caller's workspace after a cursor, the oldest first. */
export async function pollEvents(
  { db }: Pick<Deps, 'db'>,
  { workspace_id }: Member,
  { limit = 25, cursor, since, type }: Static<typeof EventQuery>,
): Promise<Static<typeof EventPage>> {
  const from = since === undefined ? new Date(0) : new Date(since)
  const after = cursor === undefined ? leastId(from) : idOfCursor(cursor)
  const end = await horizon(db)
  const { rows } = await sql<Row>`
    with page as (
      select id, payload from event
      where workspace_id = ${workspace_id} and id > ${after}::uuid and id < ${end}::uuid
        ${cursor === undefined ? sql`and created_at >= ${from}::timestamptz` : sql``}
        and type <> 'webhook.test' ${type === undefined ? sql`` : sql`and type = ${canonical(type)}`}
      order by id limit ${limit + 1}
    )
    select id, payload, found from (
      select id, payload, count(*) over ()::int as found, row_number() over until_here as n,
        sum(octet_length(payload)) over until_here as bytes
      from page window until_here as (order by id)
    ) as counted where n = 1 or (n <= ${limit} and bytes <= ${PAGE_BYTES}) order by id`.execute(db)
  const has_more = (rows[0]?.found ?? 0) > rows.length
  // A page with nothing behind it goes on from the horizon, so that what another type was is not looked through again.
  // It may have been further already: then nothing of what was asked for is left out before it.
  const next = has_more ? (rows.at(-1)?.id ?? after) : end > after ? end : after
  return {
    data: rows.map(({ payload }): Static<typeof Event> => JSON.parse(payload)),
    next_cursor: cursorOf(next),
    has_more,
  }
}
