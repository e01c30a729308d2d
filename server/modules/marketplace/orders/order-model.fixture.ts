import { DAY, HOUR } from '../../../../shared/time.ts'

export type Side = 'buyer' | 'seller'
type Status =
  | 'pending_payment'
  | 'pending'
  | 'in_progress'
  | 'delivered'
  | 'completed'
  | 'canceled'
  | 'disputed'
  | 'expired'

/** What is expected of an order, told by its own rules. Amounts in minor units, times in milliseconds. */
export type Model = {
  status: Status
  price: bigint
  fee_bps: bigint
  /** Went back to the buyer. */
  refund: bigint
  isPaid: boolean
  hasRequirements: boolean
  revisions: number
  /** The page to pay on closes, the seller must accept, deliver, or the order completes by itself. */
  payBy: number
  acceptBy: number
  due: number
  completesAt: number
  disputeUntil: number
  dispute: { by: Side; from: Status; at: number } | null
  proposal: { by: Side; amount: bigint; until: number } | null
}

const DELIVERY = 3 * DAY
const DISPUTE = 7 * DAY
const REVISIONS = 2

const isUnderway = ({ status }: Model) => status === 'in_progress' || status === 'delivered'
const larger = <T extends bigint | number>(a: T, b: T) => (a > b ? a : b)
const isOpen = (model: Model, now: number) => model.proposal !== null && model.proposal.until > now

/** The fee, whose half a minor unit is rounded to the even one, and the payout of what is left of the price. */
export function shares({ price, refund, fee_bps }: Pick<Model, 'price' | 'refund' | 'fee_bps'>) {
  const product = (price - refund) * fee_bps
  const [whole, rest] = [product / 10_000n, product % 10_000n]
  const fee = rest > 5000n || (rest === 5000n && whole % 2n === 1n) ? whole + 1n : whole
  return { fee, payout: price - refund - fee }
}

function end(model: Model, status: 'completed' | 'canceled', refund: bigint, disputeUntil = 0) {
  Object.assign(model, { status, refund: larger(model.refund, refund), disputeUntil, proposal: null, dispute: null })
}

type Move = (model: Model, now: number, by: Side, amount: bigint) => boolean

/** Makes a move if it is allowed. Returns whether it is. */
const move =
  (isAllowed: (model: Model, now: number, by: Side) => boolean, apply: (...args: Parameters<Move>) => void): Move =>
  (model, now, by, amount) => {
    if (!isAllowed(model, now, by)) return false
    apply(model, now, by, amount)
    return true
  }

/** Ends an order with a refund: all of the price cancels it. */
const divide = (model: Model, amount: bigint) => end(model, amount === model.price ? 'canceled' : 'completed', amount)

export const moves = {
  accept: move(
    (model, _, by) => by === 'seller' && model.status === 'pending',
    (model, now) => Object.assign(model, { status: 'in_progress', due: now + DELIVERY }),
  ),
  requirements: move(
    ({ status, hasRequirements }, _, by) =>
      by === 'buyer' &&
      (status === 'pending_payment' || status === 'pending' || (status === 'in_progress' && !hasRequirements)),
    (model, now) => {
      model.hasRequirements = true
      if (model.status === 'in_progress') model.due = now + DELIVERY
    },
  ),
  deliver: move(
    (model, _, by) => by === 'seller' && isUnderway(model),
    (model, now) => Object.assign(model, { status: 'delivered', completesAt: now + 7 * DAY }),
  ),
  revision: move(
    ({ status, revisions }, _, by) => by === 'buyer' && status === 'delivered' && revisions < REVISIONS,
    (model, now) => {
      Object.assign(model, { status: 'in_progress', revisions: model.revisions + 1, due: now + DELIVERY })
    },
  ),
  complete: move(
    ({ status }, _, by) => by === 'buyer' && status === 'delivered',
    (model, now) => end(model, 'completed', 0n, now + DISPUTE),
  ),
  complete_by_admin: move(
    ({ status }) => status === 'delivered',
    (model, now) => end(model, 'completed', 0n, now + DISPUTE),
  ),
  withdraw: move(
    ({ status }, _, by) => by === 'buyer' && (status === 'pending_payment' || status === 'pending'),
    (model) => {
      if (model.status === 'pending') end(model, 'canceled', model.price)
      else model.status = 'expired'
    },
  ),
  cancel: move(
    (model, now, by) =>
      model.status === 'pending' ||
      (by === 'seller' ? isUnderway(model) : model.status === 'in_progress' && now > model.due + DAY),
    (model) => end(model, 'canceled', model.price),
  ),
  dispute: move(
    (model, now, by) =>
      isUnderway(model) ||
      (model.status === 'completed' &&
        by === 'buyer' &&
        !model.dispute &&
        now <= model.disputeUntil &&
        model.refund < model.price),
    (model, now, by) => {
      model.dispute = { by, from: model.status, at: now }
      if (model.status !== 'completed') Object.assign(model, { status: 'disputed', proposal: null })
    },
  ),
  withdraw_dispute: move(
    ({ dispute }, _, by) => dispute?.by === by,
    (model, now) => {
      const { dispute } = model
      if (!dispute) return
      const lasted = dispute.from === 'completed' ? 0 : now - dispute.at
      const [due, completesAt] = [model.due + lasted, model.completesAt + lasted]
      Object.assign(model, { status: dispute.from, dispute: null, due, completesAt })
    },
  ),
  resolve: move(
    ({ dispute }) => dispute !== null,
    (model, _now, _by, amount) => {
      if (model.status === 'completed') end(model, 'completed', amount)
      else divide(model, amount)
    },
  ),
  propose: move(
    (model, now) => isUnderway(model) && !isOpen(model, now),
    (model, now, by, amount) => {
      model.proposal = { by, amount, until: now + 48 * HOUR }
    },
  ),
  accept_proposal: move(
    (model, now, by) => isUnderway(model) && isOpen(model, now) && model.proposal?.by !== by,
    (model) => divide(model, model.proposal?.amount ?? 0n),
  ),
  reject_proposal: move(
    (model, now, by) => isUnderway(model) && isOpen(model, now) && model.proposal?.by !== by,
    (model) => {
      model.proposal = null
    },
  ),
  withdraw_proposal: move(
    (model, now, by) => isUnderway(model) && isOpen(model, now) && model.proposal?.by === by,
    (model) => {
      model.proposal = null
    },
  ),
} as const satisfies Record<string, Move>
export type MoveName = keyof typeof moves

/** What falls due by `now`: one change at most, because the clock makes one jump. */
export function pass(model: Model, now: number) {
  const { status, price } = model
  if (status === 'pending_payment' && now >= model.payBy) model.status = 'expired'
  else if (status === 'pending' && now >= model.acceptBy) end(model, 'canceled', price)
  else if (status === 'delivered' && now >= model.completesAt) end(model, 'completed', 0n, now + DISPUTE)
  if (!isOpen(model, now)) model.proposal = null
}

/** A part of the payment that went back to the buyer at the provider. All of it ends an order that is underway. */
export function returned(model: Model, amount: bigint) {
  const refund = model.refund + amount
  if (refund < model.price) model.refund = refund
  else end(model, model.status === 'completed' ? 'completed' : 'canceled', refund)
}
