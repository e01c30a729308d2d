import { inTransaction } from '../../server/lib/db/database.ts'
import { paidOrder } from '../../server/modules/marketplace/orders/orders.fixture.ts'
import { publishReviews } from '../../server/modules/marketplace/orders/reviews/publish-reviews.ts'
import type { Client } from '../client.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { uploaded } from '../media.ts'
import type { Fixture } from './fixture.ts'
import type { Make, Sample } from './resources.ts'

const path = (id: string, action: string) => `/api/v1/marketplace/orders/${id}/${action}`
const reason = { reason: 'Only half of the posts were delivered.' }

type Sides = { buyer: WorkspaceOwner; seller: WorkspaceOwner; id: string }
type Side = 'buyer' | 'seller'

/** A paid order of 1,000 TRY that `owner` buys or sells, after these actions. Returns both sides. */
export async function orderOf(
  { t, owner }: Pick<Fixture, 't' | 'owner'>,
  side: Side,
  actions: ((sides: Sides) => Promise<unknown>)[] = [],
): Promise<Sides> {
  const other = await withWorkspace(t)
  const sides = side === 'buyer' ? { buyer: owner, seller: other } : { buyer: other, seller: owner }
  const id = await paidOrder(t, sides, { price: 100_000n, requirements: null })
  for (const action of actions) await action({ ...sides, id })
  return { ...sides, id }
}

const post = async (who: Client, id: string, action: string, body?: object) => {
  const answer = await who.post(path(id, action), body)
  return expectStatus(answer, answer.status === 200 ? 200 : 201).body
}
export const accept = async ({ seller, id }: Sides) => expectStatus(await seller.patch(path(id, 'accept')), 200)
export const deliver = async ({ seller, id }: Sides) => {
  const posts = [{ media_id: (await uploaded(seller)).id }]
  return expectStatus(await seller.patch(path(id, 'deliver'), { posts }), 200)
}
export const complete = async ({ buyer, id }: Sides) => expectStatus(await buyer.patch(path(id, 'complete')), 200)
const proposal = { refund_amount: 20, ...reason }
export const proposeAs =
  (side: Side) =>
  (sides: Sides): Promise<{ proposal: { id: string } }> =>
    post(sides[side], sides.id, 'proposals', proposal)
export const dispute = ({ buyer, id }: Sides) => post(buyer, id, 'dispute', reason)
export const message = ({ seller, id }: Sides) => post(seller, id, 'messages', { text: 'Hello' })
export const bothReview = async ({ buyer, seller, id }: Sides) => {
  for (const who of [buyer, seller]) await post(who, id, 'review', { rating: 5 })
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

const disputed: Make = async (fixture) => {
  const sides = await orderOf(fixture, 'buyer', [accept, deliver, message, dispute])
  const { dispute: opened } = await openedDispute(fixture, sides.id)
  return { id: opened }
}

export async function openedDispute({ t }: Pick<Fixture, 't'>, order_id: string) {
  const { id } = await t.deps.db
    .selectFrom('order_dispute')
    .select('id')
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
  return { dispute: id }
}

export const reviewedGig = async ({ t, owner }: Pick<Fixture, 't' | 'owner'>) => {
  const { id, buyer } = await orderOf({ t, owner }, 'seller', [accept, deliver, complete])
  await post(buyer, id, 'review', { rating: 4, text: 'Good.' })
  await inTransaction(t.deps.db, (tx) => publishReviews(t.deps, tx, id, t.clock.now()))
  const row = await t.deps.db.selectFrom('gig_order').select('gig_id').where('id', '=', id).executeTakeFirstOrThrow()
  return { id: row.gig_id ?? '' }
}

const delivered: Make = async (fixture) => {
  const sides = await orderOf(fixture, 'buyer', [accept])
  const { body } = await deliver(sides)
  return { id: sides.id, within: body.contract.posts[0].media_id }
}

const unreadMessage: Make = async (fixture) => {
  const sides = await orderOf(fixture, 'buyer')
  return { id: sides.id, body: { message_id: (await message(sides)).id } }
}

export const orderActionResources: Record<string, Make> = {
  orders: made('buyer', [accept, message]),
  disputes: disputed,
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
    ...(await disputed(fixture)),
    body: { text: 'Hello' },
  }),
  'POST /admin/marketplace/disputes/:id/resolve': async (fixture) => ({
    ...(await disputed(fixture)),
    body: { refund_amount: 20, note: 'Half was delivered.' },
  }),
}
