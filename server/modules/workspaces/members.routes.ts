import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { admin, anyone, user, viewer } from '../../lib/access.ts'
import { Page, PageQuery, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { Closed, IdParams, NoContent } from '../../lib/schema.ts'
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  previewInvitation,
  resendInvitation,
  revokeInvitation,
} from './invitations.ts'
import * as schema from './members.schema.ts'
import { changeMember, listMembers, readMember, removeMember } from './members.ts'
import { Workspace } from './workspaces.schema.ts'
import { readAgain } from './workspaces.ts'

export function memberRoutes(app: FastifyInstance, deps: Deps) {
  const members = routes(app, deps, 'Members')

  members.get('/workspace/members', {
    operationId: 'listMembers',
    summary: 'List who belongs to the current workspace',
    access: viewer({ scope: 'members:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(schema.WorkspaceMember) },
    handler: ({ db, caller, query }) => page(listMembers(db, caller), 'workspace_member.user_id', query),
  })
  members.get('/workspace/members/:id', {
    operationId: 'readMember',
    summary: 'Read a member',
    access: viewer({ scope: 'members:read' }),
    params: IdParams,
    response: { 200: schema.WorkspaceMember },
    handler: ({ db, caller, params }) => readMember(db, caller, params.id),
  })
  members.patch('/workspace/members/:id', {
    operationId: 'changeMember',
    summary: 'Change the role of a member',
    description: 'Only owners make owners, or take that role from one. A workspace never loses its last owner.',
    access: admin({ token: false }),
    params: IdParams,
    body: schema.ChangeMember,
    response: { 200: schema.WorkspaceMember },
    handler: ({ deps, caller, params, body, ifMatch }) => changeMember(deps, caller, params.id, body, ifMatch),
  })
  members.delete('/workspace/members/:id', {
    operationId: 'removeMember',
    summary: 'Remove a member, or leave',
    description:
      'Everybody may leave, but for the last owner. Admins remove others, owners alone remove owners. The tokens of whoever goes that are bound to this workspace are revoked.',
    access: viewer({ token: false }),
    params: IdParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => removeMember(deps, caller, params.id),
  })

  const invitations = routes(app, deps, 'Invitations')

  invitations.get('/workspace/invitations', {
    operationId: 'listInvitations',
    summary: 'List the invitations to the current workspace',
    access: admin({ token: false }),
    query: schema.InvitationQuery,
    response: { 200: Page(schema.Invitation) },
    handler: ({ deps, caller, query }) => page(listInvitations(deps, caller, query), 'invitation.id', query),
  })
  invitations.post('/workspace/invitations', {
    operationId: 'createInvitation',
    summary: 'Invite an e-mail address to the current workspace',
    description:
      'Mails a link that is good for 7 days, once, for that address. Only owners invite owners. Mailed a day are at most 100 from a workspace, and 5 to one address from all of them. An invitation is revoked when who sent it may no longer invite.',
    access: admin({ token: false }),
    body: schema.NewInvitation,
    response: { 201: schema.Invitation },
    handler: ({ deps, caller, body }) => createInvitation(deps, caller, body),
  })
  invitations.delete('/workspace/invitations/:id', {
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation; revoking again changes nothing',
    access: admin({ token: false }),
    params: IdParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => revokeInvitation(deps, caller, params.id),
  })
  invitations.post('/workspace/invitations/:id/resend', {
    operationId: 'resendInvitation',
    summary: 'Mail a new link, good for another 7 days; the one before is void',
    access: admin({ token: false }),
    params: IdParams,
    response: { 200: schema.Invitation },
    handler: ({ deps, caller, params }) => resendInvitation(deps, caller, params.id),
  })
  invitations.get('/invitations/:token', {
    operationId: 'previewInvitation',
    summary: 'Read what the link of an invitation is about',
    access: anyone(),
    params: schema.InvitationParams,
    response: { 200: schema.InvitationPreview },
    handler: ({ deps, params }) => previewInvitation(deps, params.token),
  })
  invitations.post('/invitations/:token/accept', {
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation; you become a member',
    description: 'Only for whoever has verified the invited address.',
    access: user({ token: false }),
    params: schema.InvitationParams,
    response: { 200: Workspace },
    recheck: readAgain,
    handler: ({ deps, caller, params }) => acceptInvitation(deps, caller, params.token),
  })
}
