import { Type } from 'typebox'
import { PageQuery } from '../../lib/page.ts'
import { Closed, Id, InputTime, nullable, Time } from '../../lib/schema.ts'

const Actor = Type.Object({
  id: Type.Unsafe<string>({ ...Id, description: 'User' }),
  name: nullable(Type.String({ maxLength: 80, description: 'null: this person is no longer here' })),
  email: nullable(Type.String({ maxLength: 254 })),
})

export const AuditEntry = Type.Object(
  {
    id: Id,
    at: Time,
    actor: Type.Unsafe<{ id: string; name: string | null; email: string | null } | null>({
      ...Actor,
      type: ['object', 'null'],
      description: 'Who did it; null: Meydan itself, or somebody who had not signed in',
    }),
    token_id: nullable(Type.Unsafe<string>({ ...Id, description: 'The API token that it was done with' })),
    action: Type.String({ maxLength: 80, description: 'What was done, `<subject>.<act>`' }),
    target_id: nullable(Type.String({ maxLength: 400, description: 'What it was done to' })),
    details: Type.Unsafe<Record<string, unknown>>(
      Type.Object({}, { additionalProperties: true, description: 'What was changed from what to what. No secrets' }),
    ),
    ip: nullable(Type.String({ maxLength: 60, description: 'From where' })),
    user_agent: nullable(Type.String({ maxLength: 500 })),
  },
  { title: 'AuditEntry' },
)

export const AuditQuery = Closed({
  ...PageQuery,
  actor: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'What this user did' })),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+(\\.[a-z_]+)*(\\.\\*)?$',
      maxLength: 80,
      description: 'One action, such as `token.created`, or with `.*` all of a subject, such as `token.*`',
    }),
  ),
  since: Type.Optional(Type.Unsafe<string>({ ...InputTime, description: 'At or after' })),
  until: Type.Optional(Type.Unsafe<string>({ ...InputTime, description: 'Before' })),
})
