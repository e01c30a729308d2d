import { type RawBuilder, sql } from 'kysely'
import { MINUTE } from '../../../../shared/time.ts'
import { type Db, FIRST_ID, LAST_ID, minIdAt, uuidAt } from '../../../lib/db/database.ts'
import { MAX_SCANNED } from '../../../lib/db/index-range.ts'
import type { deliveryFilterStates } from './deliveries.schema.ts'

export type DeliveryFilters = {
  state?: (typeof deliveryFilterStates)[number]
  attempted?: boolean
  type?: string
  event_id?: string
  since?: string
  until?: string
}

/** The deliveries of a page, which have ids below `below` and from `end` on, or a single one. */
export type Span = { below: string; end?: string | undefined } | { only: string }

type Table = 'delivery' | 'attempt'
const idColumns = { delivery: sql.ref('id'), attempt: sql.ref('delivery_id') }
type Condition = RawBuilder<unknown>

/** Joins the conditions of a `where`. */
export const all = (conditions: Condition[]) => sql.join(conditions, sql` and `)

/** A condition for a filter, or none when the filter is not set. */
const when = <T>(filter: T | undefined, condition: (filter: T) => Condition) =>
  filter === undefined ? [] : [condition(filter)]

/** The conditions on a delivery that is not over: a row of `delivery`. */
export const openConditions = (webhook_id: string, filters: DeliveryFilters, span: Span) => [
  ...sharedConditions('delivery', webhook_id, filters, span),
  ...when(filters.state, isOpenAs),
  ...when(filters.attempted, (attempted) => (attempted ? sql`attempts > 0` : sql`attempts = 0`)),
]

/** The conditions on a delivery that is over: the attempt that ended it. */
export const endedConditions = (webhook_id: string, filters: DeliveryFilters, span: Span) => [
  ...sharedConditions('attempt', webhook_id, filters, span),
  sql`done`,
  ...when(filters.state, hasEndedAs),
  ...when(filters.attempted, (attempted) => (attempted ? sql`true` : sql`false`)),
]

function isOpenAs(state: NonNullable<DeliveryFilters['state']>) {
  if (state === 'delivered') return sql`false`
  return state === 'undelivered' ? sql`attempts > 0` : sql`state = ${state}`
}

/** A test event is over after one attempt, even if that failed. */
function hasEndedAs(state: NonNullable<DeliveryFilters['state']>) {
  if (state === 'delivered') return sql`ok`
  return state === 'failed' || state === 'undelivered' ? sql`not ok` : sql`false`
}

function sharedConditions(table: Table, webhook_id: string, filters: DeliveryFilters, span: Span) {
  const { type, event_id, since, until } = filters
  const time = createdAt(`${table}.event_id`)
  return [
    sql`webhook_id = ${webhook_id}`,
    isWithin(idColumns[table], filters, span),
    ...when(type, (type) => sql`type = ${type}`),
    ...when(event_id, (event_id) => sql`event_id = ${event_id} and ${isNear(idColumns[table], event_id)}`),
    ...when(since, (since) => sql`${time} >= ${new Date(since)}`),
    ...when(until, (until) => sql`${time} < ${new Date(until)}`),
  ]
}

/** The tables that have no index for these filters: their rows are read until enough of them match. */
function scannedTables({ state, attempted, type }: DeliveryFilters): Table[] {
  const isOpen = state !== 'delivered'
  const isEnded = state !== 'waiting' && state !== 'held' && attempted !== false
  const openIsScanned = type !== undefined || attempted !== undefined || state === 'waiting' || state === 'undelivered'
  const endedIsScanned = type !== undefined || state === 'delivered'
  return [
    ...(isOpen && openIsScanned ? ['delivery' as const] : []),
    ...(isEnded && endedIsScanned ? ['attempt' as const] : []),
  ]
}

/** The lowest id of a delivery that is read for one page, or nothing when all of them are. */
export async function scanEnd(db: Db, webhook_id: string, filters: DeliveryFilters, span: Span) {
  const ends = scannedTables(filters).map(
    (table) => sql`(select ${idColumns[table]} as id from ${sql.table(table)}
      where webhook_id = ${webhook_id} and ${isWithin(idColumns[table], filters, span)}
      order by ${idColumns[table]} desc limit 1 offset ${MAX_SCANNED - 1})`,
  )
  if (ends.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(ends, sql` union all `)}) as ends order by id desc limit 1`.execute(db)
  return rows[0]?.id
}

/**
 * When an event was created, by the clock of Meydan. The clock of PostgreSQL, which makes the ids, may differ a little.
 */
const createdAt = (event_id: string) =>
  sql`coalesce((select created_at from event where id = ${sql.ref(event_id)}), uuid_extract_timestamp(${sql.ref(event_id)}))`

function isWithin(id: Condition, filters: DeliveryFilters, span: Span) {
  if ('only' in span) return sql`${id} = ${span.only}::uuid`
  const { start, end } = idRange(filters)
  return sql`${id} >= ${start}::uuid and ${id} >= ${span.end ?? FIRST_ID}::uuid
    and ${id} < ${end}::uuid and ${id} < ${span.below}::uuid`
}

/** Deliveries get their ids in the statement that writes their event, so the two are at most this far apart. */
const EMIT_MS = MINUTE

/**
 * The range of ids that deliveries of an event can have. Ids of events follow a clock of their own, which is ahead after
 * the clock of PostgreSQL was set back.
 */
function isNear(id: Condition, event_id: string) {
  const numbered = sql`uuid_extract_timestamp(${event_id}::uuid)`
  const created = sql`(select created_at from event where id = ${event_id}::uuid)`
  return sql`${id} between uuid_at(least(${numbered}, ${created}) - make_interval(secs => ${EMIT_MS / 1000}))
    and uuid_at(greatest(${numbered}, ${created}) + make_interval(secs => ${(2 * EMIT_MS) / 1000}))`
}

/** The range of ids that deliveries of a span of time can have. It lets the index find them. */
function idRange({ since, until }: DeliveryFilters) {
  return {
    start: since === undefined ? FIRST_ID : minIdAt(new Date(since)),
    end: until === undefined ? LAST_ID : uuidAt(new Date(until).getTime() + 2 * EMIT_MS),
  }
}
