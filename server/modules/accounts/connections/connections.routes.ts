import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../../lib/deps.ts'
import { anyone, editor } from '../../../lib/http/access.ts'
import { originOf } from '../../../lib/http/authorize.ts'
import { callLimit } from '../../../lib/http/limits/call-limit.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams } from '../../../lib/http/schema/schema.ts'
import { readClientMetadata } from '../../networks/apps/server-apps.ts'
import { type Return, returnFromNetwork } from './callback.ts'
import { choose } from './choice.ts'
import {
  Choice,
  ClientMetadata,
  Connection,
  NewConnection,
  Returned,
  SeeOther,
  StartedConnection,
} from './connections.schema.ts'
import { readConnection, startConnection } from './connections.ts'

const ServerParams = Type.Object({
  server: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'Hash of the address of the server.',
    examples: ['n4bQgYhMfWWaL-qgxVrQFa'],
  }),
})

/** Sign-ins a minute of one workspace at servers that somebody names: Meydan calls each, and may register an app there. */
const SERVER_SIGN_INS_A_MINUTE = 20

/** Completes a sign-in for the user of the session, and sends the browser to its page. */
async function complete(deps: Deps, returned: Return, request: FastifyRequest, reply: FastifyReply) {
  // Servers send browsers to the IP address of the loopback interface, and the session is at its name.
  if (new URL(deps.baseUrl).hostname === 'localhost' && request.hostname === '127.0.0.1')
    return reply.header('cache-control', 'no-store').redirect(`${deps.baseUrl}${request.url}`, 303)
  const identity = await deps.authenticator.bySession(request)
  const user = identity && { ...originOf(request), ...identity }
  const path = await returnFromNetwork(deps, user, returned)
  reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(`${deps.baseUrl}${path}`, 303)
}

export function connectionRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Accounts')
  const countServerSignIn = callLimit('server-sign-in', SERVER_SIGN_INS_A_MINUTE, deps.clock)

  route.post('/accounts/connections', {
    operationId: 'startConnection',
    summary: 'Sign in at a network',
    description:
      'Begins to connect accounts of a network whose `connect.kind` is `oauth2`. If its `connect.instance` is not null, name the server that the account is on; Meydan registers itself there, and a workspace can begin 20 such sign-ins a minute. Open `authorize_url` in the browser in which the user is signed in to Meydan, within 15 minutes. The network then sends the browser back to Meydan. Poll the connection until its status is no longer `waiting`.',
    access: editor({ scope: 'accounts:write' }),
    body: NewConnection,
    response: { 201: StartedConnection },
    secrets: ['authorize_url'],
    ownTransactions: true,
    handler: async ({ deps, caller, body, reply, complete }) => {
      if (body.instance !== undefined) countServerSignIn(caller.workspace_id, reply)
      return startConnection(deps, caller, body, complete)
    },
  })
  route.get('/accounts/connections/:id', {
    operationId: 'readConnection',
    summary: 'Retrieve a sign-in',
    description: 'Only the user who began the sign-in sees it, for a day.',
    access: editor({ scope: 'accounts:write' }),
    params: idParams('connection'),
    response: { 200: Connection },
    handler: ({ deps, caller, params }) => readConnection(deps, caller, params.id),
  })
  route.post('/accounts/connections/:id/choose', {
    operationId: 'chooseAccounts',
    summary: 'Connect chosen accounts',
    description:
      'Connects some of the `candidates` of a sign-in, within 30 minutes. An account that the workspace has already is connected again under its id.',
    access: editor({ scope: 'accounts:write' }),
    params: idParams('connection'),
    body: Choice,
    response: { 200: Connection },
    ownTransactions: true,
    handler: ({ deps, caller, params, body }) => choose(deps, caller, params.id, body),
  })
  // The session counts although the call comes from another site: the state proves that it began in the same session.
  route.get('/accounts/oauth/callback', {
    operationId: 'returnFromNetwork',
    summary: 'Return from a network',
    description:
      'The redirect address of all networks. It completes the sign-in, and redirects the browser to the console.',
    access: anyone(),
    query: Returned,
    response: { 303: SeeOther },
    ownTransactions: true,
    handler: ({ deps, query, request, reply }) => complete(deps, query, request, reply),
  })
  route.get('/accounts/oauth/callback/:server', {
    operationId: 'returnFromServer',
    summary: 'Return from a server',
    description:
      'The redirect address of one server of a network that has many. It refuses a sign-in that began at another.',
    access: anyone(),
    params: ServerParams,
    query: Returned,
    response: { 303: SeeOther },
    ownTransactions: true,
    handler: ({ deps, params, query, request, reply }) =>
      complete(deps, { ...query, key: params.server }, request, reply),
  })
  route.get('/accounts/oauth/clients/:server', {
    operationId: 'readClientMetadata',
    summary: 'Read the description of Meydan at a server',
    description:
      'The `client_id` of Meydan at a server of a network that has many. Servers read it to learn to which address they send browsers back, and by which keys they know Meydan.',
    access: anyone(),
    params: ServerParams,
    response: { 200: ClientMetadata },
    handler: ({ deps, params }) => readClientMetadata(deps, params.server),
  })
}
