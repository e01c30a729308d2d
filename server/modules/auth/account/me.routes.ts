import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Page, PageQuery, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { mailboxOf } from '../../../lib/email.ts'
import { type User, user } from '../../../lib/http/access.ts'
import { type Complete, nothingToKeep } from '../../../lib/http/idempotency.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { endOtherSessions, endSession, listSessions } from '../sessions/own-sessions.ts'
import { renewSession } from '../sessions/session-renewal.ts'
import { limitAttempts } from '../sign-in/attempt-limit.ts'
import { changePassword } from '../sign-in/passwords.ts'
import { deleteMe } from './deletion.ts'
import { cancelEmailChange, confirmEmailChange, readEmail, requestEmailChange } from './email-change.ts'
import { Export } from './export.schema.ts'
import { exportMe } from './export.ts'
import * as schema from './me.schema.ts'
import { changeMe, readMe } from './me.ts'
import { confirmTwoFactor, renewBackupCodes, setUpTwoFactor, turnOffTwoFactor } from './two-factor.ts'

/** Passes the cookies of better-auth both ways: changes of the second factor open a new session. */
const own = (request: FastifyRequest, reply: FastifyReply, complete: Complete = nothingToKeep) => ({
  complete,
  cookie: request.headers.cookie,
  setCookies: (cookies: string[]) => {
    for (const cookie of cookies) reply.header('set-cookie', cookie)
  },
})

/** Runs what asks for the password or a code: a person with a stolen session must not guess them. */
const limited = <T>(
  { deps, caller, reply }: { deps: Deps; caller: User; reply: FastifyReply },
  work: () => Promise<T>,
  purpose: 'ownPassword' | 'emailChange' = 'ownPassword',
) => limitAttempts(deps, reply, { purpose, ip: caller.ip, subject: caller.user_id }, work)

// `ownTransactions`: attempts must stay counted when a call is refused, so no outer transaction may roll them back.
export function meRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Me')
  const access = user({ token: false })

  route.get('/me', {
    operationId: 'readMe',
    summary: 'Retrieve your profile',
    access: user(),
    response: { 200: schema.Me },
    handler: async ({ deps, db, caller, request, reply }) => {
      const cookie = await renewSession(deps, caller, request.headers.cookie)
      if (cookie) reply.header('set-cookie', cookie)
      return readMe(db, caller)
    },
  })
  route.patch('/me', {
    operationId: 'changeMe',
    summary: 'Update your profile',
    description: 'Updates your name, language, time zone, chosen workspace or e-mails.',
    access,
    body: schema.ChangeMe,
    response: { 200: schema.Me },
    handler: ({ deps, caller, body, ifMatch }) => changeMe(deps, caller, body, ifMatch),
  })
  route.delete('/me', {
    operationId: 'deleteMe',
    summary: 'Delete your user account',
    description:
      'Deletes your user account permanently. Refused while you are the only owner of a workspace or the only instance admin.',
    access,
    body: schema.ConfirmedByPassword,
    response: { 204: NoContent },
    handler: ({ deps, caller, body, reply }) =>
      limited({ deps, caller, reply }, () => deleteMe(deps, caller, body.password)),
  })
  route.get('/me/export', {
    operationId: 'exportMe',
    summary: 'Export your data',
    description: 'Returns everything that Meydan stores about you as one JSON document.',
    access,
    response: { 200: Export },
    weight: 'export',
    // Limited, because it is expensive, and a likely first call with a stolen session.
    handler: ({ deps, db, caller, reply }) =>
      limited({ deps, caller, reply }, () => {
        reply.header('content-type', 'application/json; charset=utf-8')
        reply.header('content-disposition', 'attachment; filename="meydan-export.json"')
        return exportMe(db, deps.lifecycle.exportParts, caller, deps.clock.now())
      }),
  })
  route.post('/me/password', {
    operationId: 'changePassword',
    summary: 'Change your password',
    description: 'Changes your password and ends all other sessions.',
    access,
    body: schema.ChangePassword,
    response: { 204: NoContent },
    ownTransactions: true,
    handler: async ({ deps, caller, body, complete, reply }) => {
      const cookie = await limited({ deps, caller, reply }, () => changePassword(deps, caller, body, complete))
      reply.header('set-cookie', cookie)
    },
  })

  route.get('/me/email', {
    operationId: 'readEmail',
    summary: 'Retrieve your e-mail address and its pending change',
    access,
    response: { 200: schema.EmailAddress },
    handler: ({ db, caller }) => readEmail(db, caller, deps.clock.now()),
  })
  route.post('/me/email', {
    operationId: 'requestEmailChange',
    summary: 'Request an e-mail address change',
    description:
      'Sends a code to your current address and to the new one. Both are required to confirm the change. A new request replaces the previous one.',
    access,
    body: schema.ChangeEmail,
    response: { 202: schema.EmailChange },
    ownTransactions: true,
    handler: ({ deps, caller, body, complete, reply }) =>
      limited({ deps, caller, reply }, () =>
        limitAttempts(deps, reply, { purpose: 'codeMail', ip: caller.ip, subject: mailboxOf(body.email) }, () =>
          requestEmailChange(deps, caller, body, complete),
        ),
      ),
  })
  route.post('/me/email/confirm', {
    operationId: 'confirmEmailChange',
    summary: 'Confirm an e-mail address change',
    description: 'Changes your address and ends all other sessions. Each request allows five attempts.',
    access,
    body: schema.ConfirmEmail,
    response: { 200: schema.Me },
    ownTransactions: true,
    handler: ({ deps, caller, body, complete, reply }) =>
      limited({ deps, caller, reply }, () => confirmEmailChange(deps, caller, body, complete), 'emailChange'),
  })
  route.delete('/me/email', {
    operationId: 'cancelEmailChange',
    summary: 'Cancel the pending e-mail address change',
    access,
    response: { 204: NoContent },
    handler: ({ db, caller }) => cancelEmailChange(db, caller),
  })

  route.post('/me/two-factor', {
    operationId: 'setUpTwoFactor',
    summary: 'Set up two-factor sign-in',
    description:
      'Creates a secret for an authenticator app. Two-factor sign-in is on once a code from the app confirms it. Until then each call creates a new secret.',
    access,
    body: schema.ConfirmedByPassword,
    response: { 200: schema.TwoFactorSetup },
    ownTransactions: true,
    secrets: ['totp_uri', 'backup_codes'],
    handler: ({ deps, caller, body, complete, request, reply }) =>
      limited({ deps, caller, reply }, () =>
        setUpTwoFactor(deps, caller, body.password, own(request, reply, complete)),
      ),
  })
  route.post('/me/two-factor/confirm', {
    operationId: 'confirmTwoFactor',
    summary: 'Turn on two-factor sign-in',
    description: 'Turns on two-factor sign-in with a code from the authenticator app.',
    access,
    body: schema.ConfirmTwoFactor,
    response: { 200: schema.Me },
    ownTransactions: true,
    handler: ({ deps, caller, body, complete, request, reply }) =>
      limited({ deps, caller, reply }, () => confirmTwoFactor(deps, caller, body.code, own(request, reply, complete))),
  })
  route.delete('/me/two-factor', {
    operationId: 'turnOffTwoFactor',
    summary: 'Turn off two-factor sign-in',
    access,
    body: schema.ConfirmedByPassword,
    response: { 204: NoContent },
    handler: ({ deps, caller, body, request, reply }) =>
      limited({ deps, caller, reply }, () => turnOffTwoFactor(deps, caller, body.password, own(request, reply))),
  })
  route.post('/me/two-factor/backup-codes', {
    operationId: 'renewBackupCodes',
    summary: 'Replace your backup codes',
    description: 'Creates new backup codes. The previous ones stop working.',
    access,
    body: schema.ConfirmedByPassword,
    response: { 200: schema.NewBackupCodes },
    ownTransactions: true,
    secrets: ['backup_codes'],
    handler: ({ deps, caller, body, complete, request, reply }) =>
      limited({ deps, caller, reply }, () =>
        renewBackupCodes(deps, caller, body.password, own(request, reply, complete)),
      ),
  })

  route.get('/me/sessions', {
    operationId: 'listSessions',
    summary: 'List your sessions',
    description: 'Returns the sessions in which you are signed in, newest first.',
    access,
    query: Closed(PageQuery),
    response: { 200: Page(schema.Session) },
    handler: ({ db, caller, query }) => page(listSessions(db, caller, deps.clock.now()), 'session.id', query),
  })
  route.delete('/me/sessions', {
    operationId: 'endOtherSessions',
    summary: 'End all other sessions',
    access,
    response: { 204: NoContent },
    handler: ({ deps, caller }) => endOtherSessions(deps, caller),
  })
  route.delete('/me/sessions/:id', {
    operationId: 'endSession',
    summary: 'End a session',
    access,
    params: idParams('session'),
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => endSession(deps, caller, params.id),
  })
}
