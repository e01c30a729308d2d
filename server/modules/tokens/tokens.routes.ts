import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { viewer } from '../../lib/access.ts'
import { Page, PageQuery, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { Closed, IdParams, NoContent } from '../../lib/schema.ts'
import { ApiToken, CreatedApiToken, NewApiToken } from './tokens.schema.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'

export function tokenRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'API tokens')

  route.get('/api-tokens', {
    operationId: 'listApiTokens',
    summary: 'List API tokens, revoked ones included',
    description: "Your own; admins of the workspace see everybody's.",
    access: viewer(),
    query: Closed(PageQuery),
    response: { 200: Page(ApiToken) },
    handler: ({ db, caller, query }) => page(listTokens(db, caller), 'api_token.id', query),
  })
  route.post('/api-tokens', {
    operationId: 'createApiToken',
    summary: 'Create an API token',
    description: 'The answer carries the token itself, this once. A lost token is revoked and another created.',
    access: viewer({ token: false }),
    body: NewApiToken,
    response: { 201: CreatedApiToken },
    handler: ({ deps, caller, body, reply }) => {
      reply.header('cache-control', 'no-store')
      return createToken(deps, caller, body)
    },
  })
  route.delete('/api-tokens/:id', {
    operationId: 'revokeApiToken',
    summary: 'Revoke an API token, at once and for good',
    access: viewer({ token: false }),
    params: IdParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => revokeToken(deps, caller, params.id),
  })
}
