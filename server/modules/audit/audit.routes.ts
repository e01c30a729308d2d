import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { admin, instanceAdmin } from '../../lib/access.ts'
import { Page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { AuditEntry, AuditQuery } from './audit.schema.ts'
import { listEntries } from './audit.ts'

export function auditRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Audit log')

  route.get('/workspace/audit-log', {
    operationId: 'listAuditLog',
    summary: 'List who changed what in the workspace, newest first',
    access: admin({ feature: 'audit_log' }),
    query: AuditQuery,
    response: { 200: Page(AuditEntry) },
    handler: ({ db, caller, query }) => listEntries(db, caller.workspace_id, query),
  })
  route.get('/admin/audit-log', {
    operationId: 'listInstanceAuditLog',
    summary: 'List who changed what outside of workspaces, sign-ins among it, newest first',
    access: instanceAdmin(),
    query: AuditQuery,
    response: { 200: Page(AuditEntry) },
    handler: ({ db, query }) => listEntries(db, null, query),
  })
}
