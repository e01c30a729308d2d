import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { admin, anyone, owner, user, viewer } from '../../lib/access.ts'
import { Page, PageQuery, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { Closed, IdParams, NoContent } from '../../lib/schema.ts'
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
import { changeWorkspace, createWorkspace, listWorkspaces, readAgain, readWorkspace } from './workspaces.ts'

export function workspaceRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Workspaces')

  route.get('/instance', {
    operationId: 'readInstance',
    summary: 'Read what sign-in pages need to know of this instance',
    access: anyone(),
    response: { 200: Instance },
    handler: ({ deps, reply }) => {
      reply.header('cache-control', 'no-store')
      return readInstance(deps)
    },
  })
  route.post('/setup', {
    operationId: 'setUp',
    summary: 'Make the first instance admin',
    access: anyone(),
    body: SetUp,
    response: { 201: SetUpDone },
    handler: ({ deps, caller, body }) => setUp(deps, caller, body),
  })
  route.get('/workspaces', {
    operationId: 'listWorkspaces',
    summary: 'List the workspaces that you belong to',
    access: user(),
    query: Closed(PageQuery),
    response: { 200: Page(Workspace) },
    handler: ({ db, caller, query }) => page(listWorkspaces(db, caller), 'workspace.id', query),
  })
  route.post('/workspaces', {
    operationId: 'createWorkspace',
    summary: 'Create a workspace; you become its owner',
    access: user({ token: 'unbound' }),
    body: NewWorkspace,
    response: { 201: Workspace },
    recheck: readAgain,
    handler: ({ db, caller, body }) => createWorkspace(db, caller, body),
  })
  route.get('/workspace', {
    operationId: 'readWorkspace',
    summary: 'Read the current workspace',
    access: viewer({ scope: 'workspace:read' }),
    response: { 200: Workspace },
    handler: ({ db, caller }) => readWorkspace(db, caller),
  })
  route.patch('/workspace', {
    operationId: 'changeWorkspace',
    summary: 'Change the settings of the current workspace',
    access: admin({ scope: 'workspace:write' }),
    body: ChangeWorkspace,
    response: { 200: Workspace },
    handler: ({ deps, caller, body, ifMatch }) => changeWorkspace(deps, caller, body, ifMatch),
  })
  route.delete('/workspace', {
    operationId: 'deleteWorkspace',
    summary: 'Delete the current workspace',
    description:
      'It is hidden at once and erased after 30 days; until then its owners can restore it. Posts that were scheduled become drafts.',
    access: owner({ token: false }),
    body: DeleteWorkspace,
    response: { 204: NoContent },
    handler: ({ deps, caller, body }) => deleteWorkspace(deps, caller, body),
  })
  route.get('/workspaces/deleted', {
    operationId: 'listDeletedWorkspaces',
    summary: 'List the deleted workspaces that you may restore',
    access: user({ token: false }),
    query: Closed(PageQuery),
    response: { 200: Page(DeletedWorkspace) },
    handler: ({ deps, caller, query }) => page(listDeletedWorkspaces(deps, caller), 'workspace.id', query),
  })
  route.post('/workspaces/:id/restore', {
    operationId: 'restoreWorkspace',
    summary: 'Restore a deleted workspace',
    access: user({ token: false }),
    params: IdParams,
    response: { 200: Workspace },
    recheck: readAgain,
    handler: ({ deps, caller, params }) => restoreWorkspace(deps, caller, params.id),
  })
  route.get('/workspace/checklist', {
    operationId: 'readChecklist',
    summary: 'Read which first steps were taken in the current workspace',
    access: viewer(),
    response: { 200: Checklist },
    handler: ({ db, caller }) => readChecklist(db, caller),
  })
  route.post('/workspace/checklist/dismiss', {
    operationId: 'dismissChecklist',
    summary: 'Put the list of first steps away, for yourself',
    access: viewer({ token: false }),
    response: { 200: Checklist },
    handler: ({ db, caller }) => dismissChecklist(db, caller),
  })
}
