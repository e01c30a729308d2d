import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { invalid, limitExceeded, notFound, problem } from '../../errors.ts'
import { aliases, envelopeAfterId, eventTypes, serializeData, subscriptions } from '../../events.ts'
import type { Member } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { type Keyring, seal, unseal } from '../../lib/crypto.ts'
import { type Db, inTransaction, newId } from '../../lib/database.ts'
import { refusedUrl } from '../../lib/safe-http.ts'
import { sendSigned } from './send.ts'
import { newWebhookSecret } from './signature.ts'
import type { NewWebhook } from './webhooks.schema.ts'

const MOST_WEBHOOKS = 50

export const listWebhooks = (db: Db, { workspace_id }: Member) =>
  db
    .selectFrom('webhook')
    .innerJoin('webhook_health', 'webhook_health.webhook_id', 'webhook.id')
    .select([
      'webhook.id',
      'webhook.user_id as user',
      'webhook.team_id',
      'webhook.url',
      'webhook.events',
      'webhook.active',
      'webhook.created_at',
      'webhook.version',
      'webhook_health.failure_count',
      'webhook_health.last_dispatched_at',
      'webhook_health.last_failure_at',
    ])
    .where('webhook.team_id', '=', workspace_id)

export async function readWebhook(db: Db, caller: Member, id: string) {
  const webhook = await listWebhooks(db, caller).where('webhook.id', '=', id).executeTakeFirst()
  if (!webhook) throw notFound()
  return webhook
}

const secretPlace = (webhook_id: string) => `webhook|${webhook_id}|secret`

export const openSecret = (keyring: Keyring, webhook: { id: string; secret: string }) =>
  unseal(keyring, webhook.secret, secretPlace(webhook.id))

export function createWebhook(
  { db, keyring, urlRules }: Deps,
  caller: Member,
  { url, events }: Static<typeof NewWebhook>,
) {
  const refused = refusedUrl(url, urlRules)
  if (refused)
    throw problem('url_not_allowed', {
      detail: refused,
      errors: [{ pointer: '/url', code: 'url_not_allowed', message: refused }],
    })
  const unknown = events.findIndex((event) => !subscriptions.includes(event))
  if (unknown >= 0) throw invalid(`/events/${unknown}`, `There is no event type ${events[unknown]}.`)

  return inTransaction(db, async (tx) => {
    // Locked, so that two at once cannot both take the last place.
    await tx.selectFrom('workspace').select('id').where('id', '=', caller.workspace_id).forNoKeyUpdate().execute()
    const { count } = await tx
      .selectFrom('webhook')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('team_id', '=', caller.workspace_id)
      .executeTakeFirstOrThrow()
    if (count >= MOST_WEBHOOKS)
      throw limitExceeded('webhooks', MOST_WEBHOOKS, count, `A workspace may have ${MOST_WEBHOOKS} webhooks.`)

    const secret = newWebhookSecret()
    const id = await newId(tx)
    await tx
      .insertInto('webhook')
      .values({
        id,
        user_id: caller.user_id,
        team_id: caller.workspace_id,
        url,
        events,
        secret: seal(keyring, secret, secretPlace(id)),
      })
      .execute()
    await tx.insertInto('webhook_health').values({ webhook_id: id }).execute()
    await audit(tx, caller, 'webhook.created', id, { after: { url, events } })
    return { ...(await readWebhook(tx, caller, id)), secret }
  })
}

/** Deletes a webhook and what was still to be sent to it. */
export const deleteWebhook = (db: Db, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const deleted = await tx
      .deleteFrom('webhook')
      .where('id', '=', id)
      .where('team_id', '=', caller.workspace_id)
      .returning(['url', 'events'])
      .executeTakeFirst()
    if (!deleted) throw notFound()
    await audit(tx, caller, 'webhook.deleted', id, { before: deleted })
  })

/** Sends a test event at once, through the signer and the guard that every event goes through. */
export async function testWebhook(deps: Deps, caller: Member, id: string) {
  const { db, keyring, clock } = deps
  const webhook = await db
    .selectFrom('webhook')
    .select(['id', 'url', 'secret'])
    .where('id', '=', id)
    .where('team_id', '=', caller.workspace_id)
    .executeTakeFirst()
  if (!webhook) throw notFound()
  const at = clock.now()
  const event_id = await newId(db)
  const type = 'webhook.test'
  const data = serializeData(type, { webhook_id: id, message: 'This is a test event from Meydan.' })
  const body = Buffer.from(
    `{"id":"${event_id}${envelopeAfterId({ type, workspace_id: caller.workspace_id, at, data })}`,
  )
  const sent = await sendSigned(deps, { url: webhook.url, secret: openSecret(keyring, webhook), event_id, body })
  await inTransaction(db, (tx) => audit(tx, caller, 'webhook.tested', id, { ok: sent.ok, status: sent.status }))
  return { event_id, type, at, ...sent }
}

export const listEventTypes = () =>
  Object.entries(eventTypes).map(([type, { description, data }]) => ({
    type,
    description,
    aliases: Object.keys(aliases).filter((alias) => aliases[alias] === type),
    schema: data,
  }))
