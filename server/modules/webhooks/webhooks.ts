import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Static } from 'typebox'
import { type FieldError, invalid, limitExceeded, notFound, problem, refusedFields } from '../../errors.ts'
import { eventTypes, subscriptions } from '../../events.ts'
import { newWebhookSecret } from '../../lib/crypto/webhook-signature.ts'
import { audit, changedFields, system } from '../../lib/db/audit.ts'
import { type Db, inTransaction, newId, type Tx } from '../../lib/db/database.ts'
import { locks } from '../../lib/db/locks.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import type { IfMatch } from '../../lib/http/etag.ts'
import type { ImportStep } from '../../lib/lifecycle.ts'
import { refusedUrl } from '../../lib/outbound/safe-http.ts'
import { addJob } from '../../lib/runtime/jobs.ts'
import { holdDeliveries, holdDisabled } from './auto-disable.ts'
import { probeNow, resetHealth } from './delivery/circuit-breaker.ts'
import {
  endpointColumns,
  openHeaders,
  openSecret,
  sealHeaders,
  sealPreviousSecret,
  sealSecret,
} from './delivery/sending/secrets.ts'
import type { circuits, NewWebhook, SecretRotation, WebhookChanges } from './webhooks.schema.ts'

const MAX_WEBHOOKS = 50
const OVERLAP_S = 86_400

type Reading = Pick<Deps, 'clock' | 'config'>

/** Lists the webhooks of the caller's workspace with their health. */
export const listWebhooks = (db: Db, { clock, config }: Reading, { workspace_id }: Member) =>
  db
    .selectFrom('webhook')
    .innerJoin('webhook_health', 'webhook_health.webhook_id', 'webhook.id')
    .select([
      'webhook.id',
      'webhook.user_id as user',
      'webhook.team_id',
      'webhook.url',
      'webhook.events',
      'webhook.description',
      'webhook.header_names',
      'webhook.active',
      'webhook.disabled_reason',
      'webhook.disabled_at',
      'webhook.created_at',
      'webhook.version',
      'webhook_health.failure_count',
      'webhook_health.first_failure_at',
      'webhook_health.last_dispatched_at',
      'webhook_health.last_failure_at',
      'webhook_health.circuit_until',
      sql<(typeof circuits)[number]>`case when circuit_until is null then 'closed'
        when circuit_until > ${clock.now()} then 'open' else 'half_open' end`.as('circuit'),
      // The column may not have been cleared yet.
      sql<Date | null>`case when previous_secret_expires_at > ${clock.now()} then previous_secret_expires_at end`.as(
        'previous_secret_expires_at',
      ),
    ])
    .select(({ selectFrom, ref, val }) => [
      jsonObjectFrom(
        selectFrom('attempt')
          .select(['delivery_id', 'type', 'status', 'error'])
          .where('attempt.webhook_id', '=', ref('webhook.id'))
          .where('attempt.delivery_id', '=', ref('webhook_health.last_failed_delivery'))
          .where('ok', '=', val(false))
          .orderBy('n', 'desc')
          .limit(1),
      ).as('last_failure'),
      sql<Date | null>`case when active then first_failure_at + make_interval(secs => ${config.WEBHOOK_DISABLE_AFTER_S}) end`.as(
        'disable_at',
      ),
    ])
    .where('webhook.team_id', '=', workspace_id)

export async function readWebhook(db: Db, deps: Reading, caller: Member, id: string) {
  const webhook = await listWebhooks(db, deps, caller).where('webhook.id', '=', id).executeTakeFirst()
  if (!webhook) throw notFound()
  return webhook
}

const lockWebhook = (tx: Tx, { workspace_id }: Member, id: string) =>
  tx
    .selectFrom('webhook')
    .select([...endpointColumns, 'events', 'active', 'description', 'header_names', 'version'])
    .where('id', '=', id)
    .where('team_id', '=', workspace_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound)

/**
 * Waits for the transactions that emit in a workspace, and blocks later ones until this one ends. For changes that
 * affect deliveries. Call it before locking rows, which emitting transactions may hold or need.
 */
const stopEvents = (tx: Tx, workspace_id: string) =>
  sql`select pg_advisory_xact_lock(${locks.events}, hashtext(${workspace_id}))`.execute(tx)

/** Headers that Meydan sets, or that concern the connection and not the message. */
const reserved =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*|webhook-.*|x-service-.*)$/i

function checkHeaders(headers: Record<string, string>) {
  const names = Object.keys(headers)
  const errors = names.flatMap((name, index): FieldError[] => {
    const refuse = (message: string) =>
      [{ pointer: `/headers/${name.replaceAll('~', '~0')}`, code: 'invalid', message }] satisfies FieldError[]
    if (reserved.test(name)) return refuse(`The header ${name} cannot be set.`)
    const same = names.slice(0, index).find((other) => other.toLowerCase() === name.toLowerCase())
    return same === undefined ? [] : refuse(`This header is the same as ${same}.`)
  })
  if (errors.length > 0) throw refusedFields(errors)
}

/** Validates what the schema cannot. An event type given by several of its names is allowed, and sent once. */
function validateWebhook({ urlRules }: Deps, { url, events, headers }: Static<typeof WebhookChanges>) {
  const refused = url === undefined ? undefined : refusedUrl(url, urlRules)
  if (refused)
    throw problem('url_not_allowed', {
      detail: refused,
      errors: [{ pointer: '/url', code: 'url_not_allowed', message: refused }],
    })
  const unknown = events?.findIndex((event) => !subscriptions.includes(event)) ?? -1
  if (unknown >= 0) throw invalid(`/events/${unknown}`, `Unknown event type: ${events?.[unknown]}.`)
  if (headers) checkHeaders(headers)
}

/** Refuses to send headers that were set for one origin to another: they may hold credentials. */
function assertSameReceiver(
  row: { url: string; header_names: string[] },
  { url = row.url, headers }: Static<typeof WebhookChanges>,
) {
  if (headers || row.header_names.length === 0 || new URL(url).origin === new URL(row.url).origin) return
  throw invalid('/headers', 'The new URL has another origin. Set the headers to send there, or {} for none.')
}

export function createWebhook(deps: Deps, caller: Member, input: Static<typeof NewWebhook>) {
  const { db, keyring } = deps
  validateWebhook(deps, input)
  const { url, events, description = null, headers = {} } = input
  return inTransaction(db, async (tx) => {
    // The lock keeps concurrent calls from exceeding the limit.
    await tx.selectFrom('workspace').select('id').where('id', '=', caller.workspace_id).forNoKeyUpdate().execute()
    const { count } = await tx
      .selectFrom('webhook')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('team_id', '=', caller.workspace_id)
      .executeTakeFirstOrThrow()
    if (count >= MAX_WEBHOOKS)
      throw limitExceeded('webhooks', MAX_WEBHOOKS, count, `A workspace can have at most ${MAX_WEBHOOKS} webhooks.`)

    const secret = newWebhookSecret()
    const id = await newId(tx)
    const header_names = Object.keys(headers)
    await tx
      .insertInto('webhook')
      .values({
        id,
        user_id: caller.user_id,
        team_id: caller.workspace_id,
        url,
        events,
        description,
        header_names,
        headers: sealHeaders(keyring, id, headers),
        secret: sealSecret(keyring, id, secret),
      })
      .execute()
    await tx.insertInto('webhook_health').values({ webhook_id: id }).execute()
    await audit(tx, caller, 'webhook.created', id, { after: { url, events, description, header_names } })
    return { ...(await readWebhook(tx, deps, caller, id)), secret }
  })
}

/** Holds what still waits for a disabled webhook, which may be a million deliveries, in batches before it is locked. */
async function holdBeforeEnabling(deps: Deps, { workspace_id }: Member, id: string, ifMatch: IfMatch) {
  const webhook = await deps.db
    .selectFrom('webhook')
    .select(['active', 'version'])
    .where('id', '=', id)
    .where('team_id', '=', workspace_id)
    .executeTakeFirstOrThrow(notFound)
  ifMatch(webhook.version)
  if (!webhook.active) await holdDisabled(deps, { webhook_id: id })
}

export async function changeWebhook(
  deps: Deps,
  caller: Member,
  id: string,
  input: Static<typeof WebhookChanges>,
  ifMatch: IfMatch,
) {
  const { db, clock, keyring } = deps
  if (input.active) await holdBeforeEnabling(deps, caller, id, ifMatch)
  return inTransaction(db, async (tx) => {
    const now = clock.now()
    // `emit` reads `active`. No event may be written with the former value after this transaction has changed it.
    if (input.active !== undefined) await stopEvents(tx, caller.workspace_id)
    const row = await lockWebhook(tx, caller, id)
    ifMatch(row.version)
    validateWebhook(deps, input)
    assertSameReceiver(row, input)
    const { headers, ...plain } = input
    const isNew = (name: keyof typeof plain) => plain[name] !== undefined && !isDeepStrictEqual(plain[name], row[name])
    const changed = (['url', 'events', 'active', 'description'] as const).filter(isNew)
    const newHeaders = headers && !isDeepStrictEqual(headers, openHeaders(keyring, row)) ? headers : undefined
    if (changed.length === 0 && !newHeaders) return readWebhook(tx, deps, caller, id)

    const newActive = changed.includes('active') ? input.active : undefined
    await tx
      .updateTable('webhook')
      .set({
        ...Object.fromEntries(changed.map((name) => [name, input[name]])),
        ...(newHeaders && {
          header_names: Object.keys(newHeaders),
          headers: sealHeaders(keyring, id, newHeaders),
        }),
        ...(newActive === true && { disabled_reason: null, disabled_at: null }),
        ...(newActive === false && { disabled_reason: 'manual', disabled_at: now }),
      })
      .where('id', '=', id)
      .execute()
    if (newActive === false) await addJob(tx, 'hold-deliveries', { webhook_id: id }, { key: `hold ${id}` })
    if (newActive === true) {
      // Enabling sends no held deliveries, and those still waiting are held as well.
      await holdDeliveries(tx, id, now)
      await resetHealth(tx, id)
    }
    // The circuit was opened by another address.
    if (changed.includes('url')) await probeNow(tx, id, now)
    const after = await readWebhook(tx, deps, caller, id)
    const auditedFields = [...changed, ...(newHeaders ? ['header_names'] : [])]
    await audit(tx, caller, 'webhook.changed', id, changedFields(row, after, auditedFields))
    return after
  })
}

/** Disables the webhooks of a workspace from another installation. */
export const disableImported: ImportStep = async ({ clock }, tx, team_id) => {
  const disabled = await tx
    .updateTable('webhook')
    .set({ active: false, disabled_reason: 'manual', disabled_at: clock.now() })
    .where('team_id', '=', team_id)
    .where('active', '=', true)
    .returning('id')
    .execute()
  for (const { id } of disabled)
    await audit(tx, system(team_id), 'webhook.changed', id, { before: { active: true }, after: { active: false } })
  return { disabled_webhooks: disabled.length }
}

/** Creates a new secret. The previous one signs too until the overlap ends; the one before it ends at once. */
export function rotateSecret(
  deps: Deps,
  caller: Member,
  id: string,
  { overlap_seconds = OVERLAP_S }: Static<typeof SecretRotation>,
) {
  const { db, clock, keyring } = deps
  return inTransaction(db, async (tx) => {
    const row = await lockWebhook(tx, caller, id)
    const secret = newWebhookSecret()
    const ends = overlap_seconds > 0 ? new Date(clock.now().getTime() + overlap_seconds * 1000) : null
    await tx
      .updateTable('webhook')
      .set({
        secret: sealSecret(keyring, id, secret),
        previous_secret: ends && sealPreviousSecret(keyring, id, openSecret(keyring, row)),
        previous_secret_expires_at: ends,
      })
      .where('id', '=', id)
      .execute()
    await audit(tx, caller, 'webhook.secret_rotated', id, { overlap_seconds, previous_secret_expires_at: ends })
    return { ...(await readWebhook(tx, deps, caller, id)), secret }
  })
}

/** Deletes a webhook. Its deliveries are not sent, and the hourly clean-up deletes them. */
export const deleteWebhook = (db: Db, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const deleted = await tx
      .deleteFrom('webhook')
      .where('id', '=', id)
      .where('team_id', '=', caller.workspace_id)
      .returning(['url', 'events', 'description', 'header_names'])
      .executeTakeFirst()
    if (!deleted) throw notFound()
    await audit(tx, caller, 'webhook.deleted', id, { before: deleted })
  })

export const listEventTypes = () =>
  Object.values(eventTypes).map(({ type, description, alias, data, example }) => ({
    type,
    description,
    aliases: alias === undefined ? [] : [alias],
    schema: data,
    example,
  }))
