import type { Deps } from '../../deps.ts'
import { notFound, problem } from '../../errors.ts'
import { envelopeAfterId, serializeData } from '../../events.ts'
import type { Member } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { inTransaction, newId } from '../../lib/database.ts'
import type { Complete } from '../../lib/idempotency.ts'
import { openSecrets, sealedColumns } from './secrets.ts'
import { sendSigned } from './send.ts'
import { STOPPED } from './send-errors.ts'

/**
 * Sends a test event at once, through the signer and the guard that every event goes through. It is kept as a delivery
 * like any other, but is no event that a workspace polls, and says nothing about the health of the webhook.
 */
export async function testWebhook(deps: Deps, caller: Member, id: string, complete: Complete) {
  const { db, keyring, clock } = deps
  const { workspace_id } = caller
  const webhook = await db
    .selectFrom('webhook')
    .select(sealedColumns)
    .where('id', '=', id)
    .where('team_id', '=', workspace_id)
    .executeTakeFirst()
  if (!webhook) throw notFound()
  const at = clock.now()
  const event_id = await newId(db)
  const delivery_id = await newId(db)
  const type = 'webhook.test'
  const data = serializeData(type, { webhook_id: id, message: 'This is a test event from Meydan.' })
  const payload = `{"id":"${event_id}${envelopeAfterId({ type, workspace_id, at, data })}`
  const sent = await sendSigned(deps, { endpoint: openSecrets(keyring, webhook), event_id, body: payload })
  const { ok, status, duration_ms, response, error } = sent
  // It says nothing about the endpoint: nothing is kept, and the same call may be made again.
  if (error === STOPPED)
    throw problem('unavailable', { detail: 'Meydan was stopped before there was an answer. Try again in a moment.' })
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
