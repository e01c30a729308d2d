import { Type } from 'typebox'
import { PageQuery } from '../../lib/db/page.ts'
import { Closed, InputTime, idOf, nullable, Time } from '../../lib/http/schema/schema.ts'

const Actor = Type.Object({
  id: idOf('user', 'Id of the user.'),
  name: nullable(Type.String({ maxLength: 80, description: 'Name of the user. Null if the user no longer exists.' })),
  email: nullable(Type.String({ maxLength: 254 })),
})

export const AuditEntry = Type.Object(
  {
    id: idOf('audit-entry'),
    at: Type.Unsafe<Date>({ ...Time, description: 'Time of the action.' }),
    actor: Type.Unsafe<{ id: string; name: string | null; email: string | null } | null>({
      ...Actor,
      type: ['object', 'null'],
      description: 'The user who did it. Null for Meydan itself and for a person who was not signed in.',
    }),
    token_id: nullable(idOf('token', 'Id of the API token that was used. Null for a session.')),
    action: Type.String({
      maxLength: 80,
      description: 'Action, in the form `<subject>.<verb>`.',
      examples: ['token.created'],
    }),
    target_id: nullable(Type.String({ maxLength: 400, description: 'Id of the record that the action changed.' })),
    details: Type.Unsafe<Record<string, unknown>>(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Details of the action, such as the changed fields `before` and `after`. Never contains secrets.',
        },
      ),
    ),
    ip: nullable(Type.String({ maxLength: 60, description: 'IP address of the request.' })),
    user_agent: nullable(Type.String({ maxLength: 500, description: 'User-Agent header of the request.' })),
  },
  { title: 'AuditEntry' },
)

export const AuditQuery = Closed({
  ...PageQuery,
  actor: Type.Optional(idOf('user', 'Returns only actions of the user with this id.')),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+(\\.[a-z_]+)*(\\.\\*)?$',
      maxLength: 80,
      description: 'Returns only this action, such as `token.created`, or all actions of a subject, such as `token.*`.',
    }),
  ),
  since: Type.Optional(
    Type.Unsafe<string>({ ...InputTime, description: 'Returns only entries at or after this time.' }),
  ),
  until: Type.Optional(Type.Unsafe<string>({ ...InputTime, description: 'Returns only entries before this time.' })),
})
