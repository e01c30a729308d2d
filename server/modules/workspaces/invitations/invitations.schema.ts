import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Email, Locale, PersonName } from '../../auth/auth.schema.ts'
import { MemberRole } from '../members/members.schema.ts'

export const Invitation = Type.Object(
  {
    id: idOf('invitation'),
    email: Email,
    role: MemberRole,
    state: Type.Enum(['pending', 'accepted', 'revoked', 'expired'], {
      type: 'string',
      description: 'State of the invitation. Only a pending invitation can be accepted.',
    }),
    invited_by: nullable(idOf('user', 'Id of the user who sent the invitation. Null if that user no longer exists.')),
    expires_at: Time,
    created_at: Time,
  },
  { title: 'Invitation' },
)
export const SentInvitation = Type.Object(
  {
    ...Invitation.properties,
    url: nullable(
      Type.String({
        maxLength: 2100,
        description:
          'Link to accept the invitation, as in the e-mail. Returned only in this response; null when the response is replayed for an `Idempotency-Key`.',
        examples: ['https://meydan.example.com/invitation?token=…'],
      }),
    ),
  },
  { title: 'SentInvitation' },
)
export const NewInvitation = Closed(
  {
    email: Email,
    role: MemberRole,
    locale: Type.Optional(
      Type.Unsafe<string>({
        ...Locale,
        description:
          'Language of the e-mail, as a language tag (BCP 47). Defaults to the language of the invited user, or to that of the workspace for a new user.',
      }),
    ),
  },
  { title: 'NewInvitation' },
)

export const InvitationQuery = Closed({ ...PageQuery, state: Type.Optional(Invitation.properties.state) })

/** Preview of an invitation for the holder of the link, before sign-in. */
export const InvitationPreview = Type.Object(
  {
    workspace_name: Type.String({ maxLength: 80, examples: ['Bakery'] }),
    inviter_name: nullable(PersonName),
    email: Email,
    role: MemberRole,
    state: Invitation.properties.state,
    expires_at: Time,
  },
  { title: 'InvitationPreview' },
)
export const InvitationParams = Closed({
  token: Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    maxLength: 43,
    description: 'Token from the link in the e-mail.',
    examples: ['0123456789-the-token-from-the-link-in-the-m'],
  }),
})
