import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { problem } from '../../errors.ts'
import { anyone, user } from '../../lib/access.ts'
import { refuseBody } from '../../lib/body.ts'
import { routes } from '../../lib/route.ts'
import * as schema from './auth.schema.ts'
import { changeMe, confirmPassword, readMe } from './auth.ts'
import { type AuthCall, callBetterAuth, signUp } from './bridge.ts'
import { countAttempt } from './limit.ts'

const attemptOf = ({ body, ip }: FastifyRequest) =>
  typeof body === 'object' && body !== null && 'email' in body ? { email: String(body.email), ip } : { ip }

/** better-auth speaks for itself under /api/auth, but only through these doors, each with its own validation. */
export function authRoutes(app: FastifyInstance, deps: Deps) {
  const door = <B extends TSchema, R extends TSchema>(
    path: string,
    {
      operationId,
      summary,
      body,
      response,
      call = callBetterAuth,
      answer,
    }: {
      operationId: string
      summary: string
      body?: B
      response: R
      /** How better-auth is asked, where that takes more than a call. */
      call?: (deps: Deps, call: AuthCall<Static<B>>) => ReturnType<typeof callBetterAuth>
      answer: (said: unknown, body: Static<B>) => Static<R> | Promise<Static<R>>
    },
  ) => {
    const options: RouteOptions = {
      method: 'POST',
      url: `/api/auth${path}`,
      config: { access: anyone() },
      schema: {
        operationId,
        summary,
        tags: ['Sign-in'],
        ...(body && { body }),
        response: { 200: response },
      },
      onRequest: async (request) => {
        if (!deps.authenticator.isSameOrigin(request)) throw problem('cross_origin')
      },
      handler: async (request, reply) => {
        if (!body) refuseBody(request.body)
        else await countAttempt(deps.db, deps.config.RATE_LIMIT_AUTH, attemptOf(request), deps.clock.now())
        const { cookie, 'user-agent': userAgent } = request.headers
        const said = await call(deps, {
          path,
          body: (request.body ?? undefined) as Static<B>,
          ip: request.ip,
          cookie,
          userAgent,
        })
        for (const header of said.cookies) reply.header('set-cookie', header)
        reply.header('cache-control', 'no-store')
        return answer(said.body, request.body as Static<B>)
      },
    }
    app.route(options)
  }

  door('/sign-up/email', {
    operationId: 'signUp',
    summary: 'Sign up; a code is mailed',
    body: schema.SignUp,
    response: schema.SignedUp,
    call: signUp,
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
    answer: () => ({ success: true }),
  })
  door('/email-otp/verify-email', {
    operationId: 'verifyEmail',
    summary: 'Verify the address with the mailed code',
    body: schema.VerifyEmail,
    response: schema.Done,
    answer: async (_, { email, password }) => {
      if (password !== undefined) await confirmPassword(deps, email, password)
      return { status: true }
    },
  })
  door('/sign-in/email', {
    operationId: 'signIn',
    summary: 'Sign in',
    body: schema.SignIn,
    response: schema.SignedIn,
    // The session token that better-auth adds stays out: it is in the HttpOnly cookie and nowhere else.
    answer: (said) => said as Static<typeof schema.SignedIn>,
  })
  door('/sign-out', {
    operationId: 'signOut',
    summary: 'Sign out',
    response: schema.Success,
    answer: () => ({ success: true }),
  })
  door('/request-password-reset', {
    operationId: 'requestPasswordReset',
    summary: 'Mail a link to choose a new password',
    body: schema.RequestReset,
    response: schema.Done,
    answer: () => ({ status: true }),
  })
  door('/reset-password', {
    operationId: 'resetPassword',
    summary: 'Choose a new password; ends all sessions',
    body: schema.ResetPassword,
    response: schema.Done,
    answer: () => ({ status: true }),
  })

  const route = routes(app, deps, 'Me')
  route.get('/me', {
    operationId: 'readMe',
    summary: 'Who am I',
    access: user(),
    response: { 200: schema.Me },
    handler: ({ db, caller }) => readMe(db, caller),
  })
  route.patch('/me', {
    operationId: 'changeMe',
    summary: 'Change my name, locale, time zone or current workspace',
    access: user({ token: false }),
    body: schema.ChangeMe,
    response: { 200: schema.Me },
    handler: ({ db, caller, body }) => changeMe(db, caller, body),
  })
}
