import { expect, onTestFinished, test } from 'vitest'
import { expectStatus } from '../../../../test/factories.ts'
import { type Billing, billingApp, lastingOwner, settle, team, tokenOf } from '../billing.fixture.ts'
import { enqueueReconciliation } from '../processes/reconciliation.ts'

const address = { name: 'Fırın', line1: 'Moda Caddesi 5', city: 'İstanbul', country: 'TR', postal: '34710' }
const buyer = { name: 'Ada', surname: 'Yılmaz', phone: '+905350000000', identity_number: '10000000146' }

/** Pays 1,499 lira on the page of a provider. */
async function pay({ t, world }: Billing, provider: 'iyzico' | 'paytr', url: string) {
  if (provider === 'paytr') return world.paytr.pay(tokenOf(url), { card: 'ok' })
  const { callbackUrl, form: body } = world.iyzico.payForm(tokenOf(url), { card: 'ok' })
  const headers = { origin: 'https://static.iyzipay.com', 'content-type': 'application/x-www-form-urlencoded' }
  await fetch(`${t.url}${new URL(callbackUrl).pathname}`, { method: 'POST', headers, body, redirect: 'manual' })
}

async function night(billing: Billing) {
  await enqueueReconciliation(billing.t.deps)
  billing.t.advance(3 * 3_600_000)
  await settle(billing)
}

/** A paid month of 1,499 lira. */
async function paidMonth(provider: 'iyzico' | 'paytr') {
  const billing = await billingApp(provider)
  onTestFinished(billing.close)
  const { world, admin } = billing
  const ref = world.iyzico.createPlan({ price: 149_900n, name: 'team' })
  const metadata = { iyzico_pricing_plan_ref_monthly: ref, iyzico_pricing_plan_ref_monthly_try: ref }
  expectStatus(await admin.patch('/api/v1/admin/plans/team', { metadata }), 200)
  const owner = await lastingOwner(billing)
  expectStatus(await owner.patch('/api/v1/workspace', { billing_address: address }), 200)
  const { body } = expectStatus(await owner.post('/api/v1/billing/checkout', { ...team, buyer }), 201)
  await pay(billing, provider, body.url)
  await settle(billing)
  const [charge] = world.journal.charges()
  return { billing, owner, charge: charge?.id ?? '' }
}

test.each(['iyzico', 'paytr'] as const)(
  'refunds in the panel of %s, which sends no event, are booked at night, each once',
  async (provider) => {
    const { billing, owner, charge } = await paidMonth(provider)
    const { world, admin } = billing
    for (const amount of [1000n, 1000n, 2000n]) {
      world[provider].refundInPanel(charge, amount)
      await night(billing)
    }
    await night(billing)
    const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
    expect(data.map(({ total }: { total: number }) => total)).toEqual([-20, -10, -10, 1499])
    const invoice = data.at(-1)
    expect(invoice.credited).toBe(40)

    expectStatus(await admin.post(`/api/v1/admin/invoices/${invoice.id}/refund`, { reason: 'Goodwill' }), 200)
    await settle(billing)
    await night(billing)
    expect((await owner.get(`/api/v1/billing/invoices/${invoice.id}`)).body.credited).toBe(1499)
    expect(world.journal.net(charge)).toBe(0n)
  },
)

const refundIn = async ({ t, admin }: Billing, amount: number) => {
  const { id } = await t.deps.db
    .selectFrom('invoice')
    .select('id')
    .where('kind', '=', 'invoice')
    .executeTakeFirstOrThrow()
  return expectStatus(await admin.post(`/api/v1/admin/invoices/${id}/refund`, { amount, reason: 'Goodwill' }), 200)
}
const refundsOf = ({ t }: Billing) =>
  t.deps.db.selectFrom('refund').select(['status', 'amount', 'reason']).orderBy('id').execute()

test.each(['made', 'not made'])(
  'a refund whose response was lost and that was %s is made once, although iyzico lists it late',
  async (outcome) => {
    const { billing, charge } = await paidMonth('iyzico')
    const { iyzico, journal } = billing.world
    iyzico.settings.reportedAfterMs = 3_600_000
    iyzico.failNext({ kind: 'lost', works: outcome === 'made' }, { path: '/v2/payment/refund' })
    billing.t.advance(3_600_000)
    await refundIn(billing, 10)
    for (let minutes = 0; minutes < 5; minutes++) {
      billing.t.advance(60_000)
      await settle(billing)
    }
    expect(iyzico.calls.filter(({ path }) => path === '/v2/payment/refund')).toHaveLength(1)
    billing.t.advance(12 * 3_600_000)
    await settle(billing)
    billing.t.advance(2 * 3_600_000)
    await settle(billing)
    expect(journal.net(charge)).toBe(148_900n)
    expect(await refundsOf(billing)).toEqual([{ status: 'succeeded', amount: '1000', reason: 'Goodwill' }])
  },
)

test('a second refund with the reference of the first, as of a call that came twice, is booked too', async () => {
  const { billing, charge } = await paidMonth('iyzico')
  await refundIn(billing, 10)
  await settle(billing)
  const { id } = await billing.t.deps.db.selectFrom('refund').select('id').executeTakeFirstOrThrow()
  billing.world.iyzico.refundInPanel(charge, 1000n, `refund:${id}`)
  await night(billing)
  expect(await refundsOf(billing)).toMatchObject([
    { status: 'succeeded', amount: '1000', reason: 'Goodwill' },
    { status: 'succeeded', amount: '1000', reason: null },
  ])
})
