import type { FastifyInstance } from 'fastify'
import { Page } from '../../../../lib/db/page.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { admin, anyone } from '../../../../lib/http/access.ts'
import { routes } from '../../../../lib/http/route.ts'
import { idParams } from '../../../../lib/http/schema/schema.ts'
import { OrderView } from '../record/order-view.schema.ts'
import { GigReview, GigReviewQuery, ReplyInput, ReviewInput } from './reviews.schema.ts'
import { listGigReviews, replyToReview, reviewOrder } from './reviews.ts'

const access = admin({ scope: 'orders:write' })
const params = idParams('order')

export function reviewRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.post('/marketplace/orders/:id/review', {
    operationId: 'reviewOrder',
    summary: 'Review an order',
    description:
      'Each side reviews an order once, within 14 days after it was completed, or canceled after its acceptance. Reviews are published when both are in, or after these 14 days.',
    access,
    params,
    body: ReviewInput,
    response: { 201: OrderView },
    handler: ({ deps, caller, params, body }) => reviewOrder(deps, caller, params.id, body),
  })
  route.post('/marketplace/orders/:id/review/reply', {
    operationId: 'replyToReview',
    summary: 'Reply to a review',
    description: 'Replies to the published review of the other side, once.',
    access,
    params,
    body: ReplyInput,
    response: { 200: OrderView },
    handler: ({ deps, caller, params, body }) => replyToReview(deps, caller, params.id, body),
  })
  route.get('/marketplace/gigs/:id/reviews', {
    operationId: 'listGigReviews',
    summary: 'List the reviews of a gig',
    description: 'Returns the published reviews of buyers, newest first.',
    access: anyone(),
    params: idParams('gig'),
    query: GigReviewQuery,
    response: { 200: Page(GigReview) },
    handler: ({ db, params, query }) => listGigReviews(db, params.id, query),
  })
}
