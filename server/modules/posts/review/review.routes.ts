import type { FastifyInstance } from 'fastify'
import { Page, PageQuery } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { admin, author, editor, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams } from '../../../lib/http/schema/schema.ts'
import { Post } from '../record/posts.schema.ts'
import { readApprovalPolicies, saveAccountPolicy, saveApprovalPolicy } from './approval-policies.ts'
import { listReviews, readReview } from './read-review.ts'
import {
  ApprovalPolicies,
  ApprovePost,
  NewAccountPolicy,
  NewApprovalPolicy,
  RejectPost,
  RequestApproval,
  Review,
  ReviewState,
} from './review.schema.ts'
import { approvePost, rejectPost, requestApproval } from './review.ts'

export function postReviewRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')

  route.get('/workspace/approval-policies', {
    operationId: 'readApprovalPolicies',
    summary: 'Retrieve the policies of approval',
    description: 'Returns who must approve posts: the policy of the workspace, and those of single accounts.',
    access: viewer({ scope: 'posts:read' }),
    response: { 200: ApprovalPolicies },
    handler: ({ db, caller }) => readApprovalPolicies(db, caller),
  })
  route.put('/workspace/approval-policy', {
    operationId: 'saveApprovalPolicy',
    summary: 'Replace the policy of approval of the workspace',
    description:
      'Sets who must approve posts on accounts without a policy of their own. Scheduled posts that are not approved as it asks are put in review. A mode other than `none` needs the feature `approvals`.',
    access: admin({ scope: 'workspace:write' }),
    body: NewApprovalPolicy,
    response: { 200: ApprovalPolicies },
    handler: ({ deps, caller, body }) => saveApprovalPolicy(deps, caller, body),
  })
  route.put('/accounts/:id/approval-policy', {
    operationId: 'saveAccountApprovalPolicy',
    summary: 'Replace the policy of approval of an account',
    description:
      'Sets who must approve posts on this account, in place of the policy of the workspace, and returns all policies. Scheduled posts that are not approved as it asks are put in review. The modes `one` and `steps` need the feature `approvals`.',
    access: admin({ scope: 'workspace:write' }),
    params: idParams('account'),
    body: NewAccountPolicy,
    response: { 200: ApprovalPolicies },
    handler: ({ deps, caller, params, body }) => saveAccountPolicy(deps, caller, params.id, body),
  })
  route.get('/posts/reviews', {
    operationId: 'listReviews',
    summary: 'List the open steps of posts in review',
    description: 'Returns the open steps of each post that waits for review, newest first.',
    access: viewer({ scope: 'posts:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(ReviewState) },
    handler: ({ deps, caller, query }) => listReviews(deps, caller, query),
  })
  route.get('/posts/:id/review', {
    operationId: 'readReview',
    summary: 'Retrieve the review of a post',
    description: 'Returns what the approval of the post still needs, and the decisions so far.',
    access: viewer({ scope: 'posts:read' }),
    params: idParams('post'),
    response: { 200: Review },
    handler: ({ deps, caller, params }) => readReview(deps, caller, params.id),
  })
  route.post('/posts/:id/request-approval', {
    operationId: 'requestApproval',
    summary: 'Ask for the approval of a post',
    description:
      'Puts a draft, a scheduled post or a rejected one in review, also where no policy asks for it: then an editor decides.',
    access: author({ scope: 'posts:write' }),
    params: idParams('post'),
    body: RequestApproval,
    response: { 200: Post },
    handler: ({ deps, caller, params, body }) => requestApproval(deps, caller, params.id, body),
  })
  route.post('/posts/:id/approve', {
    operationId: 'approvePost',
    summary: 'Approve a post',
    description:
      'Approves a post whose `review` is `pending` or `rejected`, as it is now. If the policies of its accounts ask for further approvals, it goes on waiting. If not, a post with a planned time is scheduled for it, one whose time has just passed is published at once, and one without stays a draft, which can then be scheduled or published. Send `If-Match` with the version that you have seen.',
    access: editor({ scope: 'posts:write' }),
    params: idParams('post'),
    body: ApprovePost,
    response: { 200: Post },
    takesIfMatch: true,
    handler: ({ deps, caller, params, body, ifMatch }) => approvePost(deps, caller, params.id, body, ifMatch),
  })
  route.post('/posts/:id/reject', {
    operationId: 'rejectPost',
    summary: 'Reject a post',
    description: 'Rejects a post that waits for review. It stays a draft that can be changed and approved later.',
    access: editor({ scope: 'posts:write' }),
    params: idParams('post'),
    body: RejectPost,
    response: { 200: Post },
    takesIfMatch: true,
    handler: ({ deps, caller, params, body, ifMatch }) => rejectPost(deps, caller, params.id, body, ifMatch),
  })
}
