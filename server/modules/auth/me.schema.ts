import type { Readable } from 'node:stream'
import { type TSchema, Type } from 'typebox'
import { roles } from '../../lib/access.ts'
import { Closed, Id, nullable, Time } from '../../lib/schema.ts'
import { Code, Email, Locale, OwnPassword, Password, PersonName, TimeZone, VerifyTotp } from './auth.schema.ts'

export const Me = Type.Object(
  {
    id: Id,
    email: Email,
    name: PersonName,
    locale: Locale,
    timezone: TimeZone,
    is_instance_admin: Type.Boolean({ description: 'May administer this installation of Meydan' }),
    two_factor_enabled: Type.Boolean({ description: 'Signs in with a second factor' }),
    workspace_id: nullable(Id),
    created_at: Time,
  },
  { title: 'Me' },
)
export const ChangeMe = Closed(
  {
    name: Type.Optional(PersonName),
    locale: Type.Optional(Locale),
    timezone: Type.Optional(TimeZone),
    workspace_id: Type.Optional(Id),
  },
  { title: 'ChangeMe', minProperties: 1 },
)

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

const shownOnce = 'Shown this once; null when the answer is repeated for an Idempotency-Key'
const BackupCodes = nullable(
  Type.Array(Type.String({ maxLength: 40 }), {
    maxItems: 10,
    description: `Each signs in once in place of the second factor. ${shownOnce}`,
  }),
)
export const TwoFactorSetup = Type.Object(
  {
    totp_uri: nullable(
      Type.String({
        maxLength: 2000,
        description: `otpauth:// address with the secret, for an authenticator app. ${shownOnce}`,
      }),
    ),
    backup_codes: BackupCodes,
  },
  { title: 'TwoFactorSetup' },
)
export const ConfirmTwoFactor = Closed({ code: VerifyTotp.properties.code }, { title: 'ConfirmTwoFactor' })
export const NewBackupCodes = Type.Object({ backup_codes: BackupCodes }, { title: 'NewBackupCodes' })

export const Session = Type.Object(
  {
    id: Id,
    ip_address: nullable(Type.String({ maxLength: 60, description: 'From where it was opened' })),
    user_agent: nullable(Type.String({ maxLength: 500, description: 'What the browser calls itself' })),
    created_at: Time,
    seen_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Last use, to the minute' })),
    expires_at: Time,
    current: Type.Boolean({ description: 'This call was made with it' }),
  },
  { title: 'Session' },
)

/** Nothing is left out of an export, however much there is. */
const every = <T extends TSchema>(item: T) => Type.Array(item, { maxItems: 2_147_483_647 })
const Profile = Type.Object({ ...Me.properties, email_verified: Type.Boolean(), updated_at: Time })
const { current: _, ...sessionFields } = Session.properties

/** Streamed, so this is for the reference: each part is written as its rows are read. */
export const Export = Type.Unsafe<Readable>(
  Type.Object(
    {
      exported_at: Time,
      profile: Profile,
      memberships: every(
        Type.Object({
          workspace_id: Id,
          name: Type.String({ maxLength: 80 }),
          slug: Type.String({ maxLength: 40 }),
          role: Type.Enum([...roles], { type: 'string' }),
          created_at: Time,
        }),
      ),
      email_change: nullable(
        Type.Object(
          { email: EmailChange.properties.email, expires_at: Time, created_at: Time },
          { description: 'A change of address that waits for the codes' },
        ),
      ),
      sessions: every(Type.Object(sessionFields)),
      api_tokens: every(
        Type.Object({
          id: Id,
          team_id: nullable(Id),
          name: Type.String({ maxLength: 80 }),
          prefix: Type.String({ maxLength: 40 }),
          scopes: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 50 }),
          last_used_at: nullable(Time),
          expires_at: nullable(Time),
          revoked_at: nullable(Time),
          created_at: Time,
        }),
      ),
      audit_log: every(
        Type.Object({
          id: Id,
          at: Time,
          workspace_id: nullable(Id),
          token_id: nullable(Id),
          action: Type.String({ maxLength: 80 }),
          target_id: nullable(Type.String({ maxLength: 400 })),
          details: Type.Object({}, { additionalProperties: true }),
          ip: sessionFields.ip_address,
          user_agent: sessionFields.user_agent,
        }),
      ),
      posts: every(
        Type.Object({
          id: Id,
          workspace_id: Id,
          content: Type.String({ maxLength: 65_536 }),
          labels: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 }),
          status: Type.String({ maxLength: 40 }),
          scheduled_at: nullable(Time),
          published_at: nullable(Time),
          created_at: Time,
          updated_at: Time,
        }),
      ),
      webhooks: every(
        Type.Object({
          id: Id,
          team_id: Type.Unsafe<string>({ ...Id, description: 'Its workspace' }),
          url: Type.String({ maxLength: 2000 }),
          events: Type.Array(Type.String({ maxLength: 60 }), { maxItems: 50 }),
          active: Type.Boolean(),
          created_at: Time,
        }),
      ),
      invitations: every(
        Type.Object({
          id: Id,
          workspace_id: Id,
          email: Type.Unsafe<string>({ ...Email, description: 'Whom it was sent to' }),
          role: Type.Enum([...roles], { type: 'string' }),
          locale: Locale,
          state: Type.Enum(['pending', 'accepted', 'revoked'], { type: 'string' }),
          sent: Type.Boolean({ description: 'By you' }),
          accepted: Type.Boolean({ description: 'By you' }),
          expires_at: Time,
          created_at: Time,
        }),
      ),
      mails: every(
        Type.Object({
          id: Id,
          key: Type.String({ maxLength: 60, description: 'Which text it is' }),
          locale: Locale,
          subject: Type.String({ maxLength: 1000, description: 'A code in it is left out' }),
          state: Type.Enum(['kept', 'queued', 'sent', 'failed'], {
            type: 'string',
            description: 'kept: no mail server was set when it was written',
          }),
          created_at: Time,
          sent_at: nullable(Time),
        }),
      ),
    },
    { title: 'PersonalExport', description: 'Everything that Meydan keeps about you, and what you wrote' },
  ),
)
