import { Type } from 'typebox'
import { Closed, Count, InputTime, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { EventName } from '../webhooks.schema.ts'

const triggers = ['schedule', 'retry', 'recover', 'test'] as const

const attempt = {
  at: Type.Unsafe<Date>({ ...Time, description: 'Time of the attempt.' }),
  ok: Type.Boolean({ description: 'Whether the endpoint responded with a 2xx status.' }),
  status: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 999,
      description: 'HTTP status of the response. Null without a response.',
      examples: [204],
    }),
  ),
  duration_ms: Count('Duration in milliseconds.', 86),
  response: nullable(Type.String({ maxLength: 16_384, description: 'Body of the response, at most its first 16 KB.' })),
  error: nullable(
    Type.String({ maxLength: 400, description: 'Reason for the failure. Null if there was a complete response.' }),
  ),
}
export const Attempt = Type.Object(
  { delivery_id: idOf('delivery'), event_id: idOf('event'), type: EventName, ...attempt },
  { title: 'Attempt' },
)

const deliveryStates = ['waiting', 'held', 'failed', 'delivered'] as const
const delivery = {
  id: idOf('delivery'),
  event_id: idOf('event', 'Id of the event, sent as the header `webhook-id`.'),
  type: EventName,
  state: Type.Enum([...deliveryStates], {
    type: 'string',
    description:
      'State of the delivery: `waiting` (for its next attempt), `held` (the webhook is disabled), `failed` (ran out of attempts) or `delivered`.',
  }),
  attempts: Count('Number of attempts made.'),
  next_attempt_at: nullable(
    Type.Unsafe<Date>({ ...Time, description: 'Time of the next attempt. Null if none is scheduled.' }),
  ),
  last_attempt_at: nullable(
    Type.Unsafe<Date>({ ...Time, description: 'Time of the last attempt. Null before the first.' }),
  ),
  last_status: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 999,
      description: 'HTTP status of the last attempt. Null without a response.',
    }),
  ),
  last_error: nullable(
    Type.String({
      maxLength: 400,
      description: 'Reason for the failure of the last attempt. Null if there was a complete response.',
    }),
  ),
  created_at: Type.Unsafe<Date>({ ...Time, description: 'Time at which the event was created.' }),
  subject: nullable(
    Type.Object(
      {
        id: idOf('post'),
        text: Type.String({
          maxLength: 80,
          description: 'Beginning of the text of a post, handle of an account, or e-mail address of an invitation.',
        }),
      },
      { description: 'Record that the event is about, for display in lists.' },
    ),
  ),
}
export const Delivery = Type.Object(delivery, { title: 'Delivery' })
export const DeliveryDetail = Type.Object(
  {
    ...delivery,
    payload: Type.String({
      maxLength: 300_000,
      description: 'Body of the request, exactly as signed and sent.',
      examples: ['{"id":…}'],
    }),
    attempt_log: Type.Array(
      Type.Object({
        n: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Number of the attempt, starting at 1.' }),
        trigger: Type.Enum([...triggers], {
          type: 'string',
          description:
            'Cause of the attempt: `schedule` (the retry schedule), `retry` or `recover` (a member requested it) or `test` (a test event).',
        }),
        ...attempt,
      }),
      { maxItems: 50, description: 'Latest 50 attempts, newest first.' },
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
        'Returns only deliveries in this state. `undelivered` stands for every delivery that was attempted without success and is now waiting, held or failed.',
    }),
  ),
  attempted: Type.Optional(
    Type.Boolean({
      description:
        'Returns only deliveries that were (`true`) or were not (`false`) attempted. With `state=waiting`, `true` returns those that are being retried.',
    }),
  ),
  type: Type.Optional(EventName),
  event_id: Type.Optional(idOf('event')),
  since: Type.Optional(
    Type.Unsafe<string>({
      ...InputTime,
      description: 'Returns only deliveries of events created at or after this time.',
    }),
  ),
  until: Type.Optional(
    Type.Unsafe<string>({ ...InputTime, description: 'Returns only deliveries of events created before this time.' }),
  ),
}
export const DeliveryParams = Closed({ id: idOf('webhook'), delivery_id: idOf('delivery') })

export const Recovery = Closed(
  {
    since: Type.Unsafe<string>({
      ...InputTime,
      description: 'Earliest creation time of the events, at most 30 days ago.',
    }),
  },
  { title: 'Recovery' },
)
export const Recovered = Type.Object(
  {
    queued: Count('Number of deliveries queued.'),
    remaining: Count('Number of deliveries left for another call. One call queues at most 100,000, oldest first.'),
  },
  { title: 'Recovered' },
)
