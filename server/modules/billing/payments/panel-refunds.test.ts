import { expect, onTestFinished, test } from 'vitest'
import { expectStatus } from '../../../../test/factories.ts'
import { type Billing, billingApp, lastingOwner, settle, team, tokenOf } from '../billing.fixture.ts'
import { enqueueReconciliation } from '../reconciliation.ts'

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

test.each(['iyzico', 'paytr'] as const)(
  'refunds in the panel of %s, which sends no event, are booked at night, each once',
  async (provider) => {
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
    for (const amount of [1000n, 1000n, 2000n]) {
      world[provider].refundInPanel(charge?.id ?? '', amount)
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
    expect(world.journal.net(charge?.id)).toBe(0n)
  },
)
