import { notFound, problem } from '../../errors.ts'
import { audit } from '../../lib/db/audit.ts'
import { inTransaction, newId } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { envelopeAfterId } from '../../lib/events/emit.ts'
import type { Member } from '../../lib/http/access.ts'
import type { Complete } from '../../lib/http/idempotency.ts'
import { endpointColumns, openSecrets } from './delivery/sending/secrets.ts'
import { sendSigned } from './delivery/sending/send.ts'
import { STOPPED } from './delivery/sending/send-errors.ts'
import { webhookEvents } from './webhooks.events.ts'

/**
 * Sends a test event at once, with the same signature and address checks as every event. It is stored like any
 * delivery, but does not appear in the event feed, and does not count for the health of the webhook.
 */
export async function testWebhook(deps: Deps, caller: Member, id: string, complete: Complete) {
  const { db, keyring, clock } = deps
  const { workspace_id } = caller
  const webhook = await db
    .selectFrom('webhook')
    .select(endpointColumns)
    .where('id', '=', id)
    .where('team_id', '=', workspace_id)
    .executeTakeFirst()
  if (!webhook) throw notFound()
  const at = clock.now()
  const event_id = await newId(db)
  const delivery_id = await newId(db)
  const { type, serialize } = webhookEvents['webhook.test']
  const data = serialize({ webhook_id: id, message: 'This is a test event from Meydan.' })
  const payload = `{"id":"${event_id}${envelopeAfterId({ type, workspace_id, at, data })}`
  const sent = await sendSigned(deps, { endpoint: openSecrets(keyring, webhook), event_id, body: payload })
  const { ok, status, duration_ms, response, error } = sent
  // The result is unknown, so nothing is stored, and the same call can be repeated.
  if (error === STOPPED)
    throw problem('unavailable', { detail: 'Meydan was stopped before a response arrived. Try again in a moment.' })
  const attempt = { delivery_id, event_id, type, at, ok, status, duration_ms, response, error }
  await inTransaction(db, async (tx) => {
    await tx.insertInto('event').values({ id: event_id, workspace_id, type, payload, created_at: at }).execute()
    await tx
      .insertInto('attempt')
      .values({ webhook_id: id, n: 1, trigger: 'test', done: true, ...attempt })
      .execute()
    await audit(tx, caller, 'webhook.tested', id, { ok, status })
    await complete(tx, attempt)
  })
  return attempt
}
