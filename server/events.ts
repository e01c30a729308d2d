import { sql } from 'kysely'
import { type Static, type TSchema, Type } from 'typebox'
import { problem } from './errors.ts'
import { afterCommit, prepared, type Tx } from './lib/db/database.ts'
import { locks } from './lib/db/locks.ts'
import type { Member } from './lib/http/access.ts'
import { idOf, nullable, Time } from './lib/http/schema/schema.ts'
import { compileSerializer } from './lib/http/schema/validation.ts'
import { Currency, Money } from './lib/money.ts'
import { Account } from './modules/accounts/accounts.schema.ts'
import { runReasons } from './modules/agents/runs/run-reasons.ts'
import { AgentRun } from './modules/agents/runs/runs.schema.ts'
import { Email, PersonName } from './modules/auth/auth.schema.ts'
import { Invoice } from './modules/billing/invoices/invoices.schema.ts'
import { Subscription } from './modules/billing/records/subscriptions.schema.ts'
import { Order, OrderParty } from './modules/marketplace/orders/orders.schema.ts'
import { Post } from './modules/posts/posts.schema.ts'
import { Occurrence } from './modules/posts/recurrence/recurrence.schema.ts'
import { notifyDue } from './modules/webhooks/delivery/due-signal.ts'
import { Invitation, WorkspaceMember } from './modules/workspaces/members/members.schema.ts'

const by = {
  id: idOf('user', 'Id of the user.'),
  email: Email,
  token_id: nullable(idOf('token', 'Id of the API token that was used. Null for a session.')),
}
const agent = Type.Object({ id: idOf('agent'), name: Type.String({ maxLength: 80 }) })
const By = Type.Object(by, { description: 'The user who did it.' })
const Person = (description: string) =>
  nullable(
    Type.Object(
      { id: idOf('user'), name: PersonName, email: Email },
      { description: `${description} Null if the user no longer exists.` },
    ),
  )

/** Event types and the data that webhooks receive. This is a public contract: it only grows. */
export const eventTypes = {
  'post.created': { description: 'A post was created.', data: Type.Object({ post: Post, by: By }) },
  'post.updated': {
    description: 'A post was edited, requested to be published or retried, or restored.',
    data: Type.Object({
      post: Post,
      change: Type.Enum(
        ['edited', 'publish_requested', 'retry_requested', 'restored', 'target_resolved', 'unpublished'],
        {
          type: 'string',
          description:
            'Kind of change. `target_resolved`: a member found out whether a post without a response was published. `unpublished`: deleted on its networks.',
        },
      ),
      by: By,
    }),
  },
  'post.review.requested': {
    description: 'A post waits for review. It is not published before a member approves it.',
    data: Type.Object({ post: Post, by: By }),
  },
  'post.review.approved': {
    description: 'A post was approved. With a planned time, it is scheduled for it.',
    data: Type.Object({ post: Post, by: By }),
  },
  'post.review.rejected': {
    description: 'A post was rejected. Its `review_reason` says why.',
    data: Type.Object({ post: Post, by: By }),
  },
  'post.deleted': {
    description: 'A post was deleted. It can be restored for 24 hours.',
    data: Type.Object({ post: Post, deleted_at: Time, restorable_until: Time, by: By }),
  },
  'post.published': {
    description:
      'A post was published on at least one account. Its targets name the accounts and link to the published posts.',
    data: Type.Object({ post: Post, author: Person('Author of the post.') }),
  },
  'post.failed': {
    description: 'A post could not be published on at least one account. Its targets name the accounts and the errors.',
    data: Type.Object({ post: Post, author: Person('Author of the post.') }),
  },
  'post.held': {
    description:
      'A scheduled post is held: it was late, and is not published before a member decides about it. `held` says why.',
    data: Type.Object({ post: Post }),
  },
  'recurring_post.occurrence_skipped': {
    description: 'An occurrence of a recurring post was skipped: no post was created for it. `reason` says why.',
    data: Type.Object({
      recurring_post_id: idOf('recurring_post'),
      occurs_at: Occurrence.properties.occurs_at,
      reason: Occurrence.properties.reason,
      detail: Occurrence.properties.detail,
    }),
  },
  'account.disconnected': {
    description: 'An account was disconnected. It must be connected again before it can publish.',
    data: Type.Object({
      account: Account,
      reason: Type.Enum(['refused_by_network', 'removed'], {
        type: 'string',
        description:
          'Reason: `refused_by_network` (the network rejects the credentials; `account.status_detail` has its message) or `removed` (by a member).',
      }),
      by: nullable(Type.Object(by, { description: 'Member who removed the account.' })),
    }),
  },
  'account.refresh_failed': {
    description:
      'The session of an account could not be renewed. The account stays connected and the renewal is retried. Sent at most once an hour per account until a renewal succeeds.',
    data: Type.Object({
      account: Account,
      error_code: Type.Enum(['network_unavailable', 'rejected_by_network', 'url_not_allowed'], {
        type: 'string',
        description:
          'Reason: `network_unavailable` (no response, or a response that asks to retry later), `rejected_by_network` or `url_not_allowed`.',
      }),
      error_message: Type.String({ maxLength: 400 }),
    }),
  },
  'billing.invoice.paid': {
    description: 'An invoice was paid. It has everything that an official e-Fatura or e-Arşiv document needs.',
    data: Type.Object({ invoice: Invoice }),
  },
  'team.invitation.accepted': {
    description: 'A user accepted an invitation and became a member.',
    data: Type.Object({
      invitation: Invitation,
      inviter: Person('User who sent the invitation.'),
      member: WorkspaceMember,
    }),
  },
  'billing.subscription.started': {
    description: 'A subscription began, with a trial or its first payment.',
    data: Type.Object({ subscription: Subscription }),
  },
  'billing.subscription.changed': {
    description:
      'A subscription changed: its plan, its period, its status while in force, or whether it ends with the period.',
    data: Type.Object({ subscription: Subscription }),
  },
  'billing.subscription.canceled': {
    description: 'A subscription ended because it was canceled.',
    data: Type.Object({ subscription: Subscription }),
  },
  'billing.subscription.expired': {
    description: 'A subscription ended because it was not paid.',
    data: Type.Object({ subscription: Subscription }),
  },
  'billing.trial.ending': {
    description: 'A trial ends in three days. The first payment follows unless the subscription is canceled.',
    data: Type.Object({ subscription: Subscription }),
  },
  'billing.payment_failed': {
    description: 'A payment for a subscription failed, or was not made in time. `subscription` has the deadline.',
    data: Type.Object({
      subscription: Subscription,
      amount: Money('Amount that is open, VAT included'),
      currency: Currency,
      reason: nullable(Type.String({ maxLength: 400, description: 'Reason of the provider. Null without one.' })),
    }),
  },
  'marketplace.order.created': {
    description:
      'An order was paid. The seller accepts it until `accept_by`. Sent to both workspaces, as all events of orders.',
    data: Type.Object({ order: Order }),
  },
  'marketplace.order.accepted': {
    description: 'The seller accepted an order, and delivers until `due_at`.',
    data: Type.Object({ order: Order }),
  },
  'marketplace.order.delivered': {
    description: 'The seller delivered. The order completes at `auto_complete_at` unless the buyer acts.',
    data: Type.Object({ order: Order }),
  },
  'marketplace.order.revision_requested': {
    description: 'The buyer requested a revision of the delivery.',
    data: Type.Object({
      order: Order,
      reason: Type.String({ maxLength: 5000, description: 'Changes that the buyer wants.' }),
    }),
  },
  'marketplace.order.completed': {
    description: 'An order was completed, and the payout of the seller is released.',
    data: Type.Object({ order: Order }),
  },
  'marketplace.order.canceled': {
    description: 'An order was canceled. `refund_amount` is returned to the buyer.',
    data: Type.Object({ order: Order }),
  },
  'marketplace.order.disputed': {
    description: 'One side opened a dispute. Its time limits rest until an instance admin decides.',
    data: Type.Object({ order: Order, opened_by: OrderParty, reason: Type.String({ maxLength: 5000 }) }),
  },
  'agent.run.completed': {
    description: 'A run of an agent wrote posts. With `awaiting_review`, some of them wait for a person.',
    data: Type.Object({ agent, run: AgentRun }),
  },
  'agent.run.failed': {
    description: 'A run of an agent wrote no post, because something was wrong. Runs that were skipped send no event.',
    data: Type.Object({ agent, run: AgentRun }),
  },
  'agent.disabled': {
    description: 'An agent was disabled because its last five runs failed.',
    data: Type.Object({
      agent,
      reason: Type.Enum([...runReasons], { type: 'string', description: 'Reason of its last failed run.' }),
    }),
  },
  'webhook.test': {
    description: 'A test event requested with `POST /webhooks/{id}/test`. Sent to that webhook only.',
    data: Type.Object({ webhook_id: idOf('webhook'), message: Type.String({ maxLength: 400 }) }),
  },
} as const satisfies Record<string, { description: string; data: TSchema }>

export type EventType = keyof typeof eventTypes
export type EventData<T extends EventType> = Static<(typeof eventTypes)[T]['data']>

/** The caller as shown in events. */
export const doneBy = ({ user_id, email, token }: Member): Static<typeof By> => ({
  id: user_id,
  email,
  token_id: token?.id ?? null,
})

/** Other names that a webhook may subscribe to. Its events then carry the name that it chose. */
export const aliases: Record<string, EventType> = {
  'publish.success': 'post.published',
  'publish.fail': 'post.failed',
}

/** All names that a webhook may subscribe to. */
export const subscriptions = ['*', ...Object.keys(eventTypes), ...Object.keys(aliases)]

const serializers = Object.fromEntries(
  Object.entries(eventTypes).map(([type, { data }]) => [type, compileSerializer(data)]),
)

/** Largest payload in bytes. Actions that would exceed it are refused, so that events are never truncated. */
export const PAYLOAD_LIMIT = 256_000

type Envelope = { type: string; workspace_id: string; at: Date; data: string }

/** The body of an event after its id, in the order of fields that every receiver gets. */
export const envelopeAfterId = ({ type, workspace_id, at, data }: Envelope) =>
  `","type":"${type}","timestamp":"${at.toISOString()}","workspace_id":"${workspace_id}","data":${data}}`

/** The allow-listed JSON of an event's data. */
export function serializeData<T extends EventType>(type: T, data: EventData<T>): string {
  const serialize = serializers[type]
  if (!serialize) throw new Error(`No schema for the event ${type}`)
  return serialize(data)
}

/** Renames the event in a payload. The type comes right after the id, before any data. */
export const renamePayload = (payload: string, from: string, to: string) =>
  from === to ? payload : payload.replace(`","type":"${from}"`, () => `","type":"${to}"`)

/**
 * Waits for the transactions that emit in a workspace, and blocks later ones until this one ends. For changes that
 * affect deliveries. Call it before locking rows, which emitting transactions may hold or need.
 */
export const stopEvents = (tx: Tx, workspace_id: string) =>
  sql`select pg_advisory_xact_lock(${locks.events}, hashtext(${workspace_id}))`.execute(tx)

/** Transactions that hold a lock on a position of the clock of events. */
const numbering = new WeakSet<Tx>()

/**
 * Writes an event and its deliveries in the transaction that causes it: it is sent only if that commits. The payload is
 * stored as it is signed and sent, so that every retry sends the same. For a disabled webhook it is held.
 *
 * Ids of a workspace only grow, whatever the clock does, and locks show which may still be committed: see
 * `event_horizon` in the migrations. `emit_event` does not overtake changes of webhooks that wait.
 */
export async function emit<T extends EventType>(tx: Tx, type: T, workspace_id: string, data: EventData<T>, at: Date) {
  const after_id = envelopeAfterId({ type, workspace_id, at, data: serializeData(type, data) })
  if (Buffer.byteLength(after_id) > PAYLOAD_LIMIT)
    throw problem('validation_failed', {
      detail: 'The text and its variants for single accounts are larger than 256 KB.',
    })
  const names = [type, '*']
  const others = Object.keys(aliases).filter((alias) => aliases[alias] === type)
  const numbers = !numbering.has(tx)
  const rows = await emitEvent(tx, { workspace_id, type, after_id, at, names, others, numbers })
  numbering.add(tx)
  const due = { workspace_id, webhook_ids: rows.map(({ webhook_id }) => webhook_id), at: at.toISOString() }
  if (rows.length > 0) afterCommit(tx, notifyDue(due))
}

type EmitEvent = {
  workspace_id: string
  type: EventType
  after_id: string
  at: Date
  names: string[]
  others: string[]
  numbers: boolean
}
const emitEvent = prepared(
  (_, { workspace_id, type, after_id, at, names, others, numbers }: EmitEvent) => sql<{ webhook_id: string }>`
    select emit_event(${workspace_id}::uuid, ${type}, ${after_id}, ${at}::timestamptz, ${names}::text[], ${others}::text[],
      ${numbers}::boolean) as webhook_id`,
)
