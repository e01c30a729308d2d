import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../../../test/client.ts'
import { expectStatus } from '../../../../test/factories.ts'
import { type Billing, billingApp, lastingOwner, payAtStripe, sellAtStripe, settle } from '../billing.fixture.ts'
import { enqueueReconciliation } from '../processes/reconciliation.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('stripe')
  await sellAtStripe(billing, 'team')
})
afterAll(() => billing?.close())
const stripe = () => billing.world.stripe

beforeEach(async () => {
  await billing.world.webhooks.release()
  await settle(billing)
})

type Owner = Awaited<ReturnType<typeof lastingOwner>>

/** A paid month of 1,499 lira. */
async function paid() {
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner)
  await settle(billing)
  return { owner, ...(await booksOf(owner)) }
}

async function booksOf(owner: Owner) {
  const { db } = billing.t.deps
  const of = owner.workspace_id
  const payment = await db.selectFrom('payment').selectAll().where('workspace_id', '=', of).executeTakeFirstOrThrow()
  const refunds = await db.selectFrom('refund').selectAll().where('payment_id', '=', payment.id).orderBy('id').execute()
  const { body } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200)
  const [invoice, ...notes] = body.data.toReversed()
  return { intent: payment.provider_payment_id, payment, refunds, invoice, notes }
}

const refund = (invoice_id: string, amount: number) =>
  billing.admin.post(`/api/v1/admin/invoices/${invoice_id}/refund`, { amount, reason: 'Goodwill' })

const openRefunds = async () =>
  expectStatus(await billing.admin.get('/api/v1/admin/billing/overview'), 200).body.open_refunds

/** Compares the sum of invoices and credit notes with what moved at Stripe, to the cent. */
async function expectBooksAgree(owner: Client & { workspace_id: string }) {
  const { body } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200)
  const total = body.data.reduce((sum: number, one: { total: number }) => sum + Math.round(one.total * 100), 0)
  expect(BigInt(total)).toBe(billing.world.journal.net(owner.workspace_id))
}

describe('a refund in the dashboard of Stripe', () => {
  test('gets one row and one credit note, however often and in whichever order its events come', async () => {
    const { owner, intent } = await paid()
    billing.world.webhooks.hold()
    billing.world.webhooks.repeat(3)
    stripe().refundInDashboard(intent, 10_000)
    stripe().refundInDashboard(intent, 10_000)
    await billing.world.webhooks.release('reversed')
    billing.world.webhooks.repeat(1)
    await settle(billing)
    const { refunds, notes, invoice } = await booksOf(owner)
    expect(refunds.map(({ status, amount }) => [status, amount])).toEqual([
      ['succeeded', '10000'],
      ['succeeded', '10000'],
    ])
    expect(notes.map(({ kind, total }: Record<string, unknown>) => [kind, total])).toEqual([
      ['credit_note', -100],
      ['credit_note', -100],
    ])
    expect(invoice.credited).toBe(200)
    await expectBooksAgree(owner)
  })

  test('whose events are lost is found at night', async () => {
    const { owner, intent } = await paid()
    billing.world.webhooks.hold()
    stripe().refundInDashboard(intent, 5000)
    for (const { id } of billing.world.webhooks.list({ state: 'held' })) billing.world.webhooks.drop(id)
    await billing.world.webhooks.release()
    await enqueueReconciliation(billing.t.deps)
    billing.t.advance(3 * 3_600_000)
    await settle(billing)
    expect((await booksOf(owner)).refunds).toMatchObject([{ status: 'succeeded', amount: '5000' }])
    await expectBooksAgree(owner)
  })

  test('before the payment is known here is booked with the payment', async () => {
    const owner = await lastingOwner(billing)
    billing.world.webhooks.hold()
    const { session } = await payAtStripe(billing, owner)
    const paidSession = stripe()
      .sessions()
      .find(({ id }) => id === session)
    const invoice = stripe()
      .invoices()
      .find(({ id }) => id === paidSession?.invoice)
    const intent = billing.world.journal.charges(String(invoice?.id))[0]?.refs.find((ref) => ref.startsWith('pi_'))
    stripe().refundInDashboard(String(intent), 2500)
    await billing.world.webhooks.release('reversed')
    await settle(billing)
    expect((await booksOf(owner)).refunds).toMatchObject([{ status: 'succeeded', amount: '2500' }])
    await expectBooksAgree(owner)
  })

  test('together with one requested here books both once, and no more than was paid', async () => {
    const { owner, intent, invoice } = await paid()
    expectStatus(await refund(invoice.id, 1000), 200)
    stripe().refundInDashboard(intent, 100_000)
    await settle(billing)
    const { refunds } = await booksOf(owner)
    expect(refunds).toMatchObject([
      { status: 'failed', amount: '100000', failure: expect.stringContaining('greater than') },
      { status: 'succeeded', amount: '100000' },
    ])
    await expectBooksAgree(owner)
    expectStatus(await refund(invoice.id, 499), 200)
    await settle(billing)
    expect((await booksOf(owner)).invoice.credited).toBe(1499)
    await expectBooksAgree(owner)
  })
})

describe('a refund that is pending at Stripe', () => {
  test('has no credit note until it succeeded', async () => {
    const { owner, intent, invoice } = await paid()
    stripe().holdRefunds()
    expectStatus(await refund(invoice.id, 499), 200)
    await settle(billing)
    const waiting = await booksOf(owner)
    expect(waiting).toMatchObject({ refunds: [{ status: 'pending', settled_at: null }], notes: [] })
    expect(await openRefunds()).toContainEqual(
      expect.objectContaining({ id: waiting.refunds[0]?.id, status: 'pending', invoice_number: invoice.number }),
    )
    expect((await refund(invoice.id, 1001)).status).toBe(400)
    stripe().finishRefund(stripe().refundsOf(intent)[0]?.id ?? '', 'succeeded')
    await settle(billing)
    expect(await booksOf(owner)).toMatchObject({ refunds: [{ status: 'succeeded' }], notes: [{ total: -499 }] })
    await expectBooksAgree(owner)
  })

  test('and fails gets none, and can be requested again', async () => {
    const { owner, intent, invoice } = await paid()
    stripe().holdRefunds()
    expectStatus(await refund(invoice.id, 1499), 200)
    await settle(billing)
    stripe().finishRefund(stripe().refundsOf(intent)[0]?.id ?? '', 'failed')
    await settle(billing)
    const { refunds, notes } = await booksOf(owner)
    expect([refunds, notes]).toMatchObject([[{ status: 'failed', failure: 'expired_or_canceled_card' }], []])
    expect(await openRefunds()).toContainEqual(expect.objectContaining({ id: refunds[0]?.id, status: 'failed' }))
    expectStatus(await refund(invoice.id, 1499), 200)
    await settle(billing)
    await expectBooksAgree(owner)
    expect((await booksOf(owner)).invoice.credited).toBe(1499)
  })

  test('that fails after it had succeeded takes its credit note back, once', async () => {
    const { owner, intent, invoice } = await paid()
    expectStatus(await refund(invoice.id, 499), 200)
    await settle(billing)
    billing.world.webhooks.repeat(3)
    stripe().finishRefund(stripe().refundsOf(intent)[0]?.id ?? '', 'failed')
    await settle(billing)
    billing.world.webhooks.repeat(1)
    const after = await booksOf(owner)
    expect(after).toMatchObject({
      refunds: [{ status: 'failed' }],
      notes: [{ total: -499 }, { kind: 'credit_note', total: 499, corrects: invoice.id }],
      invoice: { credited: 0 },
    })
    expect(after.notes[0].vat_amount + after.notes[1].vat_amount).toBe(0)
    await expectBooksAgree(owner)
  })
})

describe('a dispute', () => {
  test('that is open is shown to instance admins, and one that is won changes no books', async () => {
    const { owner, intent, invoice } = await paid()
    const dispute = stripe().dispute(intent)
    await settle(billing)
    const open = { is_dispute: true, status: 'pending', amount: 1499, invoice_id: invoice.id, reason: 'fraudulent' }
    expect(await openRefunds()).toContainEqual(expect.objectContaining(open))
    stripe().closeDispute(dispute, 'won')
    await settle(billing)
    expect(await openRefunds()).not.toContainEqual(expect.objectContaining({ invoice_id: invoice.id }))
    expect(await booksOf(owner)).toMatchObject({ refunds: [{ status: 'failed' }], notes: [] })
    await expectBooksAgree(owner)
  })

  test('that is lost is booked as a refund with its reason', async () => {
    const { owner, intent } = await paid()
    stripe().refundInDashboard(intent, 49_900)
    billing.world.webhooks.hold()
    const dispute = stripe().dispute(intent)
    stripe().closeDispute(dispute, 'lost')
    await billing.world.webhooks.release('reversed')
    await settle(billing)
    const { refunds, invoice } = await booksOf(owner)
    expect(refunds).toMatchObject([
      { status: 'succeeded', amount: '49900', is_dispute: false },
      { status: 'succeeded', amount: '100000', is_dispute: true, reason: 'fraudulent' },
    ])
    expect(invoice.credited).toBe(1499)
    await expectBooksAgree(owner)
  })
})
