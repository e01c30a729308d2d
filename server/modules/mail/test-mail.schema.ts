import { Type } from 'typebox'
import { Closed, Count } from '../../lib/http/schema/schema.ts'

export const TestMailInput = Closed(
  {
    to: Type.Optional(
      Type.String({
        format: 'idn-email',
        maxLength: 254,
        examples: ['ada@example.com'],
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
      examples: ['250 OK'],
    }),
    latency_ms: Count('Duration in milliseconds.', 86),
  },
  { title: 'TestMail' },
)
