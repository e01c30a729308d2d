import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, signedIn, withWorkspace } from '../../../../test/factories.ts'
import { issue, newInvoice, paidInvoice } from '../../../../test/invoices.ts'
import { optionCalls } from '../../../../test/options.ts'
import { mailsTo } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { issueCreditNote, issueInvoice, markPaid, voidInvoice } from './invoices.ts'

const t = await testApp()
const root = await signedIn(t, { instanceAdmin: true })
const { withOption } = optionCalls(() => ({ t, root }))

const pay = (id: string, payment_id: string) => inTransaction(t.deps.db, (tx) => markPaid(tx, t.deps, id, payment_id))
const makeVoid = (id: string) => inTransaction(t.deps.db, (tx) => voidInvoice(tx, t.deps, id))

async function newRefund(payment_id: string, amount: bigint) {
  const { id } = await t.deps.db
    .insertInto('refund')
    .values({ payment_id, amount })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const credit = (invoice_id: string, refund_id: string, amount: bigint) =>
  inTransaction(t.deps.db, (tx) => issueCreditNote(tx, t.deps, { invoice_id, refund_id, amount }))

const eventsOf = (workspace_id: string) =>
  t.deps.db.selectFrom('event').select(['type', 'payload']).where('workspace_id', '=', workspace_id).execute()
const actionsOf = async (workspace_id: string) => {
  const entries = await t.deps.db
    .selectFrom('audit_entry')
    .select('action')
    .where('workspace_id', '=', workspace_id)
    .where('action', 'like', 'invoice.%')
    .orderBy('id')
    .execute()
  return entries.map(({ action }) => action)
}

describe('numbers', () => {
  test('50 parallel invoices, among transactions that fail, take consecutive numbers', async () => {
    const { workspace_id } = await withWorkspace(t)
    const start = (await issue(t, { workspace_id })).sequence
    const failing = () =>
      inTransaction(t.deps.db, async (tx) => {
        await issueInvoice(tx, t.deps, newInvoice({ workspace_id }))
        throw new Error('the payment cannot be stored')
      })
    const attempts = Array.from({ length: 65 }, (_, index) => (index % 13 < 3 ? failing() : issue(t, { workspace_id })))
    const issued = (await Promise.allSettled(attempts)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    )
    expect(issued.length).toBe(50)
    const sequences = issued.map(({ sequence }) => sequence).sort((a, b) => a - b)
    expect(sequences).toEqual(Array.from({ length: 50 }, (_, index) => start + 1 + index))
  })

  test('each prefix and each year in Turkey begins with 1', async () => {
    const { workspace_id } = await withWorkspace(t)
    const clock = (now: string) => ({ ...t.deps, clock: { now: () => new Date(now) } })
    const issueAt = (now: string) =>
      inTransaction(t.deps.db, (tx) => issueInvoice(tx, clock(now), newInvoice({ workspace_id })))
    await withOption('billing.invoice_prefix', 'ABC', async () => {
      const numbers = [
        await issueAt('2030-12-31T20:59:59Z'),
        await issueAt('2030-12-31T21:00:00Z'),
        await issueAt('2030-12-31T21:00:01Z'),
      ].map(({ number }) => number)
      expect(numbers).toEqual(['ABC-2030-000001', 'ABC-2031-000001', 'ABC-2031-000002'])
    })
    await t.deps.db
      .updateTable('invoice_series')
      .set({ last_sequence: 999_999 })
      .where('prefix', '=', 'ABC')
      .where('year', '=', 2031)
      .execute()
    await withOption('billing.invoice_prefix', 'ABC', async () =>
      expect((await issueAt('2031-06-01T00:00:00Z')).number).toBe('ABC-2031-1000000'),
    )
  })
})

describe('an invoice', () => {
  test('keeps the seller, the buyer, the VAT and the language of its time', async () => {
    const owner = await withWorkspace(t)
    const address = {
      name: 'Köşe Fırını',
      line1: 'Moda Caddesi 5',
      city: 'İstanbul',
      tax_id: '4540536920',
      country: 'TR',
    }
    expectStatus(await owner.patch('/api/v1/workspace', { billing_address: address, locale: 'en' }), 200)
    let id = ''
    await withOption('billing.seller', 'Meydan A.Ş.\nİstiklal Caddesi 1\nBeyoğlu, İstanbul\nBeyoğlu\n123', () =>
      withOption('billing.vat_percent', 10, async () => {
        id = (await issue(t, owner)).id
      }),
    )
    const before = expectStatus(await owner.get(`/api/v1/billing/invoices/${id}`), 200).body
    expect(before).toMatchObject({
      seller: {
        name: 'Meydan A.Ş.',
        address: 'İstiklal Caddesi 1, Beyoğlu, İstanbul',
        tax_office: 'Beyoğlu',
        tax_id: '123',
      },
      buyer: address,
      ...{ total: 499, vat_percent: 10, vat_amount: 45.36, net_amount: 453.64, language: 'en', status: 'open' },
      lines: [{ description: 'Pro, monthly', plan_name: 'Pro', amount: 499, vat_amount: 45.36 }],
    })
    const change = { billing_address: { name: 'Another' }, locale: 'tr', timezone: 'Asia/Tokyo' }
    expectStatus(await owner.patch('/api/v1/workspace', change), 200)
    expect((await owner.get(`/api/v1/billing/invoices/${id}`)).body).toEqual(before)
  })

  test('without seller and address names the instance and the workspace', async () => {
    const owner = await withWorkspace(t)
    const { name } = (await owner.get('/api/v1/workspace')).body
    const { id } = await issue(t, owner)
    expect((await owner.get(`/api/v1/billing/invoices/${id}`)).body).toMatchObject({
      seller: { name: 'Meydan', address: null, tax_office: null, tax_id: null },
      buyer: { name },
    })
  })

  test('adds up lines of a change, which can be negative', async () => {
    const owner = await withWorkspace(t)
    const { id } = await issue(t, {
      ...owner,
      lines: [
        { item: 'change', plan_name: 'Team', billing_period: 'monthly', amount: 100_000n },
        { item: 'unused', plan_name: 'Pro', billing_period: 'monthly', amount: -33_333n },
        { item: 'instalments', amount: 1_001n },
      ],
    })
    expect((await owner.get(`/api/v1/billing/invoices/${id}`)).body).toMatchObject({
      ...{ total: 676.68, vat_amount: 112.78, net_amount: 563.9 },
      lines: [
        { description: 'Team planına geçiş, aylık', amount: 1000, vat_amount: 166.67 },
        { description: 'Pro planının kullanılmayan süresi, aylık', amount: -333.33, vat_amount: -55.56 },
        { description: 'Vade farkı', plan_name: null, amount: 10.01, vat_amount: 1.67 },
      ],
    })
  })

  test('is announced once when it is paid, to owners and admins in their language', async () => {
    const owner = await withWorkspace(t)
    const [admin, editor] = [
      await memberOf(t, owner.workspace_id, 'admin'),
      await memberOf(t, owner.workspace_id, 'editor'),
    ]
    await t.deps.db.updateTable('user').set({ locale: 'tr' }).where('id', '=', admin.id).execute()
    await t.deps.db.updateTable('user').set({ locale: 'en' }).where('id', '=', owner.id).execute()
    const lines = [{ item: 'plan', plan_name: 'Team', billing_period: 'yearly', amount: 1_499_000n }] as const
    const { id, number } = await issue(t, { ...owner, lines, due_at: t.clock.now() })
    expect(await eventsOf(owner.workspace_id)).toEqual([])
    const { payment_id } = await paidInvoice(t, await withWorkspace(t))
    await t.deps.db.deleteFrom('invoice').where('payment_id', '=', payment_id).execute()
    await pay(id, payment_id)
    await pay(id, payment_id)
    const events = await eventsOf(owner.workspace_id)
    expect(events.map(({ type }) => type)).toEqual(['billing.invoice.paid'])
    expect(JSON.parse(events[0]?.payload ?? '').data.invoice).toMatchObject({ id, number, status: 'paid', payment_id })
    const [toOwner, toAdmin] = [await mailsTo(t, owner.email), await mailsTo(t, admin.email)]
    expect([toOwner.length, toAdmin.length, (await mailsTo(t, editor.email)).length]).toEqual([1, 1, 0])
    expect(toOwner[0]?.subject).toContain(number)
    expect(toOwner[0]?.body_text).toContain('14,990.00 TRY')
    expect(toAdmin[0]?.body_text).toContain('14.990,00 TRY')
    expect(toAdmin[0]?.body_text).toMatch(new RegExp(`http://meydan.test/w/[\\w-]+/billing/invoices/${id}`))
    expect(await actionsOf(owner.workspace_id)).toEqual(['invoice.issued', 'invoice.paid'])
  })

  test('that is void cannot be paid, and one that is paid cannot become void', async () => {
    const owner = await withWorkspace(t)
    const paid = await paidInvoice(t, owner)
    const { id } = await issue(t, owner)
    expect(await makeVoid(id)).toMatchObject({ status: 'void', voided_at: t.clock.now() })
    expect(await makeVoid(id)).toMatchObject({ status: 'void' })
    await expect(pay(id, paid.payment_id)).rejects.toMatchObject({ code: 'invalid_transition' })
    await expect(makeVoid(paid.id)).rejects.toMatchObject({ code: 'invalid_transition' })
    expect(await actionsOf(owner.workspace_id)).toEqual([
      'invoice.issued',
      'invoice.paid',
      'invoice.issued',
      'invoice.voided',
    ])
  })
})

describe('a credit note', () => {
  test('has negative amounts, names its invoice, and repeats seller and buyer', async () => {
    const owner = await withWorkspace(t)
    const invoice = await paidInvoice(t, owner)
    expectStatus(await owner.patch('/api/v1/workspace', { billing_address: { name: 'Another' } }), 200)
    const refund = await newRefund(invoice.payment_id, 10_000n)
    const note = await credit(invoice.id, refund, 10_000n)
    expect((await owner.get(`/api/v1/billing/invoices/${note.id}`)).body).toMatchObject({
      ...{ kind: 'credit_note', status: 'paid', corrects: invoice.id, corrects_number: invoice.number },
      ...{ total: -100, vat_amount: -16.67, net_amount: -83.33, buyer: invoice.buyer, seller: invoice.seller },
      lines: [{ description: `${invoice.number} numaralı belgenin iadesi`, amount: -100, vat_amount: -16.67 }],
    })
    expect((await owner.get(`/api/v1/billing/invoices/${invoice.id}`)).body).toMatchObject({
      total: 499,
      credited: 100,
    })
    expect((await credit(invoice.id, refund, 10_000n)).id).toBe(note.id)
    const { data } = expectStatus(await owner.get(`/api/v1/billing/invoices?corrects=${invoice.id}`), 200).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual([note.id])
  })

  test('parallel refunds never give back more than was paid, and all together give back its VAT', async () => {
    const owner = await withWorkspace(t)
    const invoice = await paidInvoice(t, owner)
    const amounts = [20_000n, 20_000n, 20_000n, 20_000n]
    const refunds = await Promise.all(amounts.map((amount) => newRefund(invoice.payment_id, amount)))
    const results = await Promise.allSettled(refunds.map((refund) => credit(invoice.id, refund, 20_000n)))
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(2)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'validation_failed' })
    await credit(invoice.id, await newRefund(invoice.payment_id, 9_900n), 9_900n)
    const { data } = (await owner.get('/api/v1/billing/invoices')).body
    const sumOf = (field: string) =>
      Math.round(data.reduce((sum: number, one: Record<string, number>) => sum + (one[field] ?? 0) * 100, 0))
    expect([data.length, sumOf('total'), sumOf('vat_amount')]).toEqual([4, 0, 0])
  })

  test('cannot correct an open invoice', async () => {
    const owner = await withWorkspace(t)
    const { id } = await issue(t, owner)
    const refund = await newRefund((await paidInvoice(t, owner)).payment_id, 1n)
    await expect(credit(id, refund, 1n)).rejects.toMatchObject({ code: 'invalid_transition' })
  })
})

describe('GET /billing/invoices', () => {
  test('200 lists those of the workspace, newest first, by status', async () => {
    const owner = await withWorkspace(t)
    const [first, second] = [await paidInvoice(t, owner), await issue(t, owner)]
    await issue(t, await withWorkspace(t))
    const idsOf = async (query: string) =>
      expectStatus(await owner.get(`/api/v1/billing/invoices${query}`), 200).body.data.map(
        ({ id }: { id: string }) => id,
      )
    expect(await idsOf('')).toEqual([second.id, first.id])
    expect(await idsOf('?status=paid')).toEqual([first.id])
    expect(await idsOf('?limit=1')).toEqual([second.id])
  })

  test('403 for an editor, and 404 for an invoice of another workspace', async () => {
    const owner = await withWorkspace(t)
    const { id } = await issue(t, owner)
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expectProblem(await editor.get('/api/v1/billing/invoices'), 403, 'forbidden_role')
    expectProblem(await editor.get(`/api/v1/billing/invoices/${id}`), 403, 'forbidden_role')
    expectProblem(await (await withWorkspace(t)).get(`/api/v1/billing/invoices/${id}`), 404, 'not_found')
  })
})
