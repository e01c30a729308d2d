import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../../../test/client.ts'
import { databaseUrl } from '../../../../test/database.ts'
import { expectStatus } from '../../../../test/factories.ts'
import { lasting } from '../../../../test/people.ts'
import { kill, startMeydan } from '../../../../test/processes.ts'
import { until } from '../../../../test/until.ts'
import {
  type Billing,
  billingApp,
  lastingOwner,
  pro,
  sellAtStripe,
  settle,
  subscriptionOf,
  team,
  tokenOf,
} from '../billing.fixture.ts'
import { readDueCheckouts, readOpenCheckouts } from './due-reads.ts'

const MINUTE = 60_000
const buyer = { name: 'Ada', surname: 'Lovelace', phone: '+905350000000', identity_number: '10000000146' }
const billing_address = { line1: 'Bir sokak 1', city: 'İstanbul', country: 'Türkiye' }

type Paid = { id: string; url: string }

/** `prepare`: sets the provider up. `pay`: pays there, and loses the webhook. */
const providers = {
  stripe: {
    terms: team,
    prepare: (billing: Billing) => sellAtStripe(billing, 'team'),
    pay: ({ world }: Billing, { url }: Paid) => {
      const session = world.stripe.sessions().find((each) => each.url === url)
      expect(world.stripe.payCheckout(String(session?.id)).paid).toBe(true)
    },
  },
  iyzico: {
    terms: { ...team, buyer },
    prepare: async ({ world, admin }: Billing) => {
      const metadata = { iyzico_pricing_plan_ref_monthly: world.iyzico.createPlan({ price: 149_900n }) }
      expectStatus(await admin.patch('/api/v1/admin/plans/team', { metadata }), 200)
    },
    pay: ({ world }: Billing, { url }: Paid) => world.iyzico.payForm(tokenOf(url)),
  },
  paytr: {
    terms: pro,
    prepare: async () => undefined,
    pay: ({ world }: Billing, { url }: Paid) => world.paytr.pay(tokenOf(url), { card: 'ok' }),
  },
}

describe.each(['stripe', 'iyzico', 'paytr'] as const)('a checkout at %s that is paid without an event', (name) => {
  const { terms, prepare, pay } = providers[name]
  let billing: Billing
  beforeAll(async () => {
    billing = await billingApp(name)
    await prepare(billing)
    billing.world.webhooks.hold()
  })
  afterAll(() => billing?.close())

  async function open() {
    const owner = await lastingOwner(billing)
    expectStatus(await owner.patch('/api/v1/workspace', { billing_address }), 200)
    return { owner, checkout: expectStatus(await owner.post('/api/v1/billing/checkout', terms), 201).body }
  }
  const statusOf = async (owner: Client, { id }: Paid) =>
    expectStatus(await owner.get(`/api/v1/billing/checkouts/${id}`), 200).body.status
  const problems = async () => expectStatus(await billing.admin.get('/api/v1/admin/ledger/check'), 200).body

  test('is completed by the timer a minute after it was opened', async () => {
    const { owner, checkout } = await open()
    billing.t.advance(MINUTE)
    pay(billing, checkout)
    await readDueCheckouts(billing.t.deps)
    await billing.t.runJobs()
    expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', provider: name })
  })

  test('is completed when its payer returns, and was just read in vain', async () => {
    const [{ owner, checkout }, other] = [await open(), await open()]
    billing.t.advance(MINUTE)
    expect(await statusOf(owner, checkout)).toBe('open')
    const rows = billing.t.deps.db.selectFrom('checkout').select('read_at').where('id', '=', other.checkout.id)
    expect(await rows.executeTakeFirstOrThrow()).toEqual({ read_at: null })
    await billing.t.runJobs()
    expect(await statusOf(owner, checkout)).toBe('open')
    pay(billing, checkout)
    billing.t.advance(10_000)
    expect(await statusOf(owner, checkout)).toBe('open')
    await billing.t.runJobs()
    expect(await statusOf(owner, checkout)).toBe('completed')
  })

  test('is completed at the start of a worker, also if it is not due', async () => {
    const { owner, checkout } = await open()
    pay(billing, checkout)
    await readDueCheckouts(billing.t.deps)
    await billing.t.runJobs()
    const { status } = await owner.get('/api/v1/billing/subscription')
    expect(status).toBe(404)
    await readOpenCheckouts(billing.t.deps)
    await billing.t.runJobs()
    expect(await subscriptionOf(owner)).toMatchObject({ status: 'active' })
  })

  test('is a finding of the check of the ledger until it is completed', async () => {
    const { checkout } = await open()
    expect(await problems()).toEqual({ ok: true, problems: [] })
    pay(billing, checkout)
    const report = await problems()
    expect(report).toMatchObject({ ok: false, problems: [{ code: 'paid_checkout' }] })
    expect(report.problems[0].detail).toContain(`Checkout ${checkout.id} is open here, and ${name} reports it as paid.`)
    await readOpenCheckouts(billing.t.deps)
    await billing.t.runJobs()
    expect(await problems()).toEqual({ ok: true, problems: [] })
  })

  test('is asked for ever more rarely while it is not paid', async () => {
    await open()
    const reads: number[] = []
    for (let minute = 1; minute < 60; minute++) {
      billing.t.advance(MINUTE)
      const before = billing.world.calls().length
      await readDueCheckouts(billing.t.deps)
      await billing.t.runJobs()
      if (billing.world.calls().length > before) reads.push(minute)
    }
    expect(reads.slice(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(reads.length).toBeLessThan(35)
    await settle(billing)
  })
})

describe('a node', () => {
  test('that starts after a payment was made completes its checkout', async () => {
    const billing = await billingApp('paytr', {}, { origin: new Date() })
    onTestFinished(billing.close)
    const { t, world } = billing
    const owner = await lastingOwner(billing)
    const { body: checkout } = expectStatus(await owner.post('/api/v1/billing/checkout', pro), 201)
    world.webhooks.hold()
    providers.paytr.pay(billing, checkout)
    const node = await startMeydan({
      PORT: '0',
      ROLE: 'worker',
      DATABASE_URL: databaseUrl(t.database.connection),
      SECRET_KEY: String(t.deps.config.SECRET_KEY),
      PAYTR_URL: world.paytr.url,
      PAYTR_MERCHANT_ID: world.paytr.merchantId,
      PAYTR_MERCHANT_KEY: world.paytr.merchantKey,
      PAYTR_MERCHANT_SALT: world.paytr.merchantSalt,
    })
    onTestFinished(() => kill(node, 'SIGTERM'))
    await until(async () => expect(await subscriptionOf(owner)).toMatchObject({ status: 'active' }))
  })
})

test('a checkout that was replaced after it was paid is a finding for three days, beside those of other providers', async () => {
  const billing = await billingApp('stripe')
  onTestFinished(billing.close)
  await sellAtStripe(billing, 'team')
  billing.world.webhooks.hold()
  const [owner, other] = [await lastingOwner(billing), await lastingOwner(billing)]
  const buy = async (by: Client, terms: object) =>
    expectStatus(await by.post('/api/v1/billing/checkout', terms), 201).body
  const paid = await buy(owner, team)
  providers.stripe.pay(billing, paid)
  await buy(owner, { ...team, period: 'yearly' })
  expectStatus(await billing.admin.put('/api/v1/options/billing.provider', { value: 'paytr' }), 200)
  await buy(other, pro)
  const admin = await lasting(billing.t, billing.admin)
  const problems = async () => expectStatus(await admin.get('/api/v1/admin/ledger/check'), 200).body.problems
  expect(await problems()).toEqual([
    {
      code: 'paid_checkout',
      detail: expect.stringContaining(
        `Checkout ${paid.id} is expired here, and stripe reports it as paid. A worker reads`,
      ),
    },
  ])
  billing.t.advance(3 * 86_400_000 - 1)
  expect(await problems()).toHaveLength(1)
  billing.t.advance(1)
  expect(await problems()).toEqual([])
})

test('a provider that does not respond is a finding of the check of the ledger', async () => {
  const billing = await billingApp('stripe')
  onTestFinished(billing.close)
  await sellAtStripe(billing, 'team')
  expectStatus(await (await lastingOwner(billing)).post('/api/v1/billing/checkout', team), 201)
  billing.world.stripe.failAlways({ kind: 'error', status: 500, works: false })
  const { body } = expectStatus(await billing.admin.get('/api/v1/admin/ledger/check'), 200)
  expect(body).toMatchObject({ ok: false, problems: [{ code: 'checkouts_not_compared' }] })
  expect(body.problems[0].detail).toBe(
    'Not all of 1 unpaid checkouts could be compared with stripe: Stripe responded with status 500. Check again when stripe responds.',
  )
})
