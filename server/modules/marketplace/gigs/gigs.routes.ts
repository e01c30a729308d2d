import type { FastifyInstance } from 'fastify'
import { PARTIAL_PAGES, Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { admin, anyone, viewer, visitor } from '../../../lib/http/access.ts'
import { FileResponse } from '../../../lib/http/response/send-file.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idOf, idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { readGig } from './gig-record.ts'
import { ChangeGig, Gig, GigQuery, GigSummary, gigParams, NewGig, OwnGigQuery } from './gigs.schema.ts'
import { archiveGig, changeGig, createGig, deleteGig, listOwnGigs, unarchiveGig } from './gigs.ts'
import { listGigs } from './list.ts'
import { serveSample } from './samples.ts'

const sampleParams = Closed({ id: idOf('gig'), media_id: idOf('media', 'Id of the file.') })

export function gigRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.get('/marketplace/gigs', {
    operationId: 'listGigs',
    summary: 'List public gigs',
    description: `Returns published gigs. ${PARTIAL_PAGES}`,
    access: anyone(),
    query: GigQuery,
    response: { 200: Page(GigSummary) },
    handler: ({ db, query }) => listGigs(db, query),
  })
  route.post('/marketplace/gigs', {
    operationId: 'createGig',
    summary: 'Create a gig',
    description: 'Creates a gig of yours. It is a draft unless `status` publishes it.',
    access: admin({ scope: 'gigs:write', feature: 'marketplace.sell' }),
    body: NewGig,
    response: { 201: Gig },
    handler: ({ deps, caller, body }) => createGig(deps, caller, body),
  })
  route.get('/marketplace/gigs/mine', {
    operationId: 'listOwnGigs',
    summary: 'List your gigs',
    description:
      'Returns your gigs in this workspace in every status, newest first: those that are not archived, or those that are.',
    access: viewer({ scope: 'gigs:read' }),
    query: OwnGigQuery,
    response: { 200: Page(Gig) },
    handler: ({ db, caller, query }) => listOwnGigs(db, caller, query),
  })
  route.get('/marketplace/gigs/:id', {
    operationId: 'readGig',
    summary: 'Retrieve a gig',
    description:
      'Returns a public gig by its id or slug. Returns a gig of yours in any status, when you are signed in.',
    access: visitor(),
    params: gigParams,
    response: { 200: Gig },
    handler: ({ db, caller, params }) => readGig(db, caller, params.id),
  })
  route.patch('/marketplace/gigs/:id', {
    operationId: 'changeGig',
    summary: 'Update a gig',
    description:
      'Changes a gig of yours, at once. Running orders keep the terms of the time when they were placed. Publishing needs the feature `marketplace.sell`.',
    access: admin({ scope: 'gigs:write' }),
    params: idParams('gig'),
    body: ChangeGig,
    response: { 200: Gig },
    handler: ({ deps, caller, params, body, ifMatch }) => changeGig(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/marketplace/gigs/:id', {
    operationId: 'deleteGig',
    summary: 'Delete a gig',
    description: 'Deletes a gig of yours that nobody ordered. Archive one that has orders.',
    access: admin({ scope: 'gigs:write' }),
    params: idParams('gig'),
    response: { 204: NoContent },
    handler: ({ db, caller, params }) => deleteGig(db, caller, params.id),
  })

  route.post('/marketplace/gigs/:id/archive', {
    operationId: 'archiveGig',
    summary: 'Archive a gig',
    description:
      'Puts a gig of yours away. It is not public, cannot be ordered or changed, and is left out of the list of your gigs. Its orders go on. Repeating it changes nothing.',
    access: admin({ scope: 'gigs:write' }),
    params: idParams('gig'),
    response: { 200: Gig },
    handler: ({ deps, caller, params }) => archiveGig(deps, caller, params.id),
  })
  route.post('/marketplace/gigs/:id/unarchive', {
    operationId: 'unarchiveGig',
    summary: 'Restore an archived gig',
    description:
      'Brings an archived gig of yours back: as a draft if it was never published, otherwise paused. Repeating it changes nothing.',
    access: admin({ scope: 'gigs:write' }),
    params: idParams('gig'),
    response: { 200: Gig },
    handler: ({ deps, caller, params }) => unarchiveGig(deps, caller, params.id),
  })

  const description =
    'Supports `Range` and `If-None-Match`. Files of gigs that are not public are sent to their owner only.'
  route.get('/marketplace/gigs/:id/samples/:media_id', {
    operationId: 'downloadGigSample',
    summary: 'Download a file that a gig shows',
    description,
    access: visitor(),
    params: sampleParams,
    response: { 200: FileResponse },
    instead: { 'image/*': 'An image.', 'video/*': 'A video.' },
    handler: ({ deps, caller, params }) => serveSample(deps, caller, params, 'file'),
  })
  route.get('/marketplace/gigs/:id/samples/:media_id/thumbnail', {
    operationId: 'downloadGigSampleThumbnail',
    summary: 'Download the thumbnail of a file that a gig shows',
    description: `A WebP image of at most 400 by 400 pixels. ${description}`,
    access: visitor(),
    params: sampleParams,
    response: { 200: FileResponse },
    instead: { 'image/*': 'The thumbnail.' },
    handler: ({ deps, caller, params }) => serveSample(deps, caller, params, 'thumbnail'),
  })
}
