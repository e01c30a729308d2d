import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, page } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { admin, anyone, owner, user, viewer } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../lib/http/schema/schema.ts'
import { SetUp, SetUpDone } from '../auth/auth.schema.ts'
import { dismissChecklist, readChecklist } from './checklist.ts'
import { deleteWorkspace, listDeletedWorkspaces, restoreWorkspace } from './deletion.ts'
import { readInstance, setUp } from './setup.ts'
import {
  ChangeWorkspace,
  Checklist,
  DeletedWorkspace,
  DeleteWorkspace,
  Instance,
  NewWorkspace,
  Workspace,
} from './workspaces.schema.ts'
import { changeWorkspace, createWorkspace, listWorkspaces, readWorkspace, recheckWorkspace } from './workspaces.ts'

export function workspaceRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Workspaces')

  route.get('/instance', {
    operationId: 'readInstance',
    summary: 'Retrieve the sign-in settings of this instance',
    description: 'Returns the settings that sign-in pages need before anyone is signed in.',
    access: anyone(),
    response: { 200: Instance },
    handler: ({ deps, reply }) => {
      reply.header('cache-control', 'no-store')
      return readInstance(deps)
    },
  })
  route.post('/setup', {
    operationId: 'setUp',
    summary: 'Create the first instance admin',
    description: 'Works once, with the code from the setup link that the first start prints.',
    access: anyone(),
    body: SetUp,
    response: { 201: SetUpDone },
    handler: ({ deps, caller, body }) => setUp(deps, caller, body),
  })
  route.get('/workspaces', {
    operationId: 'listWorkspaces',
    summary: 'List your workspaces',
    access: user(),
    query: Closed(PageQuery),
    response: { 200: Page(Workspace) },
    handler: ({ db, caller, query }) => page(listWorkspaces(db, caller), 'workspace.id', query),
  })
  route.post('/workspaces', {
    operationId: 'createWorkspace',
    summary: 'Create a workspace',
    description: 'Creates a workspace with you as its owner. You can own at most 100 workspaces.',
    access: user({ token: 'unbound' }),
    body: NewWorkspace,
    response: { 201: Workspace },
    recheck: recheckWorkspace,
    handler: ({ db, caller, body }) => createWorkspace(db, caller, body),
  })
  route.get('/workspace', {
    operationId: 'readWorkspace',
    summary: 'Retrieve the current workspace',
    access: viewer({ scope: 'workspace:read' }),
    response: { 200: Workspace },
    handler: ({ db, caller }) => readWorkspace(db, caller),
  })
  route.patch('/workspace', {
    operationId: 'changeWorkspace',
    summary: 'Update the current workspace',
    access: admin({ scope: 'workspace:write' }),
    body: ChangeWorkspace,
    response: { 200: Workspace },
    handler: ({ deps, caller, body, ifMatch }) => changeWorkspace(deps, caller, body, ifMatch),
  })
  route.delete('/workspace', {
    operationId: 'deleteWorkspace',
    summary: 'Delete the current workspace',
    description:
      'Hides the workspace immediately and erases it after 30 days. Until then its owners can restore it. Scheduled posts become drafts.',
    access: owner({ token: false }),
    body: DeleteWorkspace,
    response: { 204: NoContent },
    handler: ({ deps, caller, body }) => deleteWorkspace(deps, caller, body),
  })
  route.get('/workspaces/deleted', {
    operationId: 'listDeletedWorkspaces',
    summary: 'List deleted workspaces',
    description: 'Returns the deleted workspaces that you own and can restore.',
    access: user({ token: false }),
    query: Closed(PageQuery),
    response: { 200: Page(DeletedWorkspace) },
    handler: ({ deps, caller, query }) => page(listDeletedWorkspaces(deps, caller), 'workspace.id', query),
  })
  route.post('/workspaces/:id/restore', {
    operationId: 'restoreWorkspace',
    summary: 'Restore a deleted workspace',
    description: 'Restores a workspace that was deleted in the last 30 days. Only its owners can restore it.',
    access: user({ token: false }),
    params: idParams('workspace'),
    response: { 200: Workspace },
    recheck: recheckWorkspace,
    handler: ({ deps, caller, params }) => restoreWorkspace(deps, caller, params.id),
  })
  route.get('/workspace/checklist', {
    operationId: 'readChecklist',
    summary: 'Retrieve the onboarding checklist',
    description: 'Returns the first steps that were completed in the current workspace.',
    access: viewer(),
    response: { 200: Checklist },
    handler: ({ db, caller }) => readChecklist(db, caller),
  })
  route.post('/workspace/checklist/dismiss', {
    operationId: 'dismissChecklist',
    summary: 'Dismiss the onboarding checklist',
    description: 'Hides the checklist for you only.',
    access: viewer({ token: false }),
    response: { 200: Checklist },
    handler: ({ db, caller }) => dismissChecklist(db, caller),
  })
}
