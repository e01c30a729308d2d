import { sql } from 'kysely'
import { retryOnDeadlock } from '../../../lib/db/database.ts'
import { rowsOf } from '../../../lib/db/rows.ts'
import type { Deps } from '../../../lib/deps.ts'
import { createBatchWriter } from '../../../lib/runtime/concurrency/batch-writer.ts'
import { jobForEach } from '../../../lib/runtime/jobs.ts'
import type { InboundEvent, ProviderName } from '../providers/provider.ts'

type ReceivedEvent = InboundEvent & { provider: ProviderName }
type Waiting = { event: ReceivedEvent; stored: () => void; failed: (error: unknown) => void }

/** Events in one statement. Only reached when more requests wait than are written at a time. */
const MAX_BATCH = 500
const MAX_ATTEMPTS = 25

/**
 * Returns a function that stores an event once, with the job that handles it, and resolves after the commit. Events that
 * come in while others are written share the next statement: a commit costs more than an event.
 */
export function createEventStore(deps: Pick<Deps, 'db' | 'clock'>) {
  const write = createBatchWriter<Waiting>({
    max: MAX_BATCH,
    write: (batch) => storeEvents(deps, batch),
    failed: (error, batch) => {
      for (const { failed } of batch) failed(error)
    },
    settled: (batch) => {
      for (const { stored } of batch) stored()
    },
  })
  return (event: ReceivedEvent) => new Promise<void>((stored, failed) => write({ event, stored, failed }))
}

/** One statement is a transaction of its own. The order keeps two nodes that get the same events from a deadlock. */
async function storeEvents({ db, clock }: Pick<Deps, 'db' | 'clock'>, batch: Waiting[]) {
  const rows = batch.map(({ event: { provider, id, type, refs, failed = false } }) => ({
    provider,
    id,
    type,
    refs: JSON.stringify({ ...refs, failed }),
  }))
  const handling = jobForEach('handle-billing-event', {
    rows: sql`stored`,
    payload: sql`json_build_object('provider', provider, 'event_id', event_id)`,
    maxAttempts: MAX_ATTEMPTS,
  })
  const insert = sql`with stored as (
      insert into billing_event (provider, event_id, type, refs, received_at)
      select provider::billing_provider, id, type, refs::jsonb, ${clock.now()}
      from ${rowsOf(rows, { provider: 'text', id: 'text', type: 'text', refs: 'text' }, 'received')}
      order by provider, id
      on conflict do nothing returning provider, event_id
    ) ${handling}`
  await retryOnDeadlock(() => insert.execute(db))
}
