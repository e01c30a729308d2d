import { Type } from 'typebox'
import { Id, nullable, Time } from '../../lib/schema.ts'

export const Mail = Type.Object(
  {
    id: Id,
    to_address: Type.String(),
    to_name: Type.String(),
    key: Type.String({ description: 'Which text it is' }),
    locale: Type.String(),
    subject: Type.String(),
    body_text: Type.String(),
    body_html: Type.String(),
    state: Type.Enum(['kept', 'queued', 'sent', 'failed'], {
      type: 'string',
      description: 'kept: no mail server was set when it was written',
    }),
    error: nullable(Type.String({ description: 'What the mail server said last' })),
    created_at: Time,
    sent_at: nullable(Time),
  },
  { title: 'Mail' },
)
