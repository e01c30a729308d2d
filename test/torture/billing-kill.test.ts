import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Billing,
  billingApp,
  lastingOwner,
  openAtStripe,
  sellAtStripe,
  team,
} from '../../server/modules/billing/billing.fixture.ts'
import { kill, recoveryTimeout } from '../processes.ts'
import { randomNumbers } from '../random.ts'
import { scaled } from '../run/machine.ts'
import { SEED, timesOf } from './settings.ts'
import { startTortureWorker } from './start-worker.ts'

// More of it: npm run torture -- billing-kill
const KILLS = timesOf('BILLING_KILLS', 2)
const patient = { timeout: recoveryTimeout() }

let billing: Billing
let worker: ChildProcess | undefined
beforeEach(async () => {
  billing = await billingApp('stripe', {}, { origin: new Date() })
  await sellAtStripe(billing, 'team')
  worker = await startWorker()
})
afterEach(async () => {
  await kill(worker)
  await billing.close()
})

function startWorker() {
  const { url, key, webhookSecret } = billing.world.stripe
  return startTortureWorker(billing.t, {
    STRIPE_URL: url,
    STRIPE_SECRET_KEY: key,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  })
}

/** Pays two sessions of a workspace: one begins its subscription, the other is canceled at Stripe and refunded. */
async function payTwice() {
  const owner = await lastingOwner(billing)
  const sessions: string[] = []
  for (const period of ['yearly', 'monthly'])
    sessions.push((await openAtStripe(billing, owner, { ...team, period })).session)
  expect(sessions.map((id) => billing.world.stripe.payCheckout(id).paid)).toEqual([true, true])
  return owner.workspace_id
}

/** The faults in the books of a workspace, none in the end. */
async function faults(workspace_id: string) {
  const { rows } = await sql<{
    live: string[]
    paid: string
    unapplied: number
    refunded: string
    refunds: number
  }>`select
    (select array_agg(provider_subscription_id) from subscription
      where workspace_id = ${workspace_id} and status = 'active') as live,
    (select coalesce(sum(total), 0) from invoice where workspace_id = ${workspace_id} and status = 'paid') as paid,
    (select count(*)::int from payment where workspace_id = ${workspace_id} and use = 'unapplied') as unapplied,
    (select count(*)::int from refund join payment on payment.id = payment_id
      where workspace_id = ${workspace_id} and status = 'succeeded') as refunds`.execute(billing.t.deps.db)
  const { stripe, journal } = billing.world
  const running = stripe
    .subscriptions()
    .filter((each) => (each.metadata as Record<string, string>).workspace_id === workspace_id)
    .filter(({ status }) => status === 'active')
    .map(({ id }) => id)
  const charges = journal.charges(workspace_id)
  const refunds = charges.flatMap(({ id }) => journal.refunds().filter(({ charge }) => charge === id))
  return {
    live: rows[0]?.live,
    running,
    paid: BigInt(rows[0]?.paid ?? 0),
    net: charges.reduce((sum, { amount }) => sum + amount, 0n) - refunds.reduce((sum, { amount }) => sum + amount, 0n),
    charges: charges.length,
    refunds: [rows[0]?.unapplied, rows[0]?.refunds, refunds.length],
  }
}

test(
  `workers that are killed before, during and after calls of Stripe charge and refund once, and lose nothing (${KILLS} kills, seed ${SEED})`,
  async () => {
    const random = randomNumbers(SEED)
    for (let hit = 0; hit < KILLS; hit++) {
      const { stripe } = billing.world
      const before = stripe.calls.length
      // The first session is closed when the second one is opened, but must be paid here.
      stripe.failAlways({ kind: 'error', status: 500, works: false }, { path: '/expire' })
      // Between the call and the commit, between the commit and the call, and anywhere.
      const at = [{ method: 'POST', path: '/v1/refunds' }, { method: 'DELETE', path: '/v1/subscriptions' }, undefined][
        hit % 3
      ]
      if (at) stripe.failNext({ kind: 'hang', works: random() < 0.5 }, at)
      const workspaces = [await payTwice(), await payTwice()]
      const hasHung = () =>
        stripe.calls.slice(before).some(({ method, path }) => method === at?.method && path.includes(at.path))
      if (at) await expect.poll(hasHung, patient).toBe(true)
      else await sleep(random() * 1500)
      await kill(worker)
      stripe.mend()
      worker = await startWorker()
      for (const workspace_id of workspaces)
        await expect
          .poll(async () => {
            const found = await faults(workspace_id)
            const isSame = found.live?.length === 1 && found.running.length === 1 && found.live[0] === found.running[0]
            return { isSame, agree: found.paid === found.net, charges: found.charges, refunds: found.refunds }
          }, patient)
          .toEqual({ isSame: true, agree: true, charges: 2, refunds: [1, 1, 1] })
    }
  },
  scaled(60_000) + KILLS * 3 * recoveryTimeout(),
)
