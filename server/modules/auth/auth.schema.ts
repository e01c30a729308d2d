import { Type } from 'typebox'
import { emailPattern } from '../../lib/email.ts'
import { Closed, Id, Line, nullable } from '../../lib/schema.ts'

export const Email = Type.String({
  format: 'email',
  pattern: emailPattern,
  maxLength: 254,
  description: 'E-mail address',
})
export const Password = Type.String({ minLength: 10, maxLength: 200, description: '10 to 200 characters' })
export const PersonName = Line('Name that others see')
export const Locale = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  maxLength: 35,
  description: 'Language tag (BCP 47), such as tr or en-GB',
})
export const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Time zone (IANA), such as Europe/Istanbul',
})

export const Code = Type.String({ pattern: '^[0-9]{6}$', maxLength: 6, description: 'The six digits from the mail' })
/** A password that is checked, not set. */
export const OwnPassword = Type.String({ maxLength: 200, description: 'Your password' })

export const SignUp = Closed({
  email: Email,
  password: Password,
  name: PersonName,
  locale: Type.Optional(Locale),
  invitation: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      maxLength: 43,
      description: 'Token of a mailed invitation to this address, where sign-up is by invitation',
    }),
  ),
})
export const SignIn = Closed({ email: Email, password: Type.String({ maxLength: 200 }) })
export const VerifyTotp = Closed({
  code: Type.String({ pattern: '^[0-9]{6}$', maxLength: 6, description: 'The six digits that the app shows' }),
  trustDevice: Type.Optional(
    Type.Boolean({ description: 'Ask this browser for no second factor in the next 30 days' }),
  ),
})
export const VerifyBackupCode = Closed({
  code: Type.String({
    pattern: '^[A-Za-z0-9]{5}-[A-Za-z0-9]{5}$',
    maxLength: 11,
    description: 'One of the backup codes',
  }),
})
export const SendCode = Closed({ email: Email })
export const VerifyEmail = Closed({
  email: Email,
  otp: Code,
  password: Type.Optional(
    Type.Unsafe<string>({ ...Password, description: 'The password of the sign-up, which then counts in any case' }),
  ),
})
export const RequestReset = Closed({ email: Email })
export const ResetPassword = Closed({
  token: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'From the mailed link',
  }),
  newPassword: Password,
})

export const AuthUser = Type.Object({ id: Id, email: Email, name: PersonName, emailVerified: Type.Boolean() })
export const SignedUp = Type.Object({ user: Type.Object({ email: Email, name: PersonName }) })
export const SignedIn = Type.Object({ user: AuthUser })
export const SignedInOrChallenged = Type.Object({
  user: Type.Optional(AuthUser),
  two_factor_required: Type.Optional(
    Type.Boolean({ description: 'true: there is no session yet; a code of the second factor comes next' }),
  ),
})
export const Done = Type.Object({ status: Type.Boolean() })
export const Success = Type.Object({ success: Type.Boolean() })

export const SetUp = Closed(
  {
    code: Type.String({ maxLength: 100, description: 'From the link that the first start printed' }),
    email: Email,
    password: Password,
    name: PersonName,
    workspace_name: Type.Optional(Line('Name of the first workspace')),
    locale: Type.Optional(Locale),
    timezone: Type.Optional(TimeZone),
  },
  { title: 'SetUp' },
)
export const SetUpDone = Type.Object({ user_id: Id, workspace_id: nullable(Id) }, { title: 'SetUpDone' })
