import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { editor, viewer } from '../../lib/access.ts'
import { Page, PageQuery, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { Closed, IdParams, NoContent } from '../../lib/schema.ts'
import { Account, NetworkInfo, NewAccount, PlaygroundPost } from './accounts.schema.ts'
import {
  connectAccount,
  disconnectAccount,
  listAccounts,
  listPlayground,
  readAccount,
  readPlaygroundPost,
} from './accounts.ts'
import { checkAccount } from './health.ts'
import { networks } from './networks.ts'

export function accountRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Accounts')

  route.get('/accounts/networks', {
    operationId: 'listNetworks',
    summary: 'List the networks, each with the form that connects an account',
    access: viewer({ scope: 'accounts:read' }),
    response: { 200: Type.Object({ data: Type.Array(NetworkInfo, { maxItems: 100 }) }) },
    handler: () => ({ data: [...networks] }),
  })
  route.get('/accounts', {
    operationId: 'listAccounts',
    summary: 'List connected accounts',
    access: viewer({ scope: 'accounts:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(Account) },
    handler: ({ db, caller, query }) => page(listAccounts(db, caller), 'account.id', query),
  })
  route.post('/accounts', {
    operationId: 'connectAccount',
    summary: 'Connect an account',
    access: editor({ scope: 'accounts:write' }),
    body: NewAccount,
    response: { 201: Account },
    ownTransactions: true,
    handler: ({ deps, caller, body, complete }) => connectAccount(deps, caller, body, complete),
  })
  route.get('/accounts/:id', {
    operationId: 'readAccount',
    summary: 'Read one account',
    access: viewer({ scope: 'accounts:read' }),
    params: IdParams,
    response: { 200: Account },
    handler: ({ db, caller, params }) => readAccount(db, caller, params.id),
  })
  route.post('/accounts/:id/check', {
    operationId: 'checkAccount',
    summary: 'Ask the network whether it still lets the account in',
    description:
      'Sets status and checked_at. Posts that failed meanwhile are not tried again by themselves. When the network cannot be reached the account stays as it is, and the answer is account_unreachable.',
    access: editor({ scope: 'accounts:write' }),
    params: IdParams,
    response: { 200: Account },
    ownTransactions: true,
    handler: ({ deps, caller, params }) => checkAccount(deps, caller, params.id),
  })
  route.delete('/accounts/:id', {
    operationId: 'disconnectAccount',
    summary: 'Disconnect an account and forget its credentials',
    access: editor({ scope: 'accounts:write' }),
    params: IdParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => disconnectAccount(deps, caller, params.id),
  })
  route.get('/playground', {
    operationId: 'listPlayground',
    summary: 'Read the timeline of the Playground',
    access: viewer({ scope: 'posts:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(PlaygroundPost) },
    handler: ({ db, caller, query }) => page(listPlayground(db, caller), 'playground_post.id', query),
  })
  route.get('/playground/:id', {
    operationId: 'readPlaygroundPost',
    summary: 'Read one post of the timeline of the Playground',
    access: viewer({ scope: 'posts:read' }),
    params: IdParams,
    response: { 200: PlaygroundPost },
    handler: ({ db, caller, params }) => readPlaygroundPost(db, caller, params.id),
  })
}
