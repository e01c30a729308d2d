import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { editor } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams } from '../../../lib/http/schema/schema.ts'
import { ClientLink, ClientLinkPassword, CreatedClientLink, NewClientLink } from './client-links.schema.ts'
import {
  createClientLink,
  listClientLinks,
  readClientLink,
  revokeClientLink,
  setClientLinkPassword,
} from './client-links.ts'

export function clientLinkRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')
  const params = idParams('client_link')

  route.get('/client-links', {
    operationId: 'listClientLinks',
    summary: 'List client links',
    description: 'Returns the links by which clients review posts without an account, newest first.',
    access: editor({ scope: 'posts:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(ClientLink) },
    handler: ({ deps, caller, query }) => page(listClientLinks(deps, caller), 'client_link.id', query),
  })
  route.post('/client-links', {
    operationId: 'createClientLink',
    summary: 'Create a client link',
    description:
      'Returns an address by which a client reviews the posts of a span without an account. Its secret part is shown only here. Needs the feature `approvals`, and a signed-in session: a token cannot approve for a client. A workspace can have at most 100 valid links.',
    access: editor({ token: false, feature: 'approvals' }),
    body: NewClientLink,
    response: { 201: CreatedClientLink },
    secrets: ['url'],
    // A password is hashed before the transaction.
    ownTransactions: true,
    handler: ({ deps, caller, body, complete }) => createClientLink(deps, caller, body, complete),
  })
  route.get('/client-links/:id', {
    operationId: 'readClientLink',
    summary: 'Retrieve a client link',
    access: editor({ scope: 'posts:read' }),
    params,
    response: { 200: ClientLink },
    handler: ({ deps, caller, params }) => readClientLink(deps, caller, params.id),
  })
  route.put('/client-links/:id/password', {
    operationId: 'setClientLinkPassword',
    summary: 'Change the password of a client link',
    description:
      'Sets, replaces or removes the password of a valid link. The link ends in all browsers in which it is open, and is opened again by its address.',
    access: editor({ token: false }),
    params,
    body: ClientLinkPassword,
    response: { 200: ClientLink },
    ownTransactions: true,
    handler: ({ deps, caller, params, body }) => setClientLinkPassword(deps, caller, params.id, body),
  })
  route.post('/client-links/:id/revoke', {
    operationId: 'revokeClientLink',
    summary: 'Revoke a client link',
    description: 'Ends the link at once, also where it is open. What the client decided stays.',
    access: editor({ scope: 'posts:write' }),
    params,
    response: { 200: ClientLink },
    handler: ({ deps, caller, params }) => revokeClientLink(deps, caller, params.id),
  })
}
