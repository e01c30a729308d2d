import { Type } from 'typebox'
import { emailPattern } from '../../lib/email.ts'
import { Closed, Count } from '../../lib/schema.ts'

export const TestMailInput = Closed(
  {
    to: Type.Optional(
      Type.String({
        format: 'email',
        pattern: emailPattern,
        maxLength: 254,
        description: 'Your own address when absent',
      }),
    ),
  },
  { title: 'TestMailInput' },
)

export const TestMail = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the mail server took the mail' }),
    detail: Type.String({ maxLength: 400, description: 'What the mail server said, or why it could not be asked' }),
    latency_ms: Count('How long it took, in milliseconds'),
  },
  { title: 'TestMail' },
)
