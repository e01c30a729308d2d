import { doOn, orderedAndPaid } from '../../server/modules/marketplace/orders/orders.fixture.ts'
import { type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { publishedGig } from '../gigs.ts'
import { uploaded } from '../media.ts'
import type { Fixture } from './fixture.ts'
import type { Make, Sample } from './resources.ts'

const reason = { reason: 'Only half of the posts were delivered.' }

type Sides = { buyer: WorkspaceOwner; seller: WorkspaceOwner; id: string; gig_id: string }
type Side = 'buyer' | 'seller'
/** The users who make an order: `owner` is one side of it, and `admin` approves its payment. */
type Users = Pick<Fixture, 't' | 'owner' | 'admin'>

/** A paid order of 1,000 TRY that `owner` buys or sells, after these actions. Returns both sides. */
export async function orderOf(
  { t, owner, admin }: Users,
  side: Side,
  actions: ((sides: Sides) => Promise<unknown>)[] = [],
): Promise<Sides> {
  const other = await withWorkspace(t)
  const sides = side === 'buyer' ? { buyer: owner, seller: other } : { buyer: other, seller: owner }
  const { id, gig_id } = await orderedAndPaid(admin, sides.buyer, await publishedGig(sides.seller, { price: 1000 }))
  const made = { ...sides, id, gig_id }
  for (const action of actions) await action(made)
  return made
}

export const accept = ({ seller, id }: Sides) => doOn(seller, id, 'accept')
export const deliver = async ({ seller, id }: Sides) =>
  doOn(seller, id, 'deliver', { posts: [{ media_id: (await uploaded(seller)).id }] })
export const complete = ({ buyer, id }: Sides) => doOn(buyer, id, 'complete')
const proposal = { refund_amount: 20, ...reason }
export const proposeAs =
  (side: Side) =>
  (sides: Sides): Promise<{ proposal: { id: string } }> =>
    doOn(sides[side], sides.id, 'proposals', proposal)
export const dispute = ({ buyer, id }: Sides) => doOn(buyer, id, 'dispute', reason)
export const message = ({ seller, id }: Sides) => doOn(seller, id, 'messages', { text: 'Hello' })
export const bothReview = async ({ buyer, seller, id }: Sides) => {
  for (const who of [buyer, seller]) await doOn(who, id, 'review', { rating: 5 })
}

type Steps = ((sides: Sides) => Promise<unknown>)[]

const made =
  (side: Side, steps: Steps, body?: object): Make =>
  async (fixture): Promise<Sample> => ({ id: (await orderOf(fixture, side, steps)).id, ...(body && { body }) })

/** With the id of the proposal of `by`, on an order that the caller buys. */
const proposed =
  (by: Side): Make =>
  async (fixture) => {
    const sides = await orderOf(fixture, 'buyer', [accept])
    return { id: sides.id, within: (await proposeAs(by)(sides)).proposal.id }
  }

/** The id of the dispute of a delivered order. */
export const openedDispute = async (users: Users) => {
  const sides = await orderOf(users, 'buyer', [accept, deliver, message])
  return { id: (await dispute(sides)).dispute.id as string }
}

export const reviewedGig = async (users: Users) => {
  const { gig_id } = await orderOf(users, 'seller', [accept, deliver, complete, bothReview])
  return { id: gig_id }
}

const delivered: Make = async (fixture) => {
  const sides = await orderOf(fixture, 'buyer', [accept])
  const { contract } = await deliver(sides)
  return { id: sides.id, within: contract.posts[0].media_id }
}

const unreadMessage: Make = async (fixture) => {
  const sides = await orderOf(fixture, 'buyer')
  return { id: sides.id, body: { message_id: (await message(sides)).id } }
}

export const orderActionResources: Record<string, Make> = {
  orders: made('buyer', [accept, message]),
  disputes: openedDispute,
}

const orders = '/marketplace/orders/:id'
export const orderActionSamples: Record<string, Make> = {
  [`PATCH ${orders}/accept`]: made('seller', []),
  [`PATCH ${orders}/deliver`]: made('seller', [accept], { posts: [{ url: 'https://example.com/posts' }] }),
  [`PATCH ${orders}/complete`]: made('buyer', [accept, deliver]),
  [`PATCH ${orders}/cancel`]: made('seller', [accept], reason),
  [`POST ${orders}/requirements`]: made('buyer', [], { requirements: 'Warm colors.' }),
  [`POST ${orders}/revision`]: made('buyer', [accept, deliver], reason),
  [`GET ${orders}/files/:media_id`]: delivered,
  [`POST ${orders}/proposals`]: made('buyer', [accept], proposal),
  [`POST ${orders}/proposals/:proposal_id/accept`]: proposed('seller'),
  [`POST ${orders}/proposals/:proposal_id/reject`]: proposed('seller'),
  [`POST ${orders}/proposals/:proposal_id/withdraw`]: proposed('buyer'),
  [`POST ${orders}/dispute`]: made('buyer', [accept], reason),
  [`POST ${orders}/dispute/withdraw`]: made('buyer', [accept, dispute]),
  [`POST ${orders}/messages`]: made('buyer', [], { text: 'Hello' }),
  [`POST ${orders}/messages/read`]: unreadMessage,
  [`POST ${orders}/review`]: made('buyer', [accept, deliver, complete], { rating: 5, text: 'On time.' }),
  [`POST ${orders}/review/reply`]: made('seller', [accept, deliver, complete, bothReview], { text: 'Thank you!' }),
  'GET /marketplace/gigs/:id/reviews': reviewedGig,
  'POST /admin/marketplace/disputes/:id/messages': async (fixture) => ({
    ...(await openedDispute(fixture)),
    body: { text: 'Hello' },
  }),
  'POST /admin/marketplace/disputes/:id/resolve': async (fixture) => ({
    ...(await openedDispute(fixture)),
    body: { refund_amount: 20, note: 'Half was delivered.' },
  }),
}
