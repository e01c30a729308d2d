import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { instanceAdmin } from '../../lib/access.ts'
import { Page, PageQuery, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { Closed, IdParams } from '../../lib/schema.ts'
import { AdminUser, Ban, UserSearch } from './users.schema.ts'
import { banUser, listUsers, unbanUser } from './users.ts'

export function userRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Users')

  route.get('/admin/users', {
    operationId: 'listUsers',
    summary: 'List everybody on this instance, newest first',
    access: instanceAdmin(),
    query: Closed({ ...PageQuery, search: UserSearch }),
    response: { 200: Page(AdminUser) },
    handler: ({ db, query: { search, ...query } }) => page(listUsers(db, search), 'user.id', query),
  })
  route.post('/admin/users/:id/ban', {
    operationId: 'banUser',
    summary: 'Ban somebody: sessions end, tokens and sign-in are refused',
    description: 'Not yourself. Banning again changes nothing.',
    access: instanceAdmin(),
    params: IdParams,
    body: Ban,
    response: { 200: AdminUser },
    handler: ({ deps, caller, params, body }) => banUser(deps, caller, params.id, body.reason),
  })
  route.post('/admin/users/:id/unban', {
    operationId: 'unbanUser',
    summary: 'Lift a ban; sessions that it ended stay ended',
    access: instanceAdmin(),
    params: IdParams,
    response: { 200: AdminUser },
    handler: ({ deps, caller, params }) => unbanUser(deps, caller, params.id),
  })
}
