import { Type } from 'typebox'
import { Closed, idOf, Line, nullable } from '../../lib/http/schema/schema.ts'

export const Email = Type.String({
  format: 'idn-email',
  maxLength: 254,
  description: 'E-mail address.',
  examples: ['ada@example.com'],
})
export const Password = Type.String({
  minLength: 10,
  maxLength: 200,
  description: 'Password, 10 to 200 characters.',
  examples: ['correct horse battery'],
})
export const PersonName = Line('Name that other users see', 'Ada Yılmaz')
export const Locale = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  maxLength: 35,
  description: 'Language tag (BCP 47), such as `tr` or `en-GB`.',
  examples: ['tr'],
})
export const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Time zone (IANA), such as `Europe/Istanbul`.',
  examples: ['Europe/Istanbul'],
})

export const Code = Type.String({
  pattern: '^[0-9]{6}$',
  maxLength: 6,
  description: 'Six-digit code from the e-mail.',
  examples: ['482913'],
})
/** Password to check, not to set. */
export const OwnPassword = Type.String({
  maxLength: 200,
  description: 'Your current password.',
  examples: ['correct horse battery'],
})

export const SignUp = Closed({
  email: Email,
  password: Password,
  name: PersonName,
  locale: Type.Optional(Locale),
  invitation: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      maxLength: 43,
      description: 'Token from an invitation to this address. Required if sign-up is by invitation only.',
    }),
  ),
})
export const SignIn = Closed({
  email: Email,
  password: Type.String({ maxLength: 200, examples: ['correct horse battery'] }),
})
export const VerifyTotp = Closed({
  code: Type.String({
    pattern: '^[0-9]{6}$',
    maxLength: 6,
    description: 'Six-digit code from the authenticator app.',
    examples: ['482913'],
  }),
  trustDevice: Type.Optional(Type.Boolean({ description: 'Skips the second factor in this browser for 30 days.' })),
})
export const VerifyBackupCode = Closed({
  code: Type.String({
    pattern: '^[A-Za-z0-9]{5}-[A-Za-z0-9]{5}$',
    maxLength: 11,
    description: 'One of the backup codes.',
    examples: ['Xk4pT-9qWzR'],
  }),
})
export const SendCode = Closed({ email: Email })
export const VerifyEmail = Closed({
  email: Email,
  otp: Code,
  password: Type.Optional(
    Type.Unsafe<string>({
      ...Password,
      description: 'Password to set for the user. Required if there was more than one sign-up with this address.',
      examples: [],
    }),
  ),
})
export const RequestReset = Closed({ email: Email })
export const ResetPassword = Closed({
  token: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'Token from the link in the e-mail.',
    examples: ['the-token-from-the-link'],
  }),
  newPassword: Password,
})

export const AuthUser = Type.Object({ id: idOf('user'), email: Email, name: PersonName, emailVerified: Type.Boolean() })
export const SignedUp = Type.Object({ user: Type.Object({ email: Email, name: PersonName }) })
export const SignedIn = Type.Object({ user: AuthUser })
export const SignedInOrChallenged = Type.Object({
  user: Type.Optional(AuthUser),
  two_factor_required: Type.Optional(
    Type.Boolean({ description: '`true` when no session was opened and a code of the second factor is required.' }),
  ),
})
export const Done = Type.Object({ status: Type.Boolean() })
export const Success = Type.Object({ success: Type.Boolean() })

export const SetUp = Closed(
  {
    code: Type.String({
      maxLength: 100,
      description: 'Code from the setup link that the first start prints.',
      examples: ['the-code-from-the-link'],
    }),
    email: Email,
    password: Password,
    name: PersonName,
    workspace_name: Type.Optional(Line('Name of the first workspace', 'Bakery')),
    locale: Type.Optional(Locale),
    timezone: Type.Optional(TimeZone),
  },
  { title: 'SetUp' },
)
export const SetUpDone = Type.Object(
  { user_id: idOf('user'), workspace_id: nullable(idOf('workspace')) },
  { title: 'SetUpDone' },
)

/** A user as instance admins see one in a record. */
export const UserWithEmail = (description: string) =>
  nullable(
    Type.Object(
      {
        id: idOf('user'),
        name: Type.String({ maxLength: 80, examples: ['Ada'] }),
        email: Type.String({ maxLength: 254, examples: ['ada@example.com'] }),
      },
      { description: `${description} Null after deletion.` },
    ),
  )
