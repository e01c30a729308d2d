import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { emailOTP } from 'better-auth/plugins/email-otp'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { hmac, type Keyring, sha256 } from '../../lib/crypto.ts'
import type { Db, Tx } from '../../lib/database.ts'
import { ambientDatabase, currentTransaction } from './ambient.ts'

const CODE_MINUTES = 10
const RESET_MINUTES = 60
/** How long a session lives that is not used. */
export const SESSION_SECONDS = 7 * 86_400

const RESET_LINK = 'reset-password:'
/**
 * What a link to reset a password is kept under: who has a copy of the database cannot follow it. It begins otherwise
 * than what better-auth looks for, because that is looked for unhashed as well.
 */
export const hashedLink = (token: string) => `reset-link:${sha256(token)}`

export type AuthMail = {
  key: 'signup-otp' | 'password-reset'
  to: { address: string; name: string }
  locale: string
  variables: Record<string, string>
}

type Options = { db: Db; keyring: Keyring; baseUrl: string; sendMail: (tx: Tx, mail: AuthMail) => Promise<void> }

/**
 * The secret that better-auth signs its cookies with, as the text that it expects. Sessions are checked by us
 * (`sessions.ts`) with the same.
 */
export const authSecret = (keyring: Keyring) => keyring.current('auth').key.export().toString('base64url')

/** better-auth knows users, sessions, codes and passwords. Nothing outside of this module talks to it. */
export function createAuth({ db, keyring, baseUrl, sendMail }: Options) {
  const ambient = ambientDatabase(db)
  const recipient = async (address: string) => {
    const user = await ambient
      .selectFrom('user')
      .select(['name', 'locale'])
      .where('email', '=', address)
      .executeTakeFirst()
    return { to: { address, name: user?.name ?? '' }, locale: user?.locale ?? 'en' }
  }
  const names = { createdAt: 'created_at', updatedAt: 'updated_at' }
  const timed = { ...names, expiresAt: 'expires_at' }

  return betterAuth({
    baseURL: baseUrl,
    basePath: '/api/auth',
    secret: authSecret(keyring),
    // Every call is one transaction already, with what we note of it (`bridge.ts`).
    database: { db: ambient, type: 'postgres', transaction: false },
    telemetry: { enabled: false },
    // Ours are shared by all nodes and by all addresses of the API.
    rateLimit: { enabled: false },
    logger: { disabled: true },
    user: {
      modelName: 'user',
      fields: { ...names, emailVerified: 'email_verified' },
      additionalFields: { locale: { type: 'string', required: false } },
    },
    session: {
      modelName: 'session',
      expiresIn: SESSION_SECONDS,
      disableSessionRefresh: true,
      fields: { ...timed, userId: 'user_id', ipAddress: 'ip_address', userAgent: 'user_agent' },
    },
    account: {
      modelName: 'credential',
      fields: {
        ...names,
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
      },
    },
    // What has expired is cleaned away by a sweep of ours, in no transaction of somebody's.
    verification: {
      modelName: 'verification',
      fields: timed,
      disableCleanup: true,
      storeIdentifier: {
        default: 'plain',
        overrides: { [RESET_LINK]: { hash: async (identifier) => hashedLink(identifier.slice(RESET_LINK.length)) } },
      },
    },
    advanced: {
      cookiePrefix: 'meydan',
      useSecureCookies: baseUrl.startsWith('https:'),
      // The client's own address headers never reach better-auth: we set this one from the connection.
      ipAddress: { ipAddressHeaders: ['x-client-ip'] },
      // The tables are made by our migrations; a look at them would ask for a second connection.
      database: { generateId: false, validateSchema: false },
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: 10,
      // It counts UTF-16 units; the schema before it allows 200 characters.
      maxPasswordLength: 400,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: RESET_MINUTES * 60,
      sendResetPassword: async ({ user, token }) =>
        sendMail(currentTransaction(), {
          key: 'password-reset',
          ...(await recipient(user.email)),
          variables: {
            reset_url: `${baseUrl}/reset-password?token=${encodeURIComponent(token)}`,
            expires_minutes: String(RESET_MINUTES),
          },
        }),
    },
    plugins: [
      twoFactor({
        issuer: 'Meydan',
        backupCodeOptions: { storeBackupCodes: 'encrypted' },
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'two_factor',
            fields: {
              userId: 'user_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
      emailOTP({
        otpLength: 6,
        expiresIn: CODE_MINUTES * 60,
        allowedAttempts: 3,
        overrideDefaultEmailVerification: true,
        sendVerificationOnSignUp: true,
        // Six digits behind a plain hash are read back in a second from a copy of the database.
        storeOTP: { hash: async (code) => hmac(keyring.current('auth').key, 'otp|', code).digest('base64url') },
        sendVerificationOTP: async ({ email, otp }) =>
          sendMail(currentTransaction(), {
            key: 'signup-otp',
            ...(await recipient(email)),
            variables: { code: otp, expires_minutes: String(CODE_MINUTES) },
          }),
      }),
    ],
  } satisfies BetterAuthOptions)
}

export type Auth = ReturnType<typeof createAuth>
