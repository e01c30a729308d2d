import { expectStatus } from '../factories.ts'
import {
  accept,
  bothReview,
  complete,
  deliver,
  dispute,
  message,
  openedDispute,
  orderOf,
  proposeAs,
  reviewedGig,
} from '../sweeps/order-action-samples.ts'
import type { Recipe, RecipeContext, RequestParts } from './recipe-context.ts'

type Side = 'buyer' | 'seller'
type Sides = Awaited<ReturnType<typeof orderOf>>
type Step = (sides: Sides) => Promise<unknown>
type More = (sides: Sides) => Promise<Pick<RequestParts, 'path' | 'body'>>

const usersOf = async ({ t, callers, admin }: RecipeContext) => ({ t, owner: await callers.newOwner(), admin })

/** Recipes of an operation, and of its public path if it has one. */
function both(operationId: string, side: Side, steps: Step[], more: More | object = {}, isPublic = true) {
  const recipe =
    (withToken: boolean): Recipe =>
    async (context) => {
      const users = await usersOf(context)
      const { owner } = users
      const sides = await orderOf(users, side, steps)
      const { path, ...rest } = typeof more === 'function' ? await (more as More)(sides) : { path: {}, body: more }
      const headers = withToken
        ? {
            authorization: `Bearer ${
              expectStatus(await owner.post('/api/v1/api-tokens', { name: 'Orders', scopes: ['orders:write'] }), 201)
                .body.token
            }`,
          }
        : { ...owner.headers, 'x-workspace-id': owner.workspace_id }
      const body = rest.body && Object.keys(rest.body).length > 0 ? { body: rest.body } : {}
      return { headers, path: { id: sides.id, ...path }, ...body }
    }
  return {
    [operationId]: recipe(false),
    ...(isPublic && { [`public${operationId[0]?.toUpperCase()}${operationId.slice(1)}`]: recipe(true) }),
  }
}

const reason = { reason: 'Because.' }
const posts = { posts: [{ url: 'https://example.com/posts' }] }
const proposalOf =
  (by: Side): More =>
  async (sides) => ({ path: { proposal_id: (await proposeAs(by)(sides)).proposal.id } })
const fileOf: More = async (sides) => ({
  path: { media_id: (await deliver(sides)).contract.posts[0].media_id },
})

const ofDispute =
  (body?: object): Recipe =>
  async (context) => ({ path: await openedDispute(await usersOf(context)), ...(body && { body }) })

export const orderActionRecipes: Record<string, Recipe> = {
  ...both('acceptOrder', 'seller', []),
  ...both('deliverOrder', 'seller', [accept], posts),
  ...both('cancelOrder', 'seller', [accept], reason, false),
  ...both('completeOrder', 'buyer', [accept, deliver], {}, false),
  ...both('submitOrderRequirements', 'buyer', [accept], { requirements: 'Warm colors.' }),
  ...both('requestOrderRevision', 'buyer', [accept, deliver], reason),
  ...both('downloadOrderFile', 'buyer', [accept], fileOf),
  ...both('proposeRefund', 'buyer', [accept], { refund_amount: 20, ...reason }, false),
  ...both('acceptProposal', 'buyer', [accept], proposalOf('seller'), false),
  ...both('rejectProposal', 'buyer', [accept], proposalOf('seller'), false),
  ...both('withdrawProposal', 'buyer', [accept], proposalOf('buyer'), false),
  ...both('openDispute', 'buyer', [accept], reason),
  ...both('withdrawDispute', 'buyer', [accept, dispute]),
  ...both('listOrderMessages', 'buyer', [message]),
  ...both('sendOrderMessage', 'buyer', [], { text: 'Hello' }),
  ...both('markOrderMessagesRead', 'buyer', [], async (sides) => ({
    body: { message_id: (await message(sides)).id },
  })),
  ...both('reviewOrder', 'buyer', [accept, deliver, complete], { rating: 5 }),
  ...both('replyToReview', 'seller', [accept, deliver, complete, bothReview], { text: 'Thank you!' }),
  listGigReviews: async (context) => ({ path: await reviewedGig(await usersOf(context)) }),
  readDispute: ofDispute(),
  writeInDispute: ofDispute({ text: 'Hello' }),
  resolveDispute: ofDispute({ refund_amount: 20 }),
}
