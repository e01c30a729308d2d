import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { instanceAdmin } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams } from '../../../lib/http/schema/schema.ts'
import { AdminUser, Ban, UserSearch } from './users.schema.ts'
import { banUser, listUsers, unbanUser } from './users.ts'

export function userRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Users')

  route.get('/admin/users', {
    operationId: 'listUsers',
    summary: 'List users',
    description: 'Returns the users of this instance, newest first.',
    access: instanceAdmin(),
    query: Closed({ ...PageQuery, search: UserSearch }),
    response: { 200: Page(AdminUser) },
    handler: ({ db, query: { search, ...query } }) => page(listUsers(db, search), 'user.id', query),
  })
  route.post('/admin/users/:id/ban', {
    operationId: 'banUser',
    summary: 'Ban a user',
    description:
      'Ends all sessions of the user and refuses their sign-ins and API tokens. Banning a banned user changes nothing. You cannot ban yourself.',
    access: instanceAdmin(),
    params: idParams('user'),
    body: Ban,
    response: { 200: AdminUser },
    handler: ({ deps, caller, params, body }) => banUser(deps, caller, params.id, body.reason),
  })
  route.post('/admin/users/:id/unban', {
    operationId: 'unbanUser',
    summary: 'Unban a user',
    description: 'Lifts the ban. Sessions ended by the ban stay ended.',
    access: instanceAdmin(),
    params: idParams('user'),
    response: { 200: AdminUser },
    handler: ({ deps, caller, params }) => unbanUser(deps, caller, params.id),
  })
}
