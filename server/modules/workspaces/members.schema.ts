import { Type } from 'typebox'
import { roles } from '../../lib/access.ts'
import { PageQuery } from '../../lib/page.ts'
import { Closed, Id, nullable, Time } from '../../lib/schema.ts'
import { Email, Locale, PersonName } from '../auth/auth.schema.ts'

export const MemberRole = Type.Enum([...roles], {
  type: 'string',
  description: 'viewer reads; author writes own posts; editor all posts and accounts; admin settings; owner everything',
})

export const WorkspaceMember = Type.Object(
  {
    id: Type.Unsafe<string>({ ...Id, description: "The user's id" }),
    name: PersonName,
    email: Email,
    role: MemberRole,
    two_factor_enabled: Type.Boolean({ description: 'Signs in with a second factor' }),
    created_at: Type.Unsafe<Date>({ ...Time, description: 'Member since' }),
  },
  { title: 'WorkspaceMember' },
)
export const ChangeMember = Closed({ role: MemberRole }, { title: 'ChangeMember' })

export const Invitation = Type.Object(
  {
    id: Id,
    email: Email,
    role: MemberRole,
    state: Type.Enum(['pending', 'accepted', 'revoked', 'expired'], {
      type: 'string',
      description: 'Only a pending one can be accepted',
    }),
    invited_by: nullable(Type.Unsafe<string>({ ...Id, description: 'User; null: no longer here' })),
    expires_at: Time,
    created_at: Time,
  },
  { title: 'Invitation' },
)
export const NewInvitation = Closed(
  {
    email: Email,
    role: MemberRole,
    locale: Type.Optional(
      Type.Unsafe<string>({
        ...Locale,
        description: 'Language of the mail; default: that of the person when known here, else of the workspace',
      }),
    ),
  },
  { title: 'NewInvitation' },
)

export const InvitationQuery = Closed({ ...PageQuery, state: Type.Optional(Invitation.properties.state) })

/** What whoever holds the link sees before signing in. */
export const InvitationPreview = Type.Object(
  {
    workspace_name: Type.String({ maxLength: 80 }),
    inviter_name: nullable(PersonName),
    email: Email,
    role: MemberRole,
    state: Invitation.properties.state,
    expires_at: Time,
  },
  { title: 'InvitationPreview' },
)
export const InvitationParams = Closed({
  token: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', maxLength: 43, description: 'From the mailed link' }),
})
