import { Type } from 'typebox'
import { Closed, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'

export const PushKey = Type.Object(
  {
    public_key: Type.String({
      maxLength: 87,
      description: 'Pass it to `PushManager.subscribe` as `applicationServerKey`. It does not change.',
      examples: ['BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8'],
    }),
  },
  { title: 'PushKey' },
)

export const PushSubscription = Type.Object(
  {
    id: idOf('push_subscription'),
    user_agent: nullable(Type.String({ maxLength: 500, description: 'User-Agent header of the browser.' })),
    created_at: Time,
    last_used_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time of the last notification that its push service accepted.' }),
    ),
    current: Type.Boolean({ description: 'Whether it was made in the session that this call uses.' }),
  },
  { title: 'PushSubscription' },
)

/** Base64url without padding, as browsers write it. */
const key = (length: number, description: string, example: string) =>
  Type.String({ pattern: `^[A-Za-z0-9_-]{${length}}$`, maxLength: length, description, examples: [example] })

export const NewPushSubscription = Closed(
  {
    endpoint: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Address at the push service of the browser. It must begin with https://.',
      examples: ['https://push.example.com/send/6f1c0a'],
    }),
    keys: Closed({
      p256dh: key(
        87,
        'Public key of the browser: an uncompressed point on P-256.',
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      ),
      auth: key(22, 'Secret of the browser: 16 bytes.', 'BTBZMqHH6r4Tts7J_aSIgg'),
    }),
  },
  { title: 'NewPushSubscription' },
)
