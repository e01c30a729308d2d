import { sql } from 'kysely'
import { problem } from '../../errors.ts'
import { afterCommit, prepared, type Tx } from '../db/database.ts'
import { notifyDue } from './due-signal.ts'
import type { EventType } from './event-type.ts'

/** Largest payload in bytes. Actions that would exceed it are refused, so that events are never truncated. */
export const PAYLOAD_LIMIT = 256_000

type Envelope = { type: string; workspace_id: string; at: Date; data: string }

/** The body of an event after its id, in the order of fields that every receiver gets. */
export const envelopeAfterId = ({ type, workspace_id, at, data }: Envelope) =>
  `","type":"${type}","timestamp":"${at.toISOString()}","workspace_id":"${workspace_id}","data":${data}}`

/** Renames the event in a payload. The type comes right after the id, before any data. */
export const renamePayload = (payload: string, from: string, to: string) =>
  from === to ? payload : payload.replace(`","type":"${from}"`, () => `","type":"${to}"`)

/** Transactions that hold a lock on a position of the clock of events. */
const numbering = new WeakSet<Tx>()

/**
 * Writes an event and its deliveries in the transaction that causes it: it is sent only if that commits. The payload is
 * stored as it is signed and sent, so that every retry sends the same. For a disabled webhook it is held.
 *
 * Ids of a workspace only grow, whatever the clock does, and locks show which may still be committed: see
 * `event_horizon` in the migrations. `emit_event` does not overtake changes of webhooks that wait.
 */
export const emit = <Data>(tx: Tx, type: EventType<Data>, workspace_id: string, data: NoInfer<Data>, at: Date) =>
  emitEach(tx, type, workspace_id, [data], at)

/** Emits one event for each of `data`, in one statement. */
export async function emitEach<Data>(
  tx: Tx,
  { type, alias, serialize }: EventType<Data>,
  workspace_id: string,
  data: readonly NoInfer<Data>[],
  at: Date,
) {
  if (data.length === 0) return
  const payloads = data.map((one) => envelopeAfterId({ type, workspace_id, at, data: serialize(one) }))
  if (payloads.some((payload) => Buffer.byteLength(payload) > PAYLOAD_LIMIT))
    throw problem('validation_failed', {
      detail: `The event ${type} would be larger than ${PAYLOAD_LIMIT / 1000} KB. Shorten the texts that it contains.`,
    })
  const names = [type, '*']
  const others = alias === undefined ? [] : [alias]
  const numbers = !numbering.has(tx)
  const shared = { workspace_id, type, at, names, others, numbers }
  const [first = ''] = payloads
  const rows = await (payloads.length === 1
    ? emitEvent(tx, { ...shared, after_id: first })
    : emitEvents(tx, { ...shared, payloads }))
  numbering.add(tx)
  const webhook_ids = [...new Set(rows.map(({ webhook_id }) => webhook_id))]
  if (rows.length > 0) afterCommit(tx, notifyDue({ workspace_id, webhook_ids, at: at.toISOString() }))
}

type Emitted = {
  workspace_id: string
  type: string
  at: Date
  names: string[]
  others: string[]
  numbers: boolean
}
const emitEvent = prepared(
  (_, { workspace_id, type, after_id, at, names, others, numbers }: Emitted & { after_id: string }) => sql<{
    webhook_id: string
  }>`
    select emit_event(${workspace_id}::uuid, ${type}, ${after_id}, ${at}::timestamptz, ${names}::text[], ${others}::text[],
      ${numbers}::boolean) as webhook_id`,
)

const emitEvents = prepared(
  (_, { workspace_id, type, payloads, at, names, others, numbers }: Emitted & { payloads: string[] }) => sql<{
    webhook_id: string
  }>`
    select emit_events(${workspace_id}::uuid, ${type}, ${payloads}::text[], ${at}::timestamptz, ${names}::text[],
      ${others}::text[], ${numbers}::boolean) as webhook_id`,
)
