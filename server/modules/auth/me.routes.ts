import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { type User, user } from '../../lib/access.ts'
import { type Complete, nothingToKeep } from '../../lib/idempotency.ts'
import { Page, PageQuery, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { Closed, IdParams, NoContent } from '../../lib/schema.ts'
import { deleteMe } from './deletion.ts'
import { cancelEmailChange, confirmEmailChange, readEmailChange, requestEmailChange } from './email-change.ts'
import { exportMe } from './export.ts'
import { limitAttempts } from './limit.ts'
import * as schema from './me.schema.ts'
import { changeMe, readMe } from './me.ts'
import { endOtherSessions, endSession, listSessions } from './own-sessions.ts'
import { changePassword } from './passwords.ts'
import { renewSession } from './renewal.ts'
import { confirmTwoFactor, renewBackupCodes, setUpTwoFactor, turnOffTwoFactor } from './two-factor.ts'

/** The cookies of better-auth, there and back: it opens another session when the second factor is turned on or off. */
const own = (request: FastifyRequest, reply: FastifyReply, complete: Complete = nothingToKeep) => ({
  complete,
  cookie: request.headers.cookie,
  setCookies: (cookies: string[]) => {
    for (const cookie of cookies) reply.header('set-cookie', cookie)
  },
})

/** Who holds a stolen session must not find out the password or a code by trying. */
const limited = (deps: Deps, { ip, user_id }: User, reply: FastifyReply) => limitAttempts(deps, reply, { ip, user_id })

// `ownTransactions`: these keep what they counted also when they refuse, so no transaction around them may take it back.
export function meRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Me')
  const access = user({ token: false })

  route.get('/me', {
    operationId: 'readMe',
    summary: 'Who am I',
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
    summary: 'Change my name, locale, time zone or current workspace',
    access,
    body: schema.ChangeMe,
    response: { 200: schema.Me },
    handler: ({ deps, caller, body, ifMatch }) => changeMe(deps, caller, body, ifMatch),
  })
  route.delete('/me', {
    operationId: 'deleteMe',
    summary: 'Delete my account, for good',
    description: 'Refused while you are the only owner of a workspace, or the only instance admin.',
    access,
    body: schema.ConfirmedByPassword,
    response: { 204: NoContent },
    handler: async ({ deps, caller, body, reply }) => {
      await limited(deps, caller, reply)
      await deleteMe(deps, caller, body.password)
    },
  })
  route.get('/me/export', {
    operationId: 'exportMe',
    summary: 'Download all that is kept about me',
    access,
    response: { 200: schema.Export },
    handler: async ({ deps, db, caller, reply }) => {
      // Costly, and what a stolen session would ask for first.
      await limited(deps, caller, reply)
      reply.header('content-type', 'application/json; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="meydan-export.json"')
      return exportMe(db, caller, deps.clock.now())
    },
  })
  route.post('/me/password', {
    operationId: 'changePassword',
    summary: 'Change my password; ends all other sessions',
    access,
    body: schema.ChangePassword,
    response: { 204: NoContent },
    ownTransactions: true,
    handler: async ({ deps, caller, body, complete, reply }) => {
      await limited(deps, caller, reply)
      await changePassword(deps, caller, body, complete)
    },
  })

  route.get('/me/email', {
    operationId: 'readEmailChange',
    summary: 'Read the change of address that waits for its codes',
    access,
    response: { 200: schema.EmailChange },
    handler: ({ db, caller }) => readEmailChange(db, caller, deps.clock.now()),
  })
  route.post('/me/email', {
    operationId: 'requestEmailChange',
    summary: 'Change my address; a code is mailed to the present and to the new one',
    description: 'A new request takes the place of the former one.',
    access,
    body: schema.ChangeEmail,
    response: { 202: schema.EmailChange },
    ownTransactions: true,
    handler: async ({ deps, caller, body, complete, reply }) => {
      await limited(deps, caller, reply)
      return requestEmailChange(deps, caller, body, complete)
    },
  })
  route.post('/me/email/confirm', {
    operationId: 'confirmEmailChange',
    summary: 'Confirm the change of address with both codes; ends all other sessions',
    description: 'Five attempts for a request.',
    access,
    body: schema.ConfirmEmail,
    response: { 200: schema.Me },
    ownTransactions: true,
    handler: async ({ deps, caller, body, complete, reply }) => {
      await limited(deps, caller, reply)
      return confirmEmailChange(deps, caller, body, complete)
    },
  })
  route.delete('/me/email', {
    operationId: 'cancelEmailChange',
    summary: 'Take back the change of address',
    access,
    response: { 204: NoContent },
    handler: ({ db, caller }) => cancelEmailChange(db, caller),
  })

  route.post('/me/two-factor', {
    operationId: 'setUpTwoFactor',
    summary: 'Set up two-factor sign-in',
    description: 'It is on once a code of the app has confirmed it. Until then a new call makes a new secret.',
    access,
    body: schema.ConfirmedByPassword,
    response: { 200: schema.TwoFactorSetup },
    ownTransactions: true,
    secrets: ['totp_uri', 'backup_codes'],
    handler: async ({ deps, caller, body, complete, request, reply }) => {
      await limited(deps, caller, reply)
      return setUpTwoFactor(deps, caller, body.password, own(request, reply, complete))
    },
  })
  route.post('/me/two-factor/confirm', {
    operationId: 'confirmTwoFactor',
    summary: 'Turn two-factor sign-in on with a code of the app',
    access,
    body: schema.ConfirmTwoFactor,
    response: { 200: schema.Me },
    ownTransactions: true,
    handler: async ({ deps, caller, body, complete, request, reply }) => {
      await limited(deps, caller, reply)
      return confirmTwoFactor(deps, caller, body.code, own(request, reply, complete))
    },
  })
  route.delete('/me/two-factor', {
    operationId: 'turnOffTwoFactor',
    summary: 'Turn two-factor sign-in off',
    access,
    body: schema.ConfirmedByPassword,
    response: { 204: NoContent },
    handler: async ({ deps, caller, body, request, reply }) => {
      await limited(deps, caller, reply)
      await turnOffTwoFactor(deps, caller, body.password, own(request, reply))
    },
  })
  route.post('/me/two-factor/backup-codes', {
    operationId: 'renewBackupCodes',
    summary: 'Make new backup codes; the former ones are dead',
    access,
    body: schema.ConfirmedByPassword,
    response: { 200: schema.NewBackupCodes },
    ownTransactions: true,
    secrets: ['backup_codes'],
    handler: async ({ deps, caller, body, complete, request, reply }) => {
      await limited(deps, caller, reply)
      return renewBackupCodes(deps, caller, body.password, own(request, reply, complete))
    },
  })

  route.get('/me/sessions', {
    operationId: 'listSessions',
    summary: 'List where I am signed in, newest first',
    access,
    query: Closed(PageQuery),
    response: { 200: Page(schema.Session) },
    handler: ({ db, caller, query }) => page(listSessions(db, caller, deps.clock.now()), 'session.id', query),
  })
  route.delete('/me/sessions', {
    operationId: 'endOtherSessions',
    summary: 'End all of my sessions but this one',
    access,
    response: { 204: NoContent },
    handler: ({ deps, caller }) => endOtherSessions(deps, caller),
  })
  route.delete('/me/sessions/:id', {
    operationId: 'endSession',
    summary: 'End one of my sessions',
    access,
    params: IdParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => endSession(deps, caller, params.id),
  })
}
