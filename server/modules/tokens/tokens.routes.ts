import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, page } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { anyToken, viewer } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../lib/http/schema/schema.ts'
import { ApiToken, CreatedApiToken, NewApiToken, OwnToken, RotateApiToken, ScopeList } from './tokens.schema.ts'
import { createToken, listScopes, listTokens, readOwnToken, revokeToken, rotateToken } from './tokens.ts'

export function tokenRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'API tokens')

  route.get('/api-tokens', {
    operationId: 'listApiTokens',
    summary: 'List API tokens',
    description:
      'Returns your tokens, including revoked ones. Admins also see the tokens of other members that are bound to this workspace.',
    access: viewer(),
    query: Closed(PageQuery),
    response: { 200: Page(ApiToken) },
    handler: ({ db, caller, query }) => page(listTokens(db, caller), 'api_token.id', query),
  })
  route.post('/api-tokens', {
    operationId: 'createApiToken',
    summary: 'Create an API token',
    description:
      'The response includes the token. It is shown only once: if you lose it, revoke it and create another. You can have at most 200 tokens.',
    access: viewer({ token: false }),
    body: NewApiToken,
    response: { 201: CreatedApiToken },
    secrets: ['token'],
    handler: ({ deps, caller, body }) => createToken(deps, caller, body),
  })
  route.get('/api-tokens/scopes', {
    operationId: 'listApiTokenScopes',
    summary: 'List token scopes',
    description: 'Returns every scope with the role required to grant it.',
    access: viewer(),
    response: { 200: ScopeList },
    handler: () => listScopes(),
  })
  route.post('/api-tokens/:id/rotate', {
    operationId: 'rotateApiToken',
    summary: 'Rotate an API token',
    description:
      'Replaces the secret of your token. The response includes the new token. It is shown only once. The previous secret ' +
      'works until the overlap ends. Rotating again before that invalidates it immediately.',
    access: viewer({ token: false }),
    params: idParams('token'),
    body: RotateApiToken,
    response: { 200: CreatedApiToken },
    secrets: ['token'],
    handler: ({ deps, caller, params, body }) => rotateToken(deps, caller, params.id, body),
  })
  route.delete('/api-tokens/:id', {
    operationId: 'revokeApiToken',
    summary: 'Revoke an API token',
    description: 'Revokes the token immediately and permanently.',
    access: viewer({ token: false }),
    params: idParams('token'),
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => revokeToken(deps, caller, params.id),
  })
  route.get('/token', {
    operationId: 'readToken',
    summary: 'Retrieve the token of this call',
    access: anyToken(),
    response: { 200: OwnToken },
    handler: ({ db, caller }) => readOwnToken(db, caller),
  })
}
