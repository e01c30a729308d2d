import { Type } from 'typebox'
import { emailPattern } from '../../lib/email.ts'
import { Closed, Count } from '../../lib/http/schema.ts'

export const TestMailInput = Closed(
  {
    to: Type.Optional(
      Type.String({
        format: 'email',
        pattern: emailPattern,
        maxLength: 254,
        description: 'Recipient. Defaults to your own address.',
      }),
    ),
  },
  { title: 'TestMailInput' },
)

export const TestMail = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the mail server accepted the e-mail.' }),
    detail: Type.String({
      maxLength: 400,
      description: 'Response of the mail server, or the reason why it could not be reached.',
    }),
    latency_ms: Count('Duration in milliseconds.'),
  },
  { title: 'TestMail' },
)
