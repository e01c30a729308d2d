import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { emailOTP } from 'better-auth/plugins/email-otp'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { regexes } from 'zod'
import { hmac } from '../../../lib/crypto/crypto.ts'
import { emailPattern } from '../../../lib/email.ts'
import { type AuthOptions, authSecret, hashedLink, SESSION_SECONDS } from './auth-options.ts'
import { currentTransaction, transactionAwareDatabase } from './transaction-context.ts'

// better-auth checks addresses by this pattern, which has no other scripts, and offers no way to choose another.
regexes.email.compile(emailPattern, 'u')

const CODE_MINUTES = 10
const RESET_MINUTES = 60
const RESET_LINK = 'reset-password:'

/** Creates better-auth: users, sessions, codes and passwords. */
export function createBetterAuth({ db, clock, keyring, baseUrl, sendMail }: AuthOptions) {
  const database = transactionAwareDatabase(db)
  const recipient = async (address: string) => {
    const user = await database
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
    // Every call runs in a transaction already, with our own rows (`better-auth-client.ts`).
    database: { db: database, type: 'postgres', transaction: false },
    telemetry: { enabled: false },
    // Our limits apply across all nodes and routes.
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
    databaseHooks: {
      session: {
        create: {
          // Uses the clock of Meydan's checks, and not that of this machine.
          before: async (session) => {
            const createdAt = clock.now()
            return {
              data: { ...session, createdAt, expiresAt: new Date(createdAt.getTime() + SESSION_SECONDS * 1000) },
            }
          },
        },
      },
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
    // Our own sweep deletes expired rows, outside of the users' transactions.
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
      // Address headers of the client never reach better-auth: we set this one from the connection.
      ipAddress: { ipAddressHeaders: ['x-client-ip'] },
      // Our migrations make the tables. Validating them would take a second connection.
      database: { generateId: false, validateSchema: false },
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: 10,
      // Counted in UTF-16 units. Our schema, checked before, allows 200 characters.
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
        // With a plain hash, six digits can be recovered from a database copy in a second.
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
