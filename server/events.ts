import fastJsonStringify from 'fast-json-stringify'
import { sql } from 'kysely'
import { type Static, type TSchema, Type } from 'typebox'
import { problem } from './errors.ts'
import type { Member } from './lib/access.ts'
import { afterCommit, type Tx } from './lib/database.ts'
import { locks } from './lib/locks.ts'
import { Id, nullable, Time } from './lib/schema.ts'
import { wakeFor } from './lib/wake.ts'
import { Account } from './modules/accounts/accounts.schema.ts'
import { Email, PersonName } from './modules/auth/auth.schema.ts'
import { Post } from './modules/posts/posts.schema.ts'
import { Invitation, WorkspaceMember } from './modules/workspaces/members.schema.ts'

const by = {
  id: Type.Unsafe<string>({ ...Id, description: 'User' }),
  email: Email,
  token_id: nullable(Type.Unsafe<string>({ ...Id, description: 'The API token that it was done with' })),
}
const By = Type.Object(by, { description: 'Who did it' })
const Person = (description: string) =>
  nullable(
    Type.Object({ id: Id, name: PersonName, email: Email }, { description: `${description}; null: no longer here` }),
  )

/** What happened, and the data that a webhook gets to know of it. This is a public contract: it only grows. */
export const eventTypes = {
  'post.created': { description: 'A post was created.', data: Type.Object({ post: Post, by: By }) },
  'post.updated': {
    description: 'A post was changed, is to be published or tried again, or was restored after it was deleted.',
    data: Type.Object({
      post: Post,
      change: Type.Enum(['edited', 'publish_requested', 'retry_requested', 'restored'], {
        type: 'string',
        description: 'What was done to it',
      }),
      by: By,
    }),
  },
  'post.deleted': {
    description: 'A post was deleted. It may be restored for a day.',
    data: Type.Object({ post: Post, deleted_at: Time, restorable_until: Time, by: By }),
  },
  'post.published': {
    description: 'A post reached at least one account. Its targets tell which, and where to see it.',
    data: Type.Object({ post: Post, author: Person('Who wrote it') }),
  },
  'post.failed': {
    description: 'A post could not be published on at least one account. Its targets tell where and why.',
    data: Type.Object({ post: Post, author: Person('Who wrote it') }),
  },
  'account.disconnected': {
    description: 'The authorization of an account is gone for good; it has to be connected again.',
    data: Type.Object({
      account: Account,
      reason: Type.Enum(['refused_by_network', 'removed'], {
        type: 'string',
        description:
          'refused_by_network: its network no longer accepts the credentials, `account.status_detail` has its words; removed: by a member',
      }),
      by: nullable(Type.Object(by, { description: 'The member who removed it' })),
    }),
  },
  'account.refresh_failed': {
    description:
      'The session of an account could not be renewed this time. It is still connected and will be tried again. Told at most once an hour for an account, until a renewal succeeds.',
    data: Type.Object({
      account: Account,
      error_code: Type.Enum(['network_unavailable', 'rejected_by_network', 'url_not_allowed'], {
        type: 'string',
        description: 'network_unavailable: no answer, or one that asks to try later',
      }),
      error_message: Type.String({ maxLength: 400 }),
    }),
  },
  'team.invitation.accepted': {
    description: 'Somebody accepted an invitation and is a member now.',
    data: Type.Object({ invitation: Invitation, inviter: Person('Who invited'), member: WorkspaceMember }),
  },
  'webhook.test': {
    description: 'Sent by POST /webhooks/:id/test, to that webhook only.',
    data: Type.Object({ webhook_id: Type.String(), message: Type.String() }),
  },
} as const satisfies Record<string, { description: string; data: TSchema }>

export type EventType = keyof typeof eventTypes
export type EventData<T extends EventType> = Static<(typeof eventTypes)[T]['data']>

/** A caller, as events tell who did it. */
export const doneBy = ({ user_id, email, token }: Member): Static<typeof By> => ({
  id: user_id,
  email,
  token_id: token?.id ?? null,
})

/** Other names that a webhook may subscribe under; it is then called by the name that it chose. */
export const aliases: Record<string, EventType> = {
  'publish.success': 'post.published',
  'publish.fail': 'post.failed',
}

/** Everything that a webhook may subscribe to. */
export const subscriptions = ['*', ...Object.keys(eventTypes), ...Object.keys(aliases)]

const serializers = Object.fromEntries(
  Object.entries(eventTypes).map(([type, { data }]) => [type, fastJsonStringify(data as object)]),
)

/** Largest payload in bytes. What makes an event refuses what would not fit, so that nothing is told in part. */
export const PAYLOAD_LIMIT = 256_000

type Envelope = { type: string; workspace_id: string; at: Date; data: string }

/** The body of an event after its id, in the order that every receiver sees. */
export const envelopeAfterId = ({ type, workspace_id, at, data }: Envelope) =>
  `","type":"${type}","timestamp":"${at.toISOString()}","workspace_id":"${workspace_id}","data":${data}}`

/** The allow-listed JSON of an event's data. */
export function serializeData<T extends EventType>(type: T, data: EventData<T>): string {
  const serialize = serializers[type]
  if (!serialize) throw new Error(`There is no schema for the event ${type}`)
  return serialize(data)
}

/** Puts another name of the same event into a payload. The type stands right behind the id, before any data. */
export const renamePayload = (payload: string, from: string, to: string) =>
  from === to ? payload : payload.replace(`","type":"${from}"`, () => `","type":"${to}"`)

/**
 * Waits for the transactions that emit in a workspace, and has later ones wait until this one ends. For what decides
 * what becomes of an event. Before rows are locked: who emits may hold or want them.
 */
export const stopEvents = (tx: Tx, workspace_id: string) =>
  sql`select pg_advisory_xact_lock(${locks.events}, hashtext(${workspace_id}))`.execute(tx)

/**
 * Writes an event and its deliveries in the transaction that causes it: it is sent exactly when that commits. The
 * payload is stored as it is signed and sent, so that every retry sends the same. For a disabled webhook it is held.
 */
export async function emit<T extends EventType>(tx: Tx, type: T, workspace_id: string, data: EventData<T>, at: Date) {
  const rest = envelopeAfterId({ type, workspace_id, at, data: serializeData(type, data) })
  if (Buffer.byteLength(rest) > PAYLOAD_LIMIT)
    throw problem('validation_failed', { detail: 'The text with all of its variants is larger than 256 KB.' })
  const own = [type, '*']
  const others = Object.keys(aliases).filter((alias) => aliases[alias] === type)
  // Alone, because a statement sees webhooks as they were when it began, and this one may wait. Whoever waits to change
  // them is not overtaken. The transaction is numbered before its event is: see `horizon` in webhooks/polling.ts.
  await sql`select pg_advisory_xact_lock_shared(${locks.events}, hashtext(${workspace_id})), pg_current_xact_id()`.execute(
    tx,
  )
  const { rows } = await sql<{ webhook_id: string }>`
    with made as (
      insert into event (id, workspace_id, type, payload, created_at)
      select id, ${workspace_id}::uuid, ${type}::text, '{"id":"' || id || ${rest}::text, ${at}::timestamptz
      from (select uuidv7() as id) as fresh
      returning id, created_at
    ), matching as (
      select id, events, active from webhook
      where team_id = ${workspace_id}::uuid and events && ${[...own, ...others]}::text[]
    )
    insert into delivery (event_id, webhook_id, state, type, run_at)
    select made.id, matching.id, (case when matching.active then 'waiting' else 'held' end)::delivery_state,
      case when matching.events && ${own}::text[] then ${type}::text
        else (select name from unnest(matching.events) as name where name = any(${others}::text[]) limit 1) end,
      made.created_at
    from made cross join matching
    returning webhook_id`.execute(tx)
  const due = { workspace_id, webhook_ids: rows.map(({ webhook_id }) => webhook_id), at: at.toISOString() }
  if (rows.length > 0) afterCommit(tx, wakeFor(due))
}
