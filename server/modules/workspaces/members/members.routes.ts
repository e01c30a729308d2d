import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { admin, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import * as schema from './members.schema.ts'
import { changeMember, listMembers, readMember, removeMember } from './members.ts'

export function memberRoutes(app: FastifyInstance, deps: Deps) {
  const members = routes(app, deps, 'Members')

  members.get('/workspace/members', {
    operationId: 'listMembers',
    summary: 'List members',
    description: 'Returns the members of the current workspace.',
    access: viewer({ scope: 'members:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(schema.WorkspaceMember) },
    handler: ({ db, caller, query }) => page(listMembers(db, caller), 'workspace_member.user_id', query),
  })
  members.get('/workspace/members/:id', {
    operationId: 'readMember',
    summary: 'Retrieve a member',
    access: viewer({ scope: 'members:read' }),
    params: idParams('user'),
    response: { 200: schema.WorkspaceMember },
    handler: ({ db, caller, params }) => readMember(db, caller, params.id),
  })
  members.patch('/workspace/members/:id', {
    operationId: 'changeMember',
    summary: "Update a member's role",
    description:
      'Only owners can make a member an owner or change the role of an owner. The last owner of a workspace keeps the role.',
    access: admin({ token: false }),
    params: idParams('user'),
    body: schema.ChangeMember,
    response: { 200: schema.WorkspaceMember },
    handler: ({ deps, caller, params, body, ifMatch }) => changeMember(deps, caller, params.id, body, ifMatch),
  })
  members.delete('/workspace/members/:id', {
    operationId: 'removeMember',
    summary: 'Remove a member or leave the workspace',
    description:
      "Every member can leave, except the last owner. Admins can remove other members, and only owners can remove owners. The removed member's tokens that are bound to this workspace are revoked.",
    access: viewer({ token: false }),
    params: idParams('user'),
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => removeMember(deps, caller, params.id),
  })
}
