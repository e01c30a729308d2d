import { type RawBuilder, sql } from 'kysely'
import { FIRST_ID, LAST_ID, minIdAt, uuidAt } from '../../lib/db/database.ts'
import type { deliveryFilterStates } from './deliveries.schema.ts'

export type DeliveryFilters = {
  state?: (typeof deliveryFilterStates)[number]
  attempted?: boolean
  type?: string
  event_id?: string
  since?: string
  until?: string
}

/** The deliveries of a page, which have ids below `below`, or a single one. */
export type Span = { below: string } | { only: string }

type Table = 'delivery' | 'attempt'
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
    isWithin(sql.ref(table === 'delivery' ? 'id' : 'delivery_id'), filters, span),
    ...when(type, (type) => sql`type = ${type}`),
    ...when(event_id, (event_id) => sql`event_id = ${event_id}`),
    ...when(since, (since) => sql`${time} >= ${new Date(since)}`),
    ...when(until, (until) => sql`${time} < ${new Date(until)}`),
  ]
}

/**
 * When an event was created, by the clock of Meydan. The clock of PostgreSQL, which makes the ids, may differ a little.
 */
const createdAt = (event_id: string) =>
  sql`coalesce((select created_at from event where id = ${sql.ref(event_id)}), uuid_extract_timestamp(${sql.ref(event_id)}))`

function isWithin(id: Condition, filters: DeliveryFilters, span: Span) {
  if ('only' in span) return sql`${id} = ${span.only}::uuid`
  const { start, end } = idRange(filters)
  return sql`${id} >= ${start}::uuid and ${id} < ${end}::uuid and ${id} < ${span.below}::uuid`
}

/** Deliveries get their ids in the statement that writes their event, so the two ids are at most this far apart. */
const EMIT_MS = 60_000

/** The range of ids that deliveries of an event, or of a span of time, can have. It lets the index find them. */
function idRange({ event_id, since, until }: DeliveryFilters) {
  const starts = [since === undefined ? FIRST_ID : minIdAt(new Date(since))]
  const ends = [until === undefined ? LAST_ID : uuidAt(new Date(until).getTime() + 2 * EMIT_MS)]
  if (event_id !== undefined) {
    const ms = Number.parseInt(event_id.replaceAll('-', '').slice(0, 12), 16)
    starts.push(uuidAt(ms - EMIT_MS))
    ends.push(uuidAt(ms + 2 * EMIT_MS))
  }
  return { start: starts.sort().at(-1), end: ends.sort()[0] }
}
