import { Type } from 'typebox'
import { Closed, Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Email, PersonName } from '../auth.schema.ts'

export const AdminUser = Type.Object(
  {
    id: idOf('user'),
    email: Email,
    name: PersonName,
    email_verified: Type.Boolean(),
    is_instance_admin: Type.Boolean({ examples: [false] }),
    two_factor_enabled: Type.Boolean(),
    banned_at: nullable(Time),
    ban_reason: nullable(Type.String({ maxLength: 500 })),
    created_at: Time,
    workspaces: Count('Number of workspaces that the user belongs to.', 1),
  },
  { title: 'AdminUser' },
)
export const UserSearch = Type.Optional(
  Type.String({ maxLength: 100, description: 'Returns only users whose e-mail address or name contains this.' }),
)
export const Ban = Closed(
  {
    reason: Type.Optional(
      Type.String({ maxLength: 500, description: 'Reason, shown to other instance admins.', examples: ['Spam'] }),
    ),
  },
  { title: 'Ban' },
)
