import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import { problem } from '../../errors.ts'
import type { Deps } from '../../lib/deps.ts'
import { mailboxOf, storedEmail } from '../../lib/email.ts'
import { anyone } from '../../lib/http/access.ts'
import { originOf } from '../../lib/http/authorize.ts'
import { refuseBody } from '../../lib/http/body.ts'
import { SMALL_BODY_LIMIT } from '../../lib/http/limits/body-limit.ts'
import * as schema from './auth.schema.ts'
import { authSecret } from './better-auth/auth-options.ts'
import { type AuthCall, type AuthResponse, cookieName } from './better-auth/better-auth-client.ts'
import { signedCookie } from './sessions/sessions.ts'
import { type Attempt, limitAttempts } from './sign-in/attempt-limit.ts'
import { findKnownBrowser, KNOWN_BROWSER } from './sign-in/known-browsers.ts'
import { requestCode, requestPasswordReset } from './sign-in/mail-requests.ts'
import { resetPassword, signIn, signOut, signUp, verifyEmail } from './sign-in/sign-in.ts'
import { challengedUser, verifySecondFactor } from './sign-in/two-factor.ts'

/** Cookies of a request. Ignored when it has a token, because then the client is a program. */
const cookiesOf = ({ headers }: FastifyRequest) =>
  /^bearer\b/i.test(headers.authorization ?? '') ? undefined : headers.cookie

type AuthRoute<B extends TSchema, R extends TSchema> = {
  operationId: string
  summary: string
  description?: string
  body?: B
  response: R
  /** Returns what an attempt counts for besides the IP. undefined: no limit. */
  limit?: (body: Static<B>, request: FastifyRequest) => Promise<Omit<Attempt, 'ip'>> | Omit<Attempt, 'ip'>
  call: (call: AuthCall<Static<B>>, request: FastifyRequest) => Promise<AuthResponse>
  toResponse: (said: unknown, body: Static<B>) => Static<R>
}

/** better-auth compares addresses as they are sent, but for capitals. */
const withStoredEmail = <Body>(body: Body): Body =>
  typeof body === 'object' && body !== null && 'email' in body && typeof body.email === 'string'
    ? { ...body, email: storedEmail(body.email) }
    : body

/** Registers the routes of better-auth under /api/auth. It is reachable only through them, each with validation. */
export function authRoutes(app: FastifyInstance, deps: Deps) {
  const secret = authSecret(deps.keyring)
  const cookieOf = (request: FastifyRequest, name: string) => {
    const value = signedCookie(cookiesOf(request), cookieName(deps.baseUrl, name), secret)
    return value?.includes('\0') ? undefined : value
  }

  const authRoute = <B extends TSchema, R extends TSchema>(path: string, authRoute: AuthRoute<B, R>) => {
    const { operationId, summary, description, body, response, limit, call, toResponse } = authRoute
    const options: RouteOptions = {
      method: 'POST',
      url: `/api/auth${path}`,
      config: { access: anyone() },
      bodyLimit: SMALL_BODY_LIMIT,
      schema: {
        operationId,
        summary,
        ...(description && { description }),
        tags: ['Sign-in'],
        ...(body && { body }),
        response: { 200: response },
      },
      onRequest: async (request) => {
        if (!deps.authenticator.isSameOrigin(request)) throw problem('cross_origin')
      },
      handler: async (request, reply) => {
        if (!body) refuseBody(request.body)
        // The validator ensures this type.
        const input = withStoredEmail((body ? request.body : undefined) as Static<B>)
        const origin = originOf(request)
        const run = () => call({ body: input, cookie: cookiesOf(request), origin }, request)
        const attempt = limit && { ip: origin.ip, ...(await limit(input, request)) }
        const said = await (attempt ? limitAttempts(deps, reply, attempt, run) : run())
        for (const header of said.cookies) reply.header('set-cookie', header)
        reply.header('cache-control', 'no-store')
        return toResponse(said.body, input)
      },
    }
    app.route(options)
  }
  const fromBrowser = async (request: FastifyRequest, email: string) => {
    const knownBrowser = await findKnownBrowser(deps.db, cookieOf(request, KNOWN_BROWSER), email)
    return knownBrowser === undefined ? {} : { knownBrowser }
  }
  const codeMail = ({ email }: { email: string }) => ({ purpose: 'codeMail' as const, subject: mailboxOf(email) })
  const byChallenge = async (_: unknown, request: FastifyRequest) => {
    const subject = await challengedUser(deps.db, cookieOf(request, 'two_factor'))
    return { purpose: 'secondFactor' as const, ...(subject !== undefined && { subject }) }
  }
  const secondFactor =
    (method: 'totp' | 'backup_code') =>
    async (call: AuthCall<{ code: string; trustDevice?: boolean }>, request: FastifyRequest) =>
      verifySecondFactor(
        deps,
        { method, ...call },
        await challengedUser(deps.db, cookieOf(request, 'two_factor')),
        cookieOf(request, KNOWN_BROWSER),
      )

  authRoute('/sign-up/email', {
    operationId: 'signUp',
    summary: 'Sign up',
    description:
      'Creates a user and sends a six-digit code to the e-mail address, valid for 10 minutes. The response is the same for an address that already has a user.',
    body: schema.SignUp,
    response: schema.SignedUp,
    limit: codeMail,
    call: (call) => signUp(deps, call),
    // The same for an address with an account, so as not to reveal who has one.
    toResponse: (_, { email, name }) => ({ user: { email, name } }),
  })
  authRoute('/email-otp/send-verification-otp', {
    operationId: 'sendCode',
    summary: 'Send a new verification code',
    description:
      'Sends a new six-digit code, valid for 10 minutes, to an unverified address. The response is the same for every address.',
    body: Type.Object(
      { ...schema.SendCode.properties, type: Type.Literal('email-verification') },
      { additionalProperties: false },
    ),
    response: schema.Success,
    limit: codeMail,
    call: (call) => requestCode(deps, call),
    toResponse: () => ({ success: true }),
  })
  authRoute('/email-otp/verify-email', {
    operationId: 'verifyEmail',
    summary: 'Verify an e-mail address',
    description: 'Verifies the address with the code sent by e-mail.',
    body: schema.VerifyEmail,
    response: schema.Done,
    limit: ({ email }) => ({ purpose: 'code', subject: email }),
    call: (call) => verifyEmail(deps, call),
    toResponse: () => ({ status: true }),
  })
  authRoute('/sign-in/email', {
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'Opens a session and sets its cookie. For a user with two-factor sign-in, the response has `two_factor_required` instead, and the cookie holds the challenge for the second step.',
    body: schema.SignIn,
    response: schema.SignedInOrChallenged,
    limit: async ({ email }, request) => ({
      purpose: 'signIn',
      subject: email,
      ...(await fromBrowser(request, email)),
    }),
    call: (call, request) => signIn(deps, call, cookieOf(request, KNOWN_BROWSER)),
    // Leaves out the session token that better-auth returns: it is only in the HttpOnly cookie.
    toResponse: (said) =>
      typeof said === 'object' && said !== null && 'twoFactorRedirect' in said
        ? { two_factor_required: true }
        : (said as Static<typeof schema.SignedIn>),
  })
  authRoute('/two-factor/verify-totp', {
    operationId: 'verifyTotp',
    summary: 'Complete sign-in with an authenticator code',
    description: 'Each sign-in allows five attempts. If the problem has `state: ended`, start again with the password.',
    body: schema.VerifyTotp,
    response: schema.SignedIn,
    limit: byChallenge,
    call: secondFactor('totp'),
    toResponse: (said) => said as Static<typeof schema.SignedIn>,
  })
  authRoute('/two-factor/verify-backup-code', {
    operationId: 'verifyBackupCode',
    summary: 'Complete sign-in with a backup code',
    description: 'Each backup code works once. Each sign-in allows five attempts.',
    body: schema.VerifyBackupCode,
    response: schema.SignedIn,
    limit: byChallenge,
    call: secondFactor('backup_code'),
    toResponse: (said) => said as Static<typeof schema.SignedIn>,
  })
  authRoute('/sign-out', {
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session and clears its cookie.',
    response: schema.Success,
    call: (call, request) => signOut(deps, { ...call, body: undefined }, cookieOf(request, 'session_token')),
    toResponse: () => ({ success: true }),
  })
  authRoute('/request-password-reset', {
    operationId: 'requestPasswordReset',
    summary: 'Request a password reset',
    description:
      'Sends a link, valid for 60 minutes, to choose a new password. The response is the same for an address without a user.',
    body: schema.RequestReset,
    response: schema.Done,
    limit: async ({ email }, request) => ({
      purpose: 'resetMail',
      subject: mailboxOf(email),
      ...(await fromBrowser(request, email)),
    }),
    call: (call) => requestPasswordReset(deps, call),
    toResponse: () => ({ status: true }),
  })
  authRoute('/reset-password', {
    operationId: 'resetPassword',
    summary: 'Reset a password',
    description: 'Sets a new password with the token from the link. Ends all sessions of the user.',
    body: schema.ResetPassword,
    response: schema.Done,
    limit: () => ({ purpose: 'reset' }),
    call: (call) => resetPassword(deps, call),
    toResponse: () => ({ status: true }),
  })
}
