import { Type } from 'typebox'
import { roles } from '../../../lib/http/roles.ts'
import { Closed, idOf, Time } from '../../../lib/http/schema/schema.ts'
import { Email, PersonName } from '../../auth/auth.schema.ts'

export const MemberRole = Type.Enum([...roles], {
  type: 'string',
  description:
    'Role of the member. `viewer` reads. `author` also writes their own posts. `editor` also manages all posts and accounts. `admin` also manages settings, members and webhooks. `owner` can do everything.',
  examples: ['editor'],
})

export const WorkspaceMember = Type.Object(
  {
    id: idOf('user', 'Id of the user.'),
    name: PersonName,
    email: Email,
    role: MemberRole,
    two_factor_enabled: Type.Boolean({ description: 'Whether the user signs in with a second factor.' }),
    created_at: Type.Unsafe<Date>({ ...Time, description: 'Time at which the user became a member.' }),
  },
  { title: 'WorkspaceMember' },
)
export const ChangeMember = Closed({ role: MemberRole }, { title: 'ChangeMember' })
