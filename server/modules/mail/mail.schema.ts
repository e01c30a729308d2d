import { Type } from 'typebox'
import { Id, nullable, Time } from '../../lib/schema.ts'

export const Mail = Type.Object(
  {
    id: Id,
    to_address: Type.String({ maxLength: 254 }),
    to_name: Type.String({ maxLength: 80 }),
    key: Type.String({ maxLength: 60, description: 'Which text it is' }),
    locale: Type.String({ maxLength: 35 }),
    subject: Type.String({ maxLength: 1000 }),
    body_text: Type.String({ maxLength: 100_000 }),
    body_html: Type.String({ maxLength: 200_000 }),
    state: Type.Enum(['kept', 'queued', 'sent', 'failed'], {
      type: 'string',
      description: 'kept: no mail server was set when it was written',
    }),
    error: nullable(Type.String({ maxLength: 500, description: 'What the mail server said last' })),
    created_at: Time,
    sent_at: nullable(Time),
  },
  { title: 'Mail' },
)
