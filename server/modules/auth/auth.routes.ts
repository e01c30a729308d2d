import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { problem } from '../../errors.ts'
import { anyone } from '../../lib/access.ts'
import { originOf } from '../../lib/authorize.ts'
import { ANONYMOUS_BODY_LIMIT, refuseBody } from '../../lib/body.ts'
import * as schema from './auth.schema.ts'
import { authSecret } from './better-auth.ts'
import { type Answer, type AuthCall, cookieName } from './bridge.ts'
import { requestPasswordReset, resetPassword, sendCode, signIn, signOut, signUp, verifyEmail } from './doors.ts'
import { type Attempt, limitAttempts } from './limit.ts'
import { signedCookie } from './sessions.ts'
import { challengedUser, verifySecondFactor } from './two-factor.ts'

/** A call with a token is that of a program: cookies that come along are not looked at. */
const cookiesOf = ({ headers }: FastifyRequest) =>
  /^bearer\b/i.test(headers.authorization ?? '') ? undefined : headers.cookie

type Door<B extends TSchema, R extends TSchema> = {
  operationId: string
  summary: string
  description?: string
  body?: B
  response: R
  /** For whom an attempt counts besides the IP. undefined: this door is not limited. */
  about?: (body: Static<B>, request: FastifyRequest) => Promise<Partial<Attempt>> | Partial<Attempt>
  call: (call: AuthCall<Static<B>>, request: FastifyRequest) => Promise<Answer>
  answer: (said: unknown, body: Static<B>) => Static<R>
}

/** better-auth speaks for itself under /api/auth, but only through these doors, each with its own validation. */
export function authRoutes(app: FastifyInstance, deps: Deps) {
  const secret = authSecret(deps.keyring)
  const cookieOf = (request: FastifyRequest, name: string) => {
    const value = signedCookie(cookiesOf(request), cookieName(deps.baseUrl, name), secret)
    return value?.includes('\0') ? undefined : value
  }

  const door = <B extends TSchema, R extends TSchema>(path: string, door: Door<B, R>) => {
    const { operationId, summary, description, body, response, about, call, answer } = door
    const options: RouteOptions = {
      method: 'POST',
      url: `/api/auth${path}`,
      config: { access: anyone() },
      bodyLimit: ANONYMOUS_BODY_LIMIT,
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
        // The validator made it so.
        const input = (body ? request.body : undefined) as Static<B>
        const origin = originOf(request)
        if (about) await limitAttempts(deps, reply, { ip: origin.ip, ...(await about(input, request)) })
        const said = await call({ body: input, cookie: cookiesOf(request), origin }, request)
        for (const header of said.cookies) reply.header('set-cookie', header)
        reply.header('cache-control', 'no-store')
        return answer(said.body, input)
      },
    }
    app.route(options)
  }
  const byEmail = ({ email }: { email: string }) => ({ email })
  const byChallenge = async (_: unknown, request: FastifyRequest) => {
    const user_id = await challengedUser(deps.db, cookieOf(request, 'two_factor'))
    return user_id === undefined ? {} : { user_id }
  }
  const secondFactor =
    (method: 'totp' | 'backup_code') =>
    async (call: AuthCall<{ code: string; trustDevice?: boolean }>, request: FastifyRequest) =>
      verifySecondFactor(deps, { method, ...call }, await challengedUser(deps.db, cookieOf(request, 'two_factor')))

  door('/sign-up/email', {
    operationId: 'signUp',
    summary: 'Sign up; a code is mailed',
    body: schema.SignUp,
    response: schema.SignedUp,
    about: byEmail,
    call: (call) => signUp(deps, call),
    // The same for an address that has an account: nobody learns here who has one.
    answer: (_, { email, name }) => ({ user: { email: email.toLowerCase(), name } }),
  })
  door('/email-otp/send-verification-otp', {
    operationId: 'sendCode',
    summary: 'Mail a new code',
    body: Type.Object(
      { ...schema.SendCode.properties, type: Type.Literal('email-verification') },
      { additionalProperties: false },
    ),
    response: schema.Success,
    about: byEmail,
    call: (call) => sendCode(deps, call),
    answer: () => ({ success: true }),
  })
  door('/email-otp/verify-email', {
    operationId: 'verifyEmail',
    summary: 'Verify the address with the mailed code',
    body: schema.VerifyEmail,
    response: schema.Done,
    about: byEmail,
    call: (call) => verifyEmail(deps, call),
    answer: () => ({ status: true }),
  })
  door('/sign-in/email', {
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'Who has a second factor is asked for it next: the answer says so, and its cookie holds the challenge.',
    body: schema.SignIn,
    response: schema.SignedInOrChallenged,
    about: byEmail,
    call: (call) => signIn(deps, call),
    // The session token that better-auth adds stays out: it is in the HttpOnly cookie and nowhere else.
    answer: (said) =>
      typeof said === 'object' && said !== null && 'twoFactorRedirect' in said
        ? { two_factor_required: true }
        : (said as Static<typeof schema.SignedIn>),
  })
  door('/two-factor/verify-totp', {
    operationId: 'verifyTotp',
    summary: 'Sign in: the code of the authenticator app',
    description: 'Five attempts for a sign-in. `state: ended` in a refusal means to begin again with the password.',
    body: schema.VerifyTotp,
    response: schema.SignedIn,
    about: byChallenge,
    call: secondFactor('totp'),
    answer: (said) => said as Static<typeof schema.SignedIn>,
  })
  door('/two-factor/verify-backup-code', {
    operationId: 'verifyBackupCode',
    summary: 'Sign in: a backup code in place of the app',
    description: 'Each is good once. Five attempts for a sign-in.',
    body: schema.VerifyBackupCode,
    response: schema.SignedIn,
    about: byChallenge,
    call: secondFactor('backup_code'),
    answer: (said) => said as Static<typeof schema.SignedIn>,
  })
  door('/sign-out', {
    operationId: 'signOut',
    summary: 'Sign out',
    response: schema.Success,
    call: (call, request) => signOut(deps, { ...call, body: undefined }, cookieOf(request, 'session_token')),
    answer: () => ({ success: true }),
  })
  door('/request-password-reset', {
    operationId: 'requestPasswordReset',
    summary: 'Mail a link to choose a new password',
    body: schema.RequestReset,
    response: schema.Done,
    about: byEmail,
    call: (call) => requestPasswordReset(deps, call),
    answer: () => ({ status: true }),
  })
  door('/reset-password', {
    operationId: 'resetPassword',
    summary: 'Choose a new password; ends all sessions',
    body: schema.ResetPassword,
    response: schema.Done,
    about: () => ({}),
    call: (call) => resetPassword(deps, call),
    answer: () => ({ status: true }),
  })
}
