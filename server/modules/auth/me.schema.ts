import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { roles } from '../../lib/access.ts'
import { Closed, Id, nullable, Time } from '../../lib/schema.ts'
import { Code, Email, Me, OwnPassword, Password, VerifyTotp } from './auth.schema.ts'

export const ChangePassword = Closed(
  { current_password: OwnPassword, new_password: Password },
  { title: 'ChangePassword' },
)
export const ConfirmedByPassword = Closed({ password: OwnPassword }, { title: 'ConfirmedByPassword' })

export const ChangeEmail = Closed({ email: Email, password: OwnPassword }, { title: 'ChangeEmail' })
export const EmailChange = Type.Object(
  { email: Type.Unsafe<string>({ ...Email, description: 'The new address' }), expires_at: Time },
  { title: 'EmailChange', description: 'A change of address that waits for the codes' },
)
export const ConfirmEmail = Closed(
  {
    old_code: Type.Unsafe<string>({ ...Code, description: 'The six digits mailed to the present address' }),
    new_code: Type.Unsafe<string>({ ...Code, description: 'The six digits mailed to the new address' }),
  },
  { title: 'ConfirmEmail' },
)

const BackupCodes = Type.Array(Type.String(), {
  maxItems: 10,
  description: 'Each signs in once in place of the second factor. Shown this once, and never again',
})
export const TwoFactorSetup = Type.Object(
  {
    totp_uri: Type.String({
      description: 'otpauth:// address with the secret, for an authenticator app. Shown this once',
    }),
    backup_codes: BackupCodes,
  },
  { title: 'TwoFactorSetup' },
)
export const ConfirmTwoFactor = Closed({ code: VerifyTotp.properties.code }, { title: 'ConfirmTwoFactor' })
export const NewBackupCodes = Type.Object({ backup_codes: BackupCodes }, { title: 'NewBackupCodes' })

export const Session = Type.Object(
  {
    id: Id,
    ip_address: nullable(Type.String({ description: 'From where it was opened' })),
    user_agent: nullable(Type.String({ description: 'What the browser calls itself' })),
    created_at: Time,
    seen_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Last use, to the minute' })),
    expires_at: Time,
    current: Type.Boolean({ description: 'This call was made with it' }),
  },
  { title: 'Session' },
)

const text = nullable(Type.String())
const Profile = Type.Object({ ...Me.properties, email_verified: Type.Boolean(), updated_at: Time })
const { current: _, ...sessionFields } = Session.properties

/** Streamed, so this is for the reference: each part is written as its rows are read. */
export const Export = Type.Unsafe<Readable>(
  Type.Object(
    {
      exported_at: Time,
      profile: Profile,
      memberships: Type.Array(
        Type.Object({
          workspace_id: Id,
          name: Type.String(),
          slug: Type.String(),
          role: Type.Enum([...roles], { type: 'string' }),
          created_at: Time,
        }),
      ),
      sessions: Type.Array(Type.Object(sessionFields)),
      api_tokens: Type.Array(
        Type.Object({
          id: Id,
          team_id: nullable(Id),
          name: Type.String(),
          prefix: Type.String(),
          scopes: Type.Array(Type.String()),
          last_used_at: nullable(Time),
          expires_at: nullable(Time),
          revoked_at: nullable(Time),
          created_at: Time,
        }),
      ),
      audit_log: Type.Array(
        Type.Object({
          id: Id,
          at: Time,
          workspace_id: nullable(Id),
          token_id: nullable(Id),
          action: Type.String(),
          target_id: text,
          details: Type.Object({}, { additionalProperties: true }),
          ip: text,
          user_agent: text,
        }),
      ),
      posts: Type.Array(
        Type.Object({
          id: Id,
          workspace_id: Id,
          content: Type.String(),
          labels: Type.Array(Type.String()),
          status: Type.String(),
          scheduled_at: nullable(Time),
          published_at: nullable(Time),
          created_at: Time,
          updated_at: Time,
        }),
      ),
    },
    { title: 'PersonalExport', description: 'Everything that Meydan keeps about you, and what you wrote' },
  ),
)
