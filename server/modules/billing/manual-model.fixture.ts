import { periodEndAfter } from './records/periods.ts'

const DAY = 86_400_000
const GRACE = 21 * DAY

export type Plan = 'pro' | 'team'
export type Period = 'monthly' | 'yearly'
type Terms = { plan: Plan; period: Period; amount: bigint }
type Subscription = Terms & {
  status: 'active' | 'past_due' | 'canceled' | 'expired'
  anchor: Date
  start: Date
  end: Date
  cancels: boolean
  pending: Terms | null
  deadline: Date | null
  /** The payment of the next period. */
  renewal: Terms | null
  change: (Terms & { price: bigint; until: Date }) | null
}

const prices = { pro: { monthly: 49_900n, yearly: 499_000n }, team: { monthly: 149_900n, yearly: 1_499_000n } }
const after = (time: Date, days: number) => new Date(time.getTime() + days * DAY)

/** The part of a price for what is left of a period, in whole minor units. */
function left(amount: bigint, { start, end }: Subscription, now: Date) {
  const whole = end.getTime() - start.getTime()
  const rest = Math.min(whole, Math.max(0, end.getTime() - now.getTime()))
  const [product, divisor] = [amount * BigInt(rest), BigInt(whole)]
  const floor = product / divisor
  const twice = 2n * (product - floor * divisor)
  return twice > divisor || (twice === divisor && floor % 2n === 1n) ? floor + 1n : floor
}

/** The life of one workspace that pays by hand, as the documentation describes it. Methods return whether a call is allowed. */
export function createModel(begin: Date) {
  let now = begin
  let last: Subscription | null = null
  let checkout: (Terms & { until: Date }) | null = null
  const paid: string[] = []

  const live = () => (last?.status === 'active' || last?.status === 'past_due' ? last : null)
  const finish = (sub: Subscription, status: 'canceled' | 'expired') => {
    Object.assign(sub, { status, pending: null, deadline: null, renewal: null, change: null })
  }
  const withdraw = (sub: Subscription) => Object.assign(sub, { renewal: null, change: null })
  const termsOf = (plan: Plan, period: Period): Terms => ({ plan, period, amount: prices[plan][period] })

  /** Everything that falls due by itself, in the order of its time. */
  function pass() {
    if (checkout && checkout.until <= now) checkout = null
    const sub = live()
    if (!sub) return
    if (sub.change && sub.change.until <= now) sub.change = null
    if (sub.status === 'active' && !sub.cancels && now >= after(sub.end, -7))
      sub.renewal ??= sub.pending ?? { plan: sub.plan, period: sub.period, amount: sub.amount }
    if (sub.status === 'active' && now >= sub.end) {
      if (sub.cancels) return finish(sub, 'canceled')
      sub.status = 'past_due'
      // After a standstill of a day, the grace begins when Meydan asks.
      const since = now.getTime() - sub.end.getTime() > DAY ? now : sub.end
      sub.deadline = new Date(since.getTime() + GRACE)
    }
    if (sub.status === 'past_due' && sub.deadline && now >= sub.deadline) finish(sub, 'expired')
  }

  function start({ plan, period, amount }: Terms) {
    const end = periodEndAfter(now, period, now)
    last = {
      ...{ plan, period, amount, status: 'active', anchor: now, start: now, end, cancels: false },
      ...{ pending: null, deadline: null, renewal: null, change: null },
    }
  }

  function renew(sub: Subscription, { plan, period, amount }: Terms) {
    const anchor = period === sub.period ? sub.anchor : sub.end
    const end = periodEndAfter(anchor, period, sub.end)
    Object.assign(sub, { plan, period, amount, anchor, start: sub.end, end, status: 'active' })
    Object.assign(sub, { pending: null, deadline: null, renewal: null, change: null })
  }

  function changeTo(sub: Subscription, { plan, period, amount }: Terms) {
    const restarts = period !== sub.period
    if (restarts) Object.assign(sub, { anchor: now, start: now, end: periodEndAfter(now, period, now) })
    Object.assign(sub, { plan, period, amount, pending: null, renewal: null, change: null })
  }

  const model = {
    passTo: (time: Date) => {
      now = time
      pass()
    },
    checkout: (plan: Plan, period: Period) => {
      if (live()) return false
      const terms = termsOf(plan, period)
      const isSame = checkout?.plan === plan && checkout.period === period
      if (!isSame) checkout = { ...terms, until: after(now, 30) }
      return true
    },
    approve: (purpose: string) => {
      const sub = live()
      if (purpose === 'start') {
        if (!checkout) return false
        paid.push(`applied ${checkout.amount}`)
        start(checkout)
        checkout = null
        return true
      }
      if (!sub) return false
      if (purpose === 'renewal') {
        if (!sub.renewal) return false
        paid.push(`applied ${sub.renewal.amount}`)
        renew(sub, sub.renewal)
        return true
      }
      if (!sub.change) return false
      if (sub.status === 'past_due') {
        paid.push(`unapplied ${sub.change.price}`)
        sub.change = null
        return true
      }
      paid.push(`applied ${sub.change.price}`)
      changeTo(sub, sub.change)
      return true
    },
    reject: (purpose: string) => {
      const sub = live()
      if (purpose === 'start') {
        const allowed = checkout !== null
        checkout = null
        return allowed
      }
      if (purpose === 'change') {
        const allowed = sub?.change != null
        if (sub) sub.change = null
        return allowed
      }
      // Another request takes its place.
      return sub?.renewal != null
    },
    cancel: () => {
      const sub = live()
      if (!sub) return false
      if (sub.status === 'past_due') finish(sub, 'canceled')
      else Object.assign(sub, { cancels: true, change: null })
      return true
    },
    resume: () => {
      const sub = live()
      if (sub) sub.cancels = false
      return sub !== null
    },
    change: (plan: Plan, period: Period) => {
      const sub = live()
      if (!sub || sub.status === 'past_due') return false
      const target = termsOf(plan, period)
      if (plan === sub.plan && period === sub.period) {
        if (sub.pending) Object.assign(withdraw(sub), { pending: null })
        return true
      }
      const now_ = period === sub.period ? target.amount > sub.amount : period === 'yearly'
      if (!now_) {
        Object.assign(withdraw(sub), { pending: target })
        return true
      }
      if (sub.cancels) return false
      const credit = left(sub.amount, sub, now)
      const due = period === sub.period ? left(target.amount, sub, now) : target.amount
      const price = due > credit ? due - credit : 0n
      if (price === 0n) changeTo(sub, target)
      else if (!sub.change || sub.change.plan !== plan || sub.change.period !== period || sub.change.price !== price)
        sub.change = { ...target, price, until: after(now, 30) }
      return true
    },
    extend: (days: number) => {
      const sub = live()
      if (!sub) return false
      const end = after(sub.end > now ? sub.end : now, days)
      Object.assign(withdraw(sub), { end, anchor: end, status: 'active', deadline: null })
      return true
    },
    expire: () => {
      const sub = live()
      if (sub) finish(sub, 'expired')
      return sub !== null
    },
    state: () => ({
      subscription: last && {
        ...{ status: last.status, plan: last.plan, period: last.period, amount: last.amount },
        ...{ start: last.start, end: last.end, cancels: last.cancels, deadline: last.deadline },
        pending: last.pending && `${last.pending.plan} ${last.pending.period}`,
      },
      granted: live()?.plan ?? null,
      requests: [
        ...(checkout ? [`start ${checkout.plan} ${checkout.amount}`] : []),
        ...(last?.renewal ? [`renewal ${last.renewal.plan} ${last.renewal.amount}`] : []),
        ...(last?.change ? [`change ${last.change.plan} ${last.change.price}`] : []),
      ].toSorted(),
      paid,
      openInvoices: last?.renewal ? [last.renewal.amount] : [],
    }),
  }
  return model
}
