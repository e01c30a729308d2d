import { Type } from 'typebox'
import { Closed, nullable } from '../../lib/http/schema/schema.ts'
import { TimeZone } from '../auth/auth.schema.ts'
import { type Kind, kindNames } from './kinds.ts'

export const KindName = Type.Unsafe<Kind>(
  Type.Enum(kindNames, { description: 'Kind of notification.', examples: ['post.failed'] }),
)
const Console = Type.Enum(['now', 'off'], { description: 'Whether it is listed in the console.', examples: ['now'] })
const Mail = Type.Enum(['now', 'digest', 'off'], {
  description: 'When it is e-mailed: at once, with the others of a day in one e-mail, or never.',
  examples: ['digest'],
})
const Push = Type.Enum(['now', 'off'], {
  description: 'Whether it is pushed to your browsers that have a subscription.',
  examples: ['now'],
})
const TimeOfDay = (description: string, example: string) =>
  Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    maxLength: 5,
    description: `${description} On the clocks of your time zone.`,
    examples: [example],
  })
const DigestTime = TimeOfDay('Time of the daily e-mail.', '08:30')
const QuietFrom = nullable(
  TimeOfDay(
    'Beginning of the quiet hours, in which only what is urgent is e-mailed or pushed. Null without quiet hours.',
    '22:00',
  ),
)
const QuietUntil = nullable(TimeOfDay('End of the quiet hours. What waited is sent then.', '07:00'))

export const NotificationPreferences = Type.Object(
  {
    kinds: Type.Array(
      Type.Object({
        kind: KindName,
        console: Console,
        mail: Mail,
        push: Push,
        urgent: Type.Boolean({
          description: 'Whether it is e-mailed and pushed in quiet hours, too.',
          examples: [true],
        }),
        always_mailed: Type.Boolean({ description: 'Whether its e-mails cannot be turned off.', examples: [false] }),
      }),
      { maxItems: 50 },
    ),
    digest_time: DigestTime,
    quiet_from: QuietFrom,
    quiet_until: QuietUntil,
    timezone: TimeZone,
  },
  { title: 'NotificationPreferences' },
)

export const ChangePreferences = Closed(
  {
    kinds: Type.Optional(
      Type.Array(
        Closed({
          kind: KindName,
          console: Type.Optional(Console),
          mail: Type.Optional(Mail),
          push: Type.Optional(Push),
        }),
        { maxItems: 50, description: 'Kinds to change. Others stay as they are.' },
      ),
    ),
    digest_time: Type.Optional(DigestTime),
    quiet_from: Type.Optional(QuietFrom),
    quiet_until: Type.Optional(QuietUntil),
  },
  {
    title: 'ChangeNotificationPreferences',
    minProperties: 1,
    examples: [{ kinds: [{ kind: 'review.requested', mail: 'digest' }], quiet_from: '22:00', quiet_until: '07:00' }],
  },
)
