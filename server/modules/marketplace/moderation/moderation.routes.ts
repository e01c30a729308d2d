import type { FastifyInstance } from 'fastify'
import { Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { instanceAdmin, user } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams } from '../../../lib/http/schema/schema.ts'
import { gigParams } from '../gigs/gigs.schema.ts'
import {
  AdminGig,
  AdminGigQuery,
  GigReport,
  GigReportQuery,
  NewGigReport,
  OwnGigReport,
  TakeDown,
} from './moderation.schema.ts'
import { dismissReport, listReports, reportGig } from './reports.ts'
import { listGigsForAdmin, restoreGig, takeDownGig } from './take-down.ts'

export function moderationRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.post('/marketplace/gigs/:id/report', {
    operationId: 'reportGig',
    summary: 'Report a gig',
    description: 'Reports a public gig to the instance admins. A user reports a gig once.',
    access: user(),
    params: gigParams,
    body: NewGigReport,
    response: { 201: OwnGigReport },
    handler: ({ db, caller, params, body }) => reportGig(db, caller, params.id, body),
  })
  route.get('/admin/marketplace/reports', {
    operationId: 'listGigReports',
    summary: 'List reports of gigs',
    description: 'Returns reports, newest first.',
    access: instanceAdmin(),
    query: GigReportQuery,
    response: { 200: Page(GigReport) },
    handler: ({ db, query }) => listReports(db, query),
  })
  route.post('/admin/marketplace/reports/:id/dismiss', {
    operationId: 'dismissGigReport',
    summary: 'Dismiss a report of a gig',
    description: 'Closes a report. The gig stays as it is. Dismissing it again changes nothing.',
    access: instanceAdmin(),
    params: idParams('gig_report'),
    response: { 200: GigReport },
    handler: ({ deps, caller, params }) => dismissReport(deps, caller, params.id),
  })
  route.get('/admin/marketplace/gigs', {
    operationId: 'listGigsForAdmin',
    summary: 'List the gigs of all workspaces',
    description: 'Returns gigs in every status, newest first.',
    access: instanceAdmin(),
    query: AdminGigQuery,
    response: { 200: Page(AdminGig) },
    handler: ({ db, query }) => listGigsForAdmin(db, query),
  })
  route.post('/admin/marketplace/gigs/:id/take-down', {
    operationId: 'takeDownGig',
    summary: 'Take down a gig',
    description:
      'Hides a gig, and sends the reason to its owner by mail. Its orders go on. Hiding it again changes nothing.',
    access: instanceAdmin(),
    params: idParams('gig'),
    body: TakeDown,
    response: { 200: AdminGig },
    handler: ({ deps, caller, params, body }) => takeDownGig(deps, caller, params.id, body),
  })
  route.post('/admin/marketplace/gigs/:id/restore', {
    operationId: 'restoreGig',
    summary: 'Restore a gig',
    description: 'Shows a gig again that was taken down. Restoring it again changes nothing.',
    access: instanceAdmin(),
    params: idParams('gig'),
    response: { 200: AdminGig },
    handler: ({ deps, caller, params }) => restoreGig(deps, caller, params.id),
  })
}
