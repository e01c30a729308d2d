import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { anyone, user } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { ChangeSignature, handleParams, OwnSignature, Seller, Signature } from './sellers.schema.ts'
import { readSeller } from './sellers.ts'
import { changeSignature, readOwnSignature, readSignature } from './signatures.ts'

export function sellerRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.get('/marketplace/sellers/:handle', {
    operationId: 'readSeller',
    summary: 'Retrieve a seller',
    description: 'Returns the user with a handle: signature, ratings, and public gigs.',
    access: anyone(),
    params: handleParams,
    response: { 200: Seller },
    handler: ({ db, params }) => readSeller(db, params.handle),
  })

  // The same routes at two addresses.
  for (const { prefix, name } of [
    { prefix: '', name: '' },
    { prefix: '/marketplace', name: 'Marketplace' },
  ]) {
    route.get(`${prefix}/signatures/me`, {
      operationId: `readOwn${name}Signature`,
      summary: 'Retrieve your signature',
      description: 'Returns your signature. Before you set it, its handle is null and its text empty.',
      access: user({ scope: 'signatures:read' }),
      response: { 200: OwnSignature },
      handler: ({ db, caller }) => readOwnSignature(db, caller),
    })
    route.patch(`${prefix}/signatures/me`, {
      operationId: `change${name}Signature`,
      summary: 'Update your signature',
      description: 'Changes your signature. The first change sets the handle.',
      access: user({ scope: 'signatures:write' }),
      body: ChangeSignature,
      response: { 200: OwnSignature },
      handler: ({ deps, caller, body, ifMatch }) => changeSignature(deps, caller, body, ifMatch),
    })
    route.get(`${prefix}/signatures/handle/:handle`, {
      operationId: `read${name}Signature`,
      summary: 'Retrieve a signature',
      description: 'Returns the signature with a handle.',
      access: anyone(),
      params: handleParams,
      response: { 200: Signature },
      handler: ({ db, params }) => readSignature(db, params.handle),
    })
  }
}
