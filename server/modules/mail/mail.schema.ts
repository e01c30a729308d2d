import { Type } from 'typebox'
import { Count, Id, nullable, Time } from '../../lib/schema.ts'

export const mailStates = ['kept', 'queued', 'sent', 'failed'] as const
const State = Type.Enum([...mailStates], {
  type: 'string',
  description:
    'kept: no mail server was set when it was written; queued: it is sent as soon as the mail server takes it; failed: it ran out of attempts',
})

export const Mail = Type.Object(
  {
    id: Id,
    to_address: Type.String({ maxLength: 254 }),
    to_name: Type.String({ maxLength: 80 }),
    key: Type.String({ maxLength: 60, description: 'Which text it is' }),
    locale: Type.String({ maxLength: 35 }),
    subject: Type.String({ maxLength: 1000 }),
    body_text: Type.String({
      maxLength: 1_000_000,
      description: 'Empty once a mail that carried a code or a link of its recipient alone was sent',
    }),
    body_html: Type.String({ maxLength: 1_000_000, description: 'The same as HTML' }),
    state: State,
    attempts: Count('How often it was tried to be sent'),
    error: nullable(Type.String({ maxLength: 500, description: 'What the mail server said last' })),
    created_at: Time,
    sent_at: nullable(Time),
  },
  { title: 'Mail' },
)

export const outboxFilters = {
  state: Type.Optional(Type.Enum([...mailStates], { type: 'string' })),
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'Part of address, name, subject or key, in letters of either case' }),
  ),
}
