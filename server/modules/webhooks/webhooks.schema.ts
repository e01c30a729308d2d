import { Type } from 'typebox'
import { subscriptions } from '../../events.ts'
import { Closed, Count, Id, nullable, Time } from '../../lib/schema.ts'

const Url = Type.String({ minLength: 1, maxLength: 2000, description: 'Where events are posted to' })
const Events = Type.Array(Type.String({ maxLength: 60 }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: `Event types: ${subscriptions.join(', ')}`,
})

export const Webhook = Type.Object(
  {
    id: Id,
    user: nullable(Type.Unsafe<string>({ ...Id, description: 'Who created it' })),
    team_id: Type.Unsafe<string>({ ...Id, description: 'Its workspace' }),
    url: Url,
    events: Events,
    active: Type.Boolean({ description: 'false: nothing is sent' }),
    failure_count: Count('Failed attempts in a row; 0 again after a success'),
    last_dispatched_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Last success' })),
    last_failure_at: nullable(Time),
    created_at: Time,
  },
  { title: 'Webhook' },
)
export const CreatedWebhook = Type.Object(
  {
    ...Webhook.properties,
    secret: nullable(
      Type.String({
        maxLength: 100,
        description:
          'What signatures are made with. Shown this once; null when the answer is repeated for an Idempotency-Key',
      }),
    ),
  },
  { title: 'CreatedWebhook' },
)
export const NewWebhook = Closed({ url: Url, events: Events }, { title: 'NewWebhook' })

export const Attempt = Type.Object(
  {
    event_id: Id,
    type: Type.String({ maxLength: 60 }),
    at: Time,
    ok: Type.Boolean({ description: 'Whether the status was 2xx' }),
    status: nullable(Type.Integer({ minimum: 0, maximum: 999, description: 'HTTP status; null: there was no answer' })),
    duration_ms: Count('How long it took, in milliseconds'),
    response: nullable(Type.String({ maxLength: 16_384, description: 'The answer, its first 16 KB' })),
    error: nullable(Type.String({ maxLength: 400, description: 'Why there was no answer' })),
  },
  { title: 'Attempt' },
)

export const EventTypeInfo = Type.Object(
  {
    type: Type.String({ maxLength: 60 }),
    description: Type.String({ maxLength: 400 }),
    aliases: Type.Array(Type.String({ maxLength: 60 }), {
      maxItems: 10,
      description: 'Other names to subscribe under',
    }),
    schema: Type.Unsafe<unknown>(Type.Object({}, { additionalProperties: true, description: 'JSON Schema of `data`' })),
  },
  { title: 'EventType' },
)
