import { Type } from 'typebox'
import { Count, Id, nullable, Time } from '../../../lib/http/schema.ts'

export const mailStates = ['kept', 'queued', 'sent', 'failed'] as const
const State = Type.Enum([...mailStates], {
  type: 'string',
  description:
    'State of the e-mail: `kept` (no mail server was set when it was written), `queued` (it is being sent), `sent` or `failed` (ran out of attempts).',
})

export const Mail = Type.Object(
  {
    id: Id,
    to_address: Type.String({ maxLength: 254 }),
    to_name: Type.String({ maxLength: 80 }),
    key: Type.String({ maxLength: 60, description: 'Key of the e-mail, as listed by `GET /email-templates/keys`.' }),
    locale: Type.String({ maxLength: 35 }),
    subject: Type.String({ maxLength: 1000 }),
    body_text: Type.String({
      maxLength: 1_000_000,
      description: 'Plain text. Emptied after sending if the e-mail contained a personal code or link.',
    }),
    body_html: Type.String({
      maxLength: 1_000_000,
      description: 'HTML. Emptied after sending if the e-mail contained a personal code or link.',
    }),
    state: State,
    attempts: Count('Number of attempts to send.'),
    error: nullable(Type.String({ maxLength: 500, description: 'Last error of the mail server.' })),
    created_at: Time,
    sent_at: nullable(Time),
  },
  { title: 'Mail' },
)

export const outboxFilters = {
  state: Type.Optional(Type.Enum([...mailStates], { type: 'string' })),
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Returns only e-mails whose address, name, subject or key contains this. Case is ignored.',
    }),
  ),
}
