import { Type } from 'typebox'
import { Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'

export const mailStates = ['kept', 'queued', 'sent', 'failed'] as const
const State = Type.Enum([...mailStates], {
  type: 'string',
  description:
    'State of the e-mail: `kept` (no mail server was set when it was written), `queued` (it is being sent), `sent` or `failed` (ran out of attempts).',
  examples: ['sent'],
})

export const Mail = Type.Object(
  {
    id: idOf('mail'),
    to_address: Type.String({ maxLength: 254, examples: ['deniz@example.com'] }),
    to_name: Type.String({ maxLength: 80, examples: ['Deniz Kaya'] }),
    key: Type.String({
      maxLength: 60,
      description: 'Key of the e-mail, as listed by `GET /email-templates/keys`.',
      examples: ['invitation'],
    }),
    locale: Type.String({ maxLength: 35, examples: ['en'] }),
    subject: Type.String({ maxLength: 1000, examples: ['You are invited to Bakery'] }),
    body_text: Type.String({
      maxLength: 1_000_000,
      description: 'Plain text. Emptied after sending if the e-mail contained a personal code or link.',
      examples: [''],
    }),
    body_html: Type.String({
      maxLength: 1_000_000,
      description: 'HTML. Emptied after sending if the e-mail contained a personal code or link.',
      examples: [''],
    }),
    state: State,
    attempts: Count('Number of attempts to send.', 1),
    error: nullable(Type.String({ maxLength: 500, description: 'Last error of the mail server.' })),
    created_at: Time,
    sent_at: nullable(Type.Unsafe<Date>({ ...Time, examples: ['2026-03-02T09:30:02.118Z'] })),
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
