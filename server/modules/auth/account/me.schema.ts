import { Type } from 'typebox'
import { Closed, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Code, Email, Locale, OwnPassword, Password, PersonName, TimeZone, VerifyTotp } from '../auth.schema.ts'

const MailPostFailures = Type.Boolean({
  description: 'Whether you receive an e-mail when posts of yours fail.',
  examples: [true],
})

export const Me = Type.Object(
  {
    id: idOf('user'),
    email: Email,
    name: PersonName,
    locale: Locale,
    timezone: TimeZone,
    is_instance_admin: Type.Boolean({ description: 'Whether you are an instance admin.', examples: [false] }),
    two_factor_enabled: Type.Boolean({ description: 'Whether two-factor sign-in is on.' }),
    mail_post_failures: MailPostFailures,
    workspace_id: nullable(idOf('workspace')),
    created_at: Time,
  },
  { title: 'Me' },
)
export const ChangeMe = Closed(
  {
    name: Type.Optional(PersonName),
    locale: Type.Optional(Locale),
    timezone: Type.Optional(TimeZone),
    mail_post_failures: Type.Optional(MailPostFailures),
    workspace_id: Type.Optional(idOf('workspace')),
  },
  {
    title: 'ChangeMe',
    minProperties: 1,
    examples: [{ name: 'Ada Yılmaz', locale: 'tr', timezone: 'Europe/Istanbul' }],
  },
)

const NewPassword = Type.Unsafe<string>({ ...Password, examples: ['correct horse battery staple'] })
export const ChangePassword = Closed(
  { current_password: OwnPassword, new_password: NewPassword },
  { title: 'ChangePassword' },
)
export const ConfirmedByPassword = Closed({ password: OwnPassword }, { title: 'ConfirmedByPassword' })

const NewEmail = Type.Unsafe<string>({
  ...Email,
  description: 'New e-mail address.',
  examples: ['ada.yilmaz@example.com'],
})
export const ChangeEmail = Closed({ email: NewEmail, password: OwnPassword }, { title: 'ChangeEmail' })
export const EmailChange = Type.Object(
  { email: NewEmail, expires_at: Time },
  { title: 'EmailChange', description: 'Change of e-mail address that waits for its codes.' },
)
export const EmailAddress = Type.Object({ email: Email, pending: nullable(EmailChange) }, { title: 'EmailAddress' })
export const ConfirmEmail = Closed(
  {
    old_code: Type.Unsafe<string>({ ...Code, description: 'Six-digit code sent to the current address.' }),
    new_code: Type.Unsafe<string>({ ...Code, description: 'Six-digit code sent to the new address.' }),
  },
  { title: 'ConfirmEmail' },
)

const shownOnce = 'Returned only in this response; null when the response is replayed for an `Idempotency-Key`.'
const BackupCodes = nullable(
  Type.Array(Type.String({ maxLength: 40 }), {
    maxItems: 10,
    description: `Backup codes. Each replaces the second factor once. ${shownOnce}`,
    examples: [['Xk4pT-9qWzR', 'b7NcE-mY2hV']],
  }),
)
export const TwoFactorSetup = Type.Object(
  {
    totp_uri: nullable(
      Type.String({
        maxLength: 2000,
        description: `\`otpauth://\` URI with the secret for an authenticator app. ${shownOnce}`,
        examples: ['otpauth://totp/Meydan:ada@example.com?secret=…'],
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
    id: idOf('session'),
    ip_address: nullable(Type.String({ maxLength: 60, description: 'IP address that opened the session.' })),
    user_agent: nullable(Type.String({ maxLength: 500, description: 'User-Agent header of the browser.' })),
    created_at: Time,
    last_used_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time of last use, to the minute.' })),
    expires_at: Time,
    current: Type.Boolean({ description: 'Whether this call uses the session.' }),
  },
  { title: 'Session' },
)

/** Exports are complete, however many rows there are. */
