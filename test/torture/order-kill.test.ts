import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterEach, expect, inject, test } from 'vitest'
import {
  type Billing,
  billingApp,
  payOnPage,
  providerSettings,
  settle,
} from '../../server/modules/billing/billing.fixture.ts'
import { buyerOfIyzico, buyer as payer } from '../../server/modules/billing/providers/iyzico/iyzico.fixture.ts'
import { delivery, doOn, ordered, readOrder } from '../../server/modules/marketplace/orders/orders.fixture.ts'
import { clearEarnings } from '../../server/modules/marketplace/payouts/clearance.ts'
import { payoutAccount } from '../../server/modules/marketplace/payouts/payouts.fixture.ts'
import { client } from '../client.ts'
import { expectStatus, openSession, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { publishedGig } from '../gigs.ts'
import { lasting } from '../people.ts'
import { postgresProxy } from '../postgres-proxy.ts'
import { kill } from '../processes.ts'
import { randomNumbers } from '../random.ts'
import { scaled } from '../run/machine.ts'
import type { PaymentProvider } from '../stand-ins/payment-providers/journal.ts'
import { until } from '../until.ts'
import { expectBooks, freeJobs } from './books.ts'
import { SEED, timesOf } from './settings.ts'
import { startTortureNode } from './start-worker.ts'

// More of it: npm run torture -- order-kill
const TRIES = timesOf('ORDER_KILLS', 2)
/** Orders, payments, refunds and payouts of each kill. */
const EACH = Math.min(TRIES, 5)
/** Gigs that are ordered in turn: those of four rounds. */
const GIGS = 4 * (1 + 3 * EACH)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LISTED_MS = 20 * MINUTE
const PAYOUT = 17.35

/** Calls of each provider that open a page to pay on, read a payment, and refund. */
const calls = {
  stripe: {
    open: { method: 'POST', path: '/v1/checkout/sessions' },
    read: { method: 'GET', path: '/v1/checkout/sessions/' },
    refund: { method: 'POST', path: '/v1/refunds' },
  },
  iyzico: {
    open: { method: 'POST', path: '/initialize/auth/ecom' },
    read: { method: 'POST', path: '/auth/ecom/detail' },
    refund: { method: 'POST', path: '/v2/payment/refund' },
  },
  paytr: {
    open: { method: 'POST', path: '/odeme/api/get-token' },
    read: { method: 'POST', path: '/odeme/durum-sorgu' },
    refund: { method: 'POST', path: '/odeme/iade' },
  },
} as const satisfies Record<PaymentProvider, object>

let node: ChildProcess | undefined
let billing: Billing | undefined
afterEach(async () => {
  await kill(node)
  await billing?.close()
})

type Order = { id: string; checkout: { id: string; url: string } }

/** All of them in a long run, otherwise one. */
const providers = (['stripe', 'iyzico', 'paytr'] as const).filter((_, n) => TRIES > EACH || n === SEED % 3)

test.each(providers)(
  `at %s, ${TRIES} orders, payments, refunds and payouts whose process is killed are each made once (seed ${SEED})`,
  async (provider) => {
    const random = randomNumbers(SEED)
    const started = await billingApp(provider, {}, { origin: new Date() })
    billing = started
    const { t, world, admin } = started
    const standIn = world[provider]
    const options = { 'marketplace.clearance_days': 0, 'marketplace.dispute_days': 0, 'marketplace.payout_min': 1 }
    for (const [name, value] of Object.entries(options))
      expectStatus(await admin.put(`/api/v1/options/${name}`, { value }), 200)
    expectStatus(await admin.put('/api/v1/options/billing.enabled', { value: false }), 200)
    const buyer = await buyerOfIyzico(started)
    const seller = await lasting(t, await withWorkspace(t))
    await lasting(t, admin)
    expectStatus(await seller.put('/api/v1/marketplace/payout-account', payoutAccount), 200)
    const proxy = await postgresProxy(inject('postgres'), { onResponse: (bytes) => count(bytes) })
    let commits = 0
    let onCommit = () => {}
    const count = (bytes: Buffer) => {
      if (!bytes.includes('COMMIT\0')) return
      commits++
      onCommit()
    }

    // A workspace has at most 500. No two orders of a round, nor open ones of the rounds before, are of the same gig.
    const gigs: { id: string }[] = []
    let ordersOfGigs = 0
    const nextGig = async () => {
      const index = ordersOfGigs++ % GIGS
      const gig = gigs[index] ?? (await publishedGig(seller, { price: Math.round(100 + random() * 100_000_00) / 100 }))
      gigs[index] = gig
      return gig
    }
    const open = async (): Promise<Order> => ordered(buyer, await nextGig(), { buyer: payer })
    const pay = ({ checkout }: Order) => payOnPage(world, provider, checkout.url)
    async function paid() {
      const order = await open()
      pay(order)
      return order
    }

    /** Kills the node with the calls of a round in the middle, and lets another take up what it left. */
    async function round() {
      t.advance(Math.max(0, Date.now() - t.clock.now().getTime()))
      const times = Array.from({ length: EACH })
      const earning = await paid()
      const toRefund = await Promise.all(times.map(paid))
      await settle(started)
      // Some refunds are listed late. Their payments are listed by then.
      t.advance(LISTED_MS)
      world.iyzico.settings.reportedAfterMs = random() < 0.5 ? 0 : LISTED_MS
      for (const order of [earning, ...toRefund]) await doOn(seller, order.id, 'accept')
      await doOn(seller, earning.id, 'deliver', delivery)
      await doOn(buyer, earning.id, 'complete')
      await clearEarnings(t.deps)
      const toPay = await Promise.all(times.map(open))
      const toOpen = await Promise.all(times.map(async () => ({ gig: await nextGig(), key: randomUUID() })))
      const payouts = times.map(() => randomUUID())

      const settings = { ...providerSettings(world), BILLING_PROVIDER: provider, DATA_DIR: t.deps.config.DATA_DIR }
      const victim = await startTortureNode(t, settings, proxy.connection)
      node = victim.process
      const at = async ({ id }: Pick<WorkspaceOwner, 'id'>) => client(victim.url, await openSession(t, id))
      const [buying, selling] = [await at(buyer), await at(seller)]
      // Commits of some rounds are hit instead of calls.
      const hangs = random() < 0.75
      const before = standIn.hanging()
      const fail = (where: (typeof calls)[PaymentProvider][keyof (typeof calls)[PaymentProvider]]) => {
        if (hangs) for (const _ of times) standIn.failNext({ kind: 'hang', works: random() < 0.5 }, where)
      }
      const hung = async (kinds: number) => {
        if (hangs) await until(() => expect(standIn.hanging() - before).toBe(kinds * EACH))
      }
      const order = (who: ReturnType<typeof client>, { gig, key }: (typeof toOpen)[number]) =>
        who.post('/api/v1/marketplace/orders', { gig_id: gig.id, buyer: payer }, { 'idempotency-key': key })
      const request = (who: ReturnType<typeof client>, key: string) =>
        who.post('/api/v1/marketplace/payouts', { currency: 'TRY', amount: PAYOUT }, { 'idempotency-key': key })

      fail(calls[provider].refund)
      for (const { id } of toRefund) await doOn(seller, id, 'cancel', { reason: 'Fully booked.' })
      await hung(1)
      fail(calls[provider].read)
      for (const each of toPay) pay(each)
      await hung(2)
      fail(calls[provider].open)
      const lost: Promise<unknown>[] = toOpen.map((each) => order(buying, each).catch(() => undefined))
      await hung(3)
      const killed = new Promise<void>((resolve) => {
        const last = commits + 1 + Math.floor(random() * 2 * EACH)
        onCommit = () => {
          if (commits >= last) resolve()
        }
      })
      const requests = payouts.map((key) => request(selling, key).catch(() => undefined))
      await Promise.race([killed, Promise.all(requests)])
      await kill(node)
      await Promise.all([...lost, ...requests])
      standIn.mend()

      await freeJobs(t)
      // Longer than a killed call holds its key, and than a provider is waited for.
      t.advance(2 * MINUTE)
      const opened: Order[] = []
      for (const each of toOpen) {
        // Somebody who has gone orders no more.
        if (random() < 0.2) continue
        const { status, body } = await order(buyer, each)
        expect([201, 200], JSON.stringify(body)).toContain(status)
        pay(body)
        opened.push(body)
      }
      for (const key of payouts) expectStatus(await request(seller, key), 201)
      await settle(started)
      // The page of an order that nobody pays closes, and a refund that no provider lists by then was not made.
      for (const hours of [1, 6]) {
        t.advance(hours * HOUR)
        await settle(started)
      }
      const statusOf = async (each: Order) => (await readOrder(buyer, each)).status
      expect(await Promise.all([...toPay, ...opened].map(statusOf))).toEqual([...toPay, ...opened].map(() => 'pending'))
      const refunds = await Promise.all(toRefund.map((each) => readOrder(buyer, each)))
      expect(refunds.map(({ status, refund_status }) => [status, refund_status])).toEqual(
        times.map(() => ['canceled', 'succeeded']),
      )
    }

    const rounds = Math.ceil(TRIES / EACH)
    for (let n = 0; n < rounds; n++) await round()
    proxy.close()

    await expectBooks(started, provider)
    const { body } = expectStatus(await seller.get('/api/v1/marketplace/payouts?limit=100'), 200)
    expect(body.data.map(({ amount }: { amount: number }) => amount)).toEqual(
      Array.from({ length: Math.min(100, rounds * EACH) }, () => PAYOUT),
    )
  },
  scaled(60_000 + 30_000 * TRIES),
)
