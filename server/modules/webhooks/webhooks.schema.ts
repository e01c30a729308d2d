import { Type } from 'typebox'
import { subscriptions } from '../../events.ts'
import { Closed, Count, idOf, nullable, Time } from '../../lib/http/schema/schema.ts'

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'URL that receives the events as POST requests.',
  examples: ['https://example.com/meydan'],
})
const Events = Type.Array(Type.String({ maxLength: 60 }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: `Event types to send: ${subscriptions.join(', ')}. \`*\` subscribes to all of them.`,
  examples: [['post.published', 'post.failed']],
})
const Description = Type.String({ maxLength: 200, description: 'Note for your own use.', examples: ['Order system'] })
const Headers = Type.Record(
  Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_|~-]{1,60}$" }),
  Type.String({ maxLength: 1000, pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$' }),
  {
    additionalProperties: false,
    maxProperties: 10,
    description:
      'Custom headers sent with every delivery, such as `Authorization`. They are stored encrypted and never returned. Setting them replaces all previous ones.',
    examples: [{ 'X-Shop': 'bakery' }],
  },
)
export const EventName = Type.String({
  maxLength: 60,
  description: 'Event type, such as `post.published`.',
  examples: ['post.published'],
})
const Secret = nullable(
  Type.String({
    maxLength: 100,
    description:
      'Secret that signs the deliveries. Returned only in this response; null when the response is replayed for an `Idempotency-Key`.',
    examples: ['whsec_…'],
  }),
)

export const circuits = ['closed', 'open', 'half_open'] as const
const disabledReasons = ['manual', 'failing', 'gone'] as const

export const Webhook = Type.Object(
  {
    id: idOf('webhook'),
    user: nullable(idOf('user', 'Id of the user who created the webhook. Null if that user no longer exists.')),
    team_id: idOf('workspace', 'Id of the workspace that the webhook belongs to.'),
    url: Url,
    events: Events,
    description: nullable(Description),
    header_names: Type.Array(Type.String({ maxLength: 60 }), {
      maxItems: 10,
      description: 'Names of the custom headers sent with every delivery.',
      examples: [['X-Shop']],
    }),
    active: Type.Boolean({
      description:
        'Whether the webhook is enabled. While it is disabled, nothing is sent and its deliveries are held for up to 30 days.',
    }),
    disabled_reason: nullable(
      Type.Enum([...disabledReasons], {
        type: 'string',
        description:
          'Reason for disabling: `manual` (by a member), `failing` (no success for too long) or `gone` (the endpoint responded with 410).',
      }),
    ),
    disabled_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time at which the webhook was disabled. Null while it is enabled.' }),
    ),
    failure_count: Count('Number of consecutive failed attempts. A success resets it to 0.'),
    first_failure_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time of the first of the consecutive failures.' }),
    ),
    last_dispatched_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time of the last successful attempt.' })),
    last_failure_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time of the last failed attempt.' })),
    last_failure: nullable(
      Type.Object(
        {
          delivery_id: idOf('delivery'),
          type: EventName,
          status: nullable(
            Type.Integer({
              minimum: 0,
              maximum: 999,
              description: 'HTTP status of the response. Null without a response.',
            }),
          ),
          error: nullable(
            Type.String({
              maxLength: 400,
              description: 'Reason for the failure. Null if there was a complete response.',
            }),
          ),
        },
        { description: 'Result of the attempt at `last_failure_at`. Null once its delivery has been erased.' },
      ),
    ),
    disable_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description: 'Time at which the webhook is disabled unless an attempt succeeds first.',
      }),
    ),
    circuit: Type.Enum([...circuits], {
      type: 'string',
      description:
        'State of the circuit breaker: `closed` (deliveries are sent), `open` (too many consecutive failures; sending is paused) or `half_open` (one delivery is sent as a probe).',
    }),
    circuit_until: nullable(Type.Unsafe<Date>({ ...Time, description: 'Earliest time of the next probe.' })),
    previous_secret_expires_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description: 'End of the overlap after a rotation, until which the previous secret also signs.',
      }),
    ),
    created_at: Time,
  },
  { title: 'Webhook' },
)
export const CreatedWebhook = Type.Object({ ...Webhook.properties, secret: Secret }, { title: 'CreatedWebhook' })
export const NewWebhook = Closed(
  { url: Url, events: Events, description: Type.Optional(Description), headers: Type.Optional(Headers) },
  { title: 'NewWebhook' },
)
export const WebhookChanges = Closed(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    active: Type.Optional(
      Type.Boolean({
        description:
          '`true` enables the webhook and closes its circuit breaker. `false` disables it. Held deliveries are sent only by `POST /webhooks/{id}/recover`.',
      }),
    ),
    description: Type.Optional(nullable(Description)),
    headers: Type.Optional(Headers),
  },
  { title: 'WebhookChanges', examples: [{ events: ['*'], active: true }] },
)
export const SecretRotation = Closed(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        examples: [3600],
        description: 'Seconds for which the previous secret also signs. 0 stops it immediately.',
      }),
    ),
  },
  { title: 'SecretRotation' },
)

export const periods = ['24h', '7d', '30d'] as const
export const StatsQuery = Closed({
  period: Type.Optional(
    Type.Enum([...periods], { type: 'string', default: '24h', description: 'Period of the statistics.' }),
  ),
})
const counts = {
  delivered: Count('Number of successful attempts.'),
  failed: Count('Number of failed attempts.'),
}
export const WebhookStats = Type.Object(
  {
    period: Type.Enum([...periods], { type: 'string', description: 'Period of the statistics.' }),
    ...counts,
    mean_duration_ms: nullable(Count('Mean duration of the attempts in milliseconds. Null without attempts.')),
    waiting: Count('Number of deliveries waiting now, counted up to 10,000.'),
    held: Count('Number of deliveries held now, counted up to 10,000.'),
    exhausted: Count('Number of stored deliveries that ran out of attempts, counted up to 10,000.'),
    buckets: Type.Array(Type.Object({ at: Time, ...counts }), {
      maxItems: 31,
      description: 'Counts per hour for `24h`, per UTC day otherwise. Oldest first, without gaps.',
    }),
  },
  { title: 'WebhookStats' },
)

export const EventTypeInfo = Type.Object(
  {
    type: EventName,
    description: Type.String({
      maxLength: 400,
      description: 'Occasion of the event.',
      examples: ['A post was created.'],
    }),
    aliases: Type.Array(EventName, {
      maxItems: 10,
      description: 'Other names to subscribe with.',
      examples: [['publish.success']],
    }),
    schema: Type.Unsafe<unknown>(
      Type.Object(
        {},
        { additionalProperties: true, description: 'JSON Schema of `data`.', examples: [{ type: 'object' }] },
      ),
    ),
    example: Type.Unsafe<unknown>(
      Type.Object({}, { additionalProperties: true, description: 'Example of a complete payload.' }),
    ),
  },
  { title: 'EventType' },
)
