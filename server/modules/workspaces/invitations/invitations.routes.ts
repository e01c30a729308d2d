import type { FastifyInstance } from 'fastify'
import { Page, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { admin, anyone, user } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { Workspace } from '../workspaces.schema.ts'
import { recheckWorkspace } from '../workspaces.ts'
import * as schema from './invitations.schema.ts'
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  previewInvitation,
  resendInvitation,
  revokeInvitation,
} from './invitations.ts'

export function invitationRoutes(app: FastifyInstance, deps: Deps) {
  const invitations = routes(app, deps, 'Invitations')

  invitations.get('/workspace/invitations', {
    operationId: 'listInvitations',
    summary: 'List invitations',
    description: 'Returns the invitations to the current workspace, newest first.',
    access: admin({ token: false }),
    query: schema.InvitationQuery,
    response: { 200: Page(schema.Invitation) },
    handler: ({ deps, caller, query }) => page(listInvitations(deps, caller, query), 'invitation.id', query),
  })
  invitations.post('/workspace/invitations', {
    operationId: 'createInvitation',
    summary: 'Create an invitation',
    description:
      'Sends a link by e-mail that is valid for 7 days and works once, for that address only. The response includes the link. It is shown only once. Only owners can invite owners. A workspace can send at most 100 invitations a day. One mailbox receives at most 5 a day from a workspace, 10 from a sender and 30 in all; addresses that differ in a `+tag` are one mailbox. An invitation is revoked when its sender may no longer invite.',
    access: admin({ token: false }),
    body: schema.NewInvitation,
    response: { 201: schema.SentInvitation },
    secrets: ['url'],
    handler: ({ deps, caller, body }) => createInvitation(deps, caller, body),
  })
  invitations.delete('/workspace/invitations/:id', {
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description: 'Invalidates the link. Revoking a revoked invitation changes nothing.',
    access: admin({ token: false }),
    params: idParams('invitation'),
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => revokeInvitation(deps, caller, params.id),
  })
  invitations.post('/workspace/invitations/:id/resend', {
    operationId: 'resendInvitation',
    summary: 'Resend an invitation',
    description:
      'Sends a new link by e-mail, valid for another 7 days. The previous link stops working. The response includes the new link. It is shown only once.',
    access: admin({ token: false }),
    params: idParams('invitation'),
    response: { 200: schema.SentInvitation },
    secrets: ['url'],
    handler: ({ deps, caller, params }) => resendInvitation(deps, caller, params.id),
  })
  invitations.get('/invitations/:token', {
    operationId: 'previewInvitation',
    summary: 'Retrieve an invitation by its link',
    description: 'Returns the workspace, role and state of the invitation with this token.',
    access: anyone(),
    params: schema.InvitationParams,
    response: { 200: schema.InvitationPreview },
    handler: ({ deps, params }) => previewInvitation(deps, params.token),
  })
  invitations.post('/invitations/:token/accept', {
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description: 'Makes you a member of the workspace. Your verified e-mail address must be the invited one.',
    access: user({ token: false }),
    params: schema.InvitationParams,
    response: { 200: Workspace },
    recheck: recheckWorkspace,
    handler: ({ deps, caller, params }) => acceptInvitation(deps, caller, params.token),
  })
}
