import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { anyToken, viewer } from '../../lib/access.ts'
import { Page, PageQuery, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { Closed, IdParams, NoContent } from '../../lib/schema.ts'
import { ApiToken, CreatedApiToken, NewApiToken, OwnToken, RotateApiToken, ScopeList } from './tokens.schema.ts'
import { createToken, listScopes, listTokens, readOwnToken, revokeToken, rotateToken } from './tokens.ts'

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
    secrets: ['token'],
    handler: ({ deps, caller, body }) => createToken(deps, caller, body),
  })
  route.get('/api-tokens/scopes', {
    operationId: 'listApiTokenScopes',
    summary: 'List the scopes that a token can have',
    access: viewer(),
    response: { 200: ScopeList },
    handler: () => listScopes(),
  })
  route.post('/api-tokens/:id/rotate', {
    operationId: 'rotateApiToken',
    summary: 'Replace the secret of an API token',
    description:
      'The same token with another secret, which the answer carries, this once. The former secret works until the ' +
      'overlap is over, so whoever uses the token can change over in time. Rotating again ends the one before.',
    access: viewer({ token: false }),
    params: IdParams,
    body: RotateApiToken,
    response: { 200: CreatedApiToken },
    secrets: ['token'],
    handler: ({ deps, caller, params, body }) => rotateToken(deps, caller, params.id, body),
  })
  route.delete('/api-tokens/:id', {
    operationId: 'revokeApiToken',
    summary: 'Revoke an API token, at once and for good',
    access: viewer({ token: false }),
    params: IdParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => revokeToken(deps, caller, params.id),
  })
  route.get('/token', {
    operationId: 'readToken',
    summary: 'Read which token this call came with',
    access: anyToken(),
    response: { 200: OwnToken },
    handler: ({ db, caller }) => readOwnToken(db, caller),
  })
}
