import { iyzicoServer } from './iyzico/iyzico.ts'
import { createJournal } from './journal.ts'
import { paytrServer } from './paytr/paytr.ts'
import { stripeServer } from './stripe/stripe.ts'
import { createTimers } from './timers.ts'
import { createWebhooks } from './webhooks.ts'

export type PaymentServers = Awaited<ReturnType<typeof paymentServers>>

/**
 * Stripe, iyzico and PayTR on one clock, with one journal of the money that truly moved. `now`: reads the clock of the
 * test.
 */
export async function paymentServers({ now = () => new Date() }: { now?: () => Date } = {}) {
  const timers = createTimers(now)
  const journal = createJournal()
  const webhooks = createWebhooks(timers)
  const world = { timers, journal, webhooks }
  const [stripe, iyzico, paytr] = await Promise.all([stripeServer(world), iyzicoServer(world), paytrServer(world)])

  return {
    stripe,
    iyzico,
    paytr,
    journal,
    webhooks,
    now: () => new Date(timers.time()),
    /** Does what fell due by the clock. Every call, and every 50 ms, do it too. */
    tick: timers.catchUp,
    /** Lets time pass at the providers alone, ahead of the clock that they were given. */
    advance: timers.moveAhead,
    /** When something happens next by itself, such as a renewal; null when nothing will. */
    nextDue: timers.nextDue,
    /** All calls to all providers in the order of their arrival. */
    calls: () => [...stripe.calls, ...iyzico.calls, ...paytr.calls].sort((a, b) => a.at.getTime() - b.at.getTime()),
    close: async () => {
      stripe.close()
      iyzico.close()
      paytr.close()
      await webhooks.close()
    },
  }
}
