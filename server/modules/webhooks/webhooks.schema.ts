import { Type } from 'typebox'
import { subscriptions } from '../../events.ts'
import { Closed, Count, Id, InputTime, nullable, Time } from '../../lib/schema.ts'

const Url = Type.String({ minLength: 1, maxLength: 2000, description: 'Where events are posted to' })
const Events = Type.Array(Type.String({ maxLength: 60 }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: `Event types: ${subscriptions.join(', ')}`,
})
const Description = Type.String({ maxLength: 200, description: 'What it is for, in your own words' })
const Headers = Type.Record(
  Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_|~-]{1,60}$" }),
  Type.String({ maxLength: 1000, pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$' }),
  {
    additionalProperties: false,
    maxProperties: 10,
    description:
      'Headers of your own that go with every call, such as Authorization. They are kept encrypted and not shown again; a call that sets them replaces all of them',
  },
)
const EventName = Type.String({ maxLength: 60 })
const Secret = nullable(
  Type.String({
    maxLength: 100,
    description:
      'What signatures are made with. Shown this once; null when the answer is repeated for an Idempotency-Key',
  }),
)

export const circuits = ['closed', 'open', 'half_open'] as const
export const disabledReasons = ['manual', 'failing', 'gone'] as const

export const Webhook = Type.Object(
  {
    id: Id,
    user: nullable(Type.Unsafe<string>({ ...Id, description: 'Who created it' })),
    team_id: Type.Unsafe<string>({ ...Id, description: 'Its workspace' }),
    url: Url,
    events: Events,
    description: nullable(Description),
    header_names: Type.Array(Type.String({ maxLength: 60 }), {
      maxItems: 10,
      description: 'Names of the headers of your own that go with every call',
    }),
    active: Type.Boolean({ description: 'false: nothing is sent, and events are held for 30 days' }),
    disabled_reason: nullable(
      Type.Enum([...disabledReasons], {
        type: 'string',
        description: 'manual: by a member; failing: without a success for too long; gone: the endpoint answered 410',
      }),
    ),
    disabled_at: nullable(Time),
    failure_count: Count('Failed attempts in a row; 0 again after a success'),
    first_failure_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'When these failures began' })),
    last_dispatched_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Last success' })),
    last_failure_at: nullable(Time),
    last_failure: nullable(
      Type.Object(
        {
          delivery_id: Id,
          type: EventName,
          status: nullable(Type.Integer({ minimum: 0, maximum: 999, description: 'HTTP status' })),
          error: nullable(Type.String({ maxLength: 400, description: 'Why there was no good answer' })),
        },
        { description: 'How the attempt of `last_failure_at` ended, while its delivery is kept' },
      ),
    ),
    disable_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'When it is disabled unless an attempt succeeds before' }),
    ),
    circuit: Type.Enum([...circuits], {
      type: 'string',
      description: 'open: the endpoint failed too often in a row and rests; half_open: one delivery may probe it',
    }),
    circuit_until: nullable(Type.Unsafe<Date>({ ...Time, description: 'When the next probe may go' })),
    previous_secret_expires_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'After a rotation: until when the former secret signs as well' }),
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
        description: 'true enables it again and closes its circuit; what was held until then is sent by `recover` only',
      }),
    ),
    description: Type.Optional(nullable(Description)),
    headers: Type.Optional(Headers),
  },
  { title: 'WebhookChanges' },
)
export const SecretRotation = Closed(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        description: 'How long the former secret signs on',
      }),
    ),
  },
  { title: 'SecretRotation' },
)

export const triggers = ['schedule', 'retry', 'recover', 'test'] as const

const attempt = {
  at: Time,
  ok: Type.Boolean({ description: 'Whether the status was 2xx' }),
  status: nullable(Type.Integer({ minimum: 0, maximum: 999, description: 'HTTP status; null: there was no answer' })),
  duration_ms: Count('How long it took, in milliseconds'),
  response: nullable(Type.String({ maxLength: 16_384, description: 'The answer, its first 16 KB' })),
  error: nullable(Type.String({ maxLength: 400, description: 'Why there was no answer' })),
}
/** One try to deliver an event. */
export const Attempt = Type.Object({ delivery_id: Id, event_id: Id, type: EventName, ...attempt }, { title: 'Attempt' })

export const deliveryStates = ['waiting', 'held', 'failed', 'delivered'] as const
const delivery = {
  id: Id,
  event_id: Type.Unsafe<string>({ ...Id, description: 'Which is also its `webhook-id`' }),
  type: EventName,
  state: Type.Enum([...deliveryStates], {
    type: 'string',
    description:
      'waiting: an attempt is to come; held: kept while the webhook is disabled; failed: it ran out of attempts',
  }),
  attempts: Count('How many attempts were made'),
  next_attempt_at: nullable(
    Type.Unsafe<Date>({ ...Time, description: 'When the next attempt is due, of one that is waiting' }),
  ),
  last_attempt_at: nullable(Time),
  last_status: nullable(Type.Integer({ minimum: 0, maximum: 999, description: 'HTTP status of the last attempt' })),
  last_error: nullable(Type.String({ maxLength: 400, description: 'Why the last attempt got no answer' })),
  created_at: Type.Unsafe<Date>({ ...Time, description: 'When the event was written' }),
  subject: nullable(
    Type.Object(
      {
        id: Id,
        text: Type.String({
          maxLength: 80,
          description: 'The beginning of a post, the handle of an account, the address of who was invited',
        }),
      },
      { description: 'What the event is about, to tell rows apart' },
    ),
  ),
}
export const Delivery = Type.Object(delivery, { title: 'Delivery' })
export const DeliveryDetail = Type.Object(
  {
    ...delivery,
    payload: Type.String({ maxLength: 300_000, description: 'The body that is signed and sent, to the byte' }),
    attempt_log: Type.Array(
      Type.Object({
        n: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'First, second …' }),
        trigger: Type.Enum([...triggers], {
          type: 'string',
          description: 'schedule: by itself; retry and recover: a member asked for it; test: a test event',
        }),
        ...attempt,
      }),
      { maxItems: 50, description: 'The latest 50 attempts, newest first' },
    ),
  },
  { title: 'DeliveryDetail' },
)
export const deliveryFilterStates = [...deliveryStates, 'undelivered'] as const
export const deliveryFilters = {
  state: Type.Optional(
    Type.Enum([...deliveryFilterStates], {
      type: 'string',
      description:
        'undelivered: an attempt was made, and it was not delivered: it failed, waits for another, or is held',
    }),
  ),
  attempted: Type.Optional(
    Type.Boolean({ description: 'Whether an attempt was made: with `state=waiting`, those that are tried again' }),
  ),
  type: Type.Optional(EventName),
  event_id: Type.Optional(Id),
  since: Type.Optional(Type.Unsafe<string>({ ...InputTime, description: 'Of events written at or after' })),
  until: Type.Optional(Type.Unsafe<string>({ ...InputTime, description: 'Of events written before' })),
}
export const DeliveryParams = Closed({ id: Id, delivery_id: Id })

export const Recovery = Closed({ since: InputTime }, { title: 'Recovery' })
export const Recovered = Type.Object(
  {
    queued: Count('How many deliveries will be sent again'),
    remaining: Count('How many were left for another call: one sends 100,000 at most, the oldest first'),
  },
  { title: 'Recovered' },
)

export const periods = ['24h', '7d', '30d'] as const
export const StatsQuery = Closed({ period: Type.Optional(Type.Enum([...periods], { type: 'string', default: '24h' })) })
const counts = {
  delivered: Count('Attempts that succeeded'),
  failed: Count('Attempts that failed'),
}
export const WebhookStats = Type.Object(
  {
    period: Type.Enum([...periods], { type: 'string' }),
    ...counts,
    mean_duration_ms: nullable(Count('Mean duration of the attempts, in milliseconds')),
    waiting: Count('Deliveries that wait for an attempt now; counted up to 10,000'),
    held: Count('Deliveries that are held now; counted up to 10,000'),
    exhausted: Count('Deliveries that ran out of attempts and are still kept; counted up to 10,000'),
    buckets: Type.Array(Type.Object({ at: Time, ...counts }), {
      maxItems: 31,
      description: 'By the hour for 24h, by the day of UTC otherwise; oldest first, without gaps',
    }),
  },
  { title: 'WebhookStats' },
)

export const EventTypeInfo = Type.Object(
  {
    type: EventName,
    description: Type.String({ maxLength: 400 }),
    aliases: Type.Array(EventName, { maxItems: 10, description: 'Other names to subscribe under' }),
    schema: Type.Unsafe<unknown>(Type.Object({}, { additionalProperties: true, description: 'JSON Schema of `data`' })),
    example: Type.Unsafe<unknown>(Type.Object({}, { additionalProperties: true, description: 'A whole payload' })),
  },
  { title: 'EventType' },
)

export const Event = Type.Object(
  {
    id: Id,
    type: EventName,
    timestamp: Type.Unsafe<string>({ ...Time }),
    workspace_id: Id,
    data: Type.Unsafe<unknown>(
      Type.Object({}, { additionalProperties: true, description: 'As in GET /webhooks/event-types' }),
    ),
  },
  { title: 'Event' },
)
export const EventQuery = Closed({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'How many to return' })),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: '`next_cursor` of the call before' })),
  since: Type.Optional(Type.Unsafe<string>({ ...InputTime, description: 'Without a cursor: from when on' })),
  type: Type.Optional(EventName),
})
export const EventPage = Type.Object(
  {
    data: Type.Array(Event, { maxItems: 100, description: 'The oldest first' }),
    next_cursor: Type.String({ maxLength: 100, description: 'Where to go on: there is always one' }),
    has_more: Type.Boolean({ description: 'Whether there is more already' }),
  },
  { title: 'EventPage' },
)
