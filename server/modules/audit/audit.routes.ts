import type { FastifyInstance } from 'fastify'
import { Page } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { admin, instanceAdmin } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { AuditEntry, AuditQuery } from './audit.schema.ts'
import { listEntries } from './audit.ts'

export function auditRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Audit log')

  route.get('/workspace/audit-log', {
    operationId: 'listAuditLog',
    summary: 'List audit log entries of the workspace',
    description: 'Returns the changes made in the workspace, newest first.',
    access: admin({ feature: 'audit_log' }),
    query: AuditQuery,
    response: { 200: Page(AuditEntry) },
    handler: ({ db, caller, query }) => listEntries(db, caller.workspace_id, query),
  })
  route.get('/admin/audit-log', {
    operationId: 'listInstanceAuditLog',
    summary: 'List audit log entries of the instance',
    description: 'Returns the changes made outside workspaces, including sign-ins, newest first.',
    access: instanceAdmin(),
    query: AuditQuery,
    response: { 200: Page(AuditEntry) },
    handler: ({ db, query }) => listEntries(db, null, query),
  })
}
