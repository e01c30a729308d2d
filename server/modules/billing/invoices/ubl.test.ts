import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import type { Client } from '../../../../test/client.ts'
import { expectStatus, signedIn, withToken, withWorkspace } from '../../../../test/factories.ts'
import { issue, paidInvoice } from '../../../../test/invoices.ts'
import { optionCalls } from '../../../../test/options.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { issueCreditNote } from './invoices.ts'

const t = await testApp()
const root = await signedIn(t, { instanceAdmin: true })
const { withOption } = optionCalls(() => ({ t, root }))

const seller = 'Meydan Yazılım A.Ş.\nİstiklal Caddesi 1, İstanbul\nBeyoğlu\n4540536920'
const address = {
  ...{ name: 'Köşe & <Fırını> Ltd.', line1: 'Moda Caddesi 5', postal: '34710', city: 'İstanbul', country: 'TR' },
}
/** Does what needs the seller of the options, and returns its result. */
async function withSeller<T>(work: () => Promise<T>, lines = seller): Promise<T> {
  const results: T[] = []
  await withOption('billing.seller', lines, async () => void results.push(await work()))
  const [result] = results
  if (result === undefined) throw new Error('The work had no result')
  return result
}

async function buyer(more: object = {}) {
  const owner = await withWorkspace(t)
  expectStatus(await owner.patch('/api/v1/workspace', { billing_address: { ...address, ...more } }), 200)
  return owner
}

type Element = { name: string; attributes: string; children: Element[]; text: string }

/** Reads XML without mixed content. Throws for what is not well-formed. */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: '', children: [], text: '' }
  const path = [root]
  for (const [, tag = '', value = ''] of xml.replace(/^<\?xml[^>]*\?>\s*/, '').matchAll(/<([^>]+)>([^<]*)/g)) {
    const parent = path.at(-1)
    if (!parent) throw new Error('An element was closed too often')
    if (tag.startsWith('/')) {
      if (parent.name !== tag.slice(1)) throw new Error(`${parent.name} was closed by ${tag}`)
      path.pop()
      continue
    }
    const [name = '', ...attributes] = tag.split(' ')
    const element = { name, attributes: attributes.join(' '), children: [], text: value }
    parent.children.push(element)
    path.push(element)
  }
  const [document] = root.children
  if (!document || path.length !== 1 || root.children.length !== 1) throw new Error('No well-formed document')
  return document
}

const all = (element: Element, path: string): Element[] =>
  path
    .split('/')
    .reduce<Element[]>(
      (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name.split(':')[1] === name)),
      [element],
    )
const textOf = (element: Element, path: string) => all(element, path)[0]?.text
const number = (element: Element, path: string) => Number(textOf(element, path))

/** The elements of the schema that a document may have here, in its order. */
const order = (
  'UBLVersionID CustomizationID ProfileID ID CopyIndicator UUID IssueDate IssueTime InvoiceTypeCode Note ' +
  'DocumentCurrencyCode LineCountNumeric BillingReference Signature AccountingSupplierParty AccountingCustomerParty ' +
  'PricingExchangeRate TaxTotal LegalMonetaryTotal InvoiceLine'
).split(' ')

/** Rules of UBL 2.1 and of the checks that the Turkish Revenue Administration publishes for UBL-TR 1.2. */
function expectUbl(xml: string) {
  const document = parse(xml)
  const names = document.children.map(({ name }) => name.split(':')[1] ?? '')
  expect(names.map((name) => order.indexOf(name))).toEqual(
    names.map((name) => order.indexOf(name)).toSorted((a, b) => a - b),
  )
  expect(names.every((name) => order.includes(name))).toBe(true)
  const walk = (element: Element): Element[] => [element, ...element.children.flatMap(walk)]
  // Nothing is empty.
  expect(walk(document).filter(({ children, text }) => children.length === 0 && text.trim() === '')).toEqual([])
  expect(textOf(document, 'UBLVersionID')).toBe('2.1')
  expect(textOf(document, 'CustomizationID')).toBe('TR1.2')
  expect(textOf(document, 'ID')).toMatch(/^[A-Z0-9]{3}20\d{2}\d{9}$/)
  expect(textOf(document, 'UUID')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  expect(textOf(document, 'IssueDate')).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  expect(textOf(document, 'IssueTime')).toMatch(/^\d{2}:\d{2}:\d{2}$/)
  for (const party of ['AccountingSupplierParty/Party', 'AccountingCustomerParty/Party', 'Signature/SignatoryParty']) {
    const [found] = all(document, party)
    if (!found) throw new Error(`No ${party}`)
    const [id] = all(found, 'PartyIdentification/ID')
    const isPerson = id?.attributes === 'schemeID="TCKN"'
    expect(id?.text).toMatch(isPerson ? /^\d{11}$/ : /^\d{10}$/)
    expect(all(found, isPerson ? 'Person/FamilyName' : 'PartyName/Name')).toHaveLength(1)
    for (const part of ['CitySubdivisionName', 'CityName', 'Country/Name'])
      expect(all(found, `PostalAddress/${part}`)).toHaveLength(1)
  }
  const lines = all(document, 'InvoiceLine')
  expect(number(document, 'LineCountNumeric')).toBe(lines.length)
  const sum = (path: string) => lines.reduce((total, line) => total + Math.round(number(line, path) * 100), 0)
  const total = (path: string) => Math.round(number(document, path) * 100)
  expect(sum('LineExtensionAmount')).toBe(total('LegalMonetaryTotal/LineExtensionAmount'))
  expect(sum('TaxTotal/TaxAmount')).toBe(total('TaxTotal/TaxAmount'))
  expect(total('LegalMonetaryTotal/TaxExclusiveAmount') + total('TaxTotal/TaxAmount')).toBe(
    total('LegalMonetaryTotal/PayableAmount'),
  )
  for (const line of lines) {
    const allowances = all(line, 'AllowanceCharge/Amount').reduce((taken, { text }) => taken + Number(text), 0)
    expect(number(line, 'Price/PriceAmount') - allowances).toBeCloseTo(number(line, 'LineExtensionAmount'), 6)
  }
  return document
}

const ublOf = async (who: Client, path: string) => {
  const response = await who.open('GET', path)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
  return Buffer.from(await response.arrayBuffer()).toString('utf8')
}

describe('GET /billing/invoices/:id/ubl', () => {
  test('is a sale with the parties, the VAT and a number of 16 characters', async () => {
    const owner = await buyer({ tax_id: '1111111114' })
    const { id, number: ours, sequence } = await withSeller(() => paidInvoice(t, owner))
    const document = expectUbl(await ublOf(owner, `/api/v1/billing/invoices/${id}/ubl`))
    expect(textOf(document, 'ID')).toBe(`MYD${ours.split('-')[1]}${String(sequence).padStart(9, '0')}`)
    expect(['UUID', 'ProfileID', 'InvoiceTypeCode', 'Note'].map((name) => textOf(document, name))).toEqual([
      ...[id, 'EARSIVFATURA', 'SATIS', ours],
    ])
    expect(textOf(document, 'AccountingSupplierParty/Party/PartyTaxScheme/TaxScheme/Name')).toBe('Beyoğlu')
    expect(textOf(document, 'AccountingCustomerParty/Party/PartyName/Name')).toBe('Köşe &amp; &lt;Fırını&gt; Ltd.')
    expect(textOf(document, 'AccountingCustomerParty/Party/PostalAddress/Country/Name')).toBe('Türkiye')
    expect(number(document, 'LegalMonetaryTotal/TaxExclusiveAmount')).toBe(415.83)
    expect(number(document, 'TaxTotal/TaxAmount')).toBe(83.17)
  })

  test('has the official number, ETTN and chosen profile', async () => {
    const owner = await buyer()
    const { id } = await withSeller(() => paidInvoice(t, owner))
    const official = { ettn: 'f47ac10b-58cc-4372-a567-0e02b2c3d479', official_number: 'GIB2026000000042' }
    expectStatus(await root.patch(`/api/v1/admin/invoices/${id}`, official), 200)
    const document = expectUbl(await ublOf(root, `/api/v1/admin/invoices/${id}/ubl?profile=TICARIFATURA`))
    expect([textOf(document, 'ID'), textOf(document, 'UUID')]).toEqual([official.official_number, official.ettn])
    expect(textOf(document, 'ProfileID')).toBe('TICARIFATURA')
    expect(textOf(document, 'AccountingCustomerParty/Party/PartyIdentification/ID')).toBe('11111111111')
  })

  test.each([
    { country: 'TR', tax_id: 'TR4540536920', id: '4540536920', scheme: 'VKN' },
    { country: 'Turkiye', tax_id: '10000000146', id: '10000000146', scheme: 'TCKN' },
    { country: '', tax_id: '454 053 6920', id: '4540536920', scheme: 'VKN' },
    { country: 'Italy', tax_id: '00743110157', id: '2222222222', scheme: 'VKN', foreign: '00743110157' },
    { country: 'PL', tax_id: '8567346215', id: '2222222222', scheme: 'VKN', foreign: '8567346215' },
    { country: 'US', tax_id: '', id: '11111111111', scheme: 'TCKN' },
  ])('identifies the buyer $tax_id of the country $country as $scheme $id', async (given) => {
    const { country, tax_id, id, scheme, foreign } = given
    const owner = await buyer({ country, tax_id })
    const invoice = await withSeller(() => paidInvoice(t, owner))
    const document = expectUbl(await ublOf(owner, `/api/v1/billing/invoices/${invoice.id}/ubl`))
    const [party] = all(document, 'AccountingCustomerParty/Party')
    if (!party) throw new Error('No buyer')
    const [found] = all(party, 'PartyIdentification/ID')
    expect([found?.text, found?.attributes]).toEqual([id, `schemeID="${scheme}"`])
    expect(all(party, 'Person')).toHaveLength(scheme === 'TCKN' ? 1 : 0)
    expect(textOf(party, 'PartyLegalEntity/CompanyID')).toBe(foreign)
  })

  test('writes the number of the seller without the code of the country', async () => {
    const owner = await buyer()
    const { id } = await withSeller(() => paidInvoice(t, owner), seller.replace('4540536920', 'TR 4540536920'))
    const document = expectUbl(await ublOf(owner, `/api/v1/billing/invoices/${id}/ubl`))
    expect(textOf(document, 'AccountingSupplierParty/Party/PartyIdentification/ID')).toBe('4540536920')
  })

  test('takes the credit of an upgrade off the line before it, and has the rate of a dollar', async () => {
    const owner = await buyer()
    const lines = [
      { item: 'change', plan_name: 'Team', billing_period: 'monthly', amount: 100_001n },
      { item: 'unused', plan_name: 'Pro', billing_period: 'monthly', amount: -33_333n },
      { item: 'instalments', amount: 1_001n },
    ] as const
    const { id } = await withSeller(() => paidInvoice(t, { ...owner, lines, currency: 'USD' }))
    const path = `/api/v1/billing/invoices/${id}/ubl`
    const document = expectUbl(await ublOf(owner, `${path}?usd_rate=42.15`))
    expect(all(document, 'InvoiceLine')).toHaveLength(2)
    expect(all(document, 'InvoiceLine/AllowanceCharge/Amount').map(({ text }) => text)).toEqual(['277.77'])
    expect(textOf(document, 'PricingExchangeRate/CalculationRate')).toBe('42.15')
    const least = expectUbl(await ublOf(owner, `${path}?usd_rate=0.0001`))
    expect(textOf(least, 'PricingExchangeRate/CalculationRate')).toBe('0.0001')
    expectProblem(await owner.get(`${path}?usd_rate=0.0000001`), 400, 'validation_failed', '/usd_rate')
    expect(all(expectUbl(await ublOf(owner, path)), 'PricingExchangeRate')).toEqual([])
  })

  test('is a return with the number of its invoice for a credit note, and never a TICARIFATURA', async () => {
    const owner = await buyer()
    const invoice = await withSeller(() => paidInvoice(t, owner))
    const refund = await t.deps.db
      .insertInto('refund')
      .values({ payment_id: invoice.payment_id, amount: 10_000n })
      .returning('id')
      .executeTakeFirstOrThrow()
    const given = { invoice_id: invoice.id, refund_id: refund.id, amount: 10_000n }
    const note = await inTransaction(t.deps.db, (tx) => issueCreditNote(tx, t.deps, given))
    const path = `/api/v1/billing/invoices/${note.id}/ubl?profile=TICARIFATURA`
    const document = expectUbl(await ublOf(owner, path))
    expect(['InvoiceTypeCode', 'ProfileID'].map((name) => textOf(document, name))).toEqual(['IADE', 'TEMELFATURA'])
    const sale = expectUbl(await ublOf(owner, `/api/v1/billing/invoices/${invoice.id}/ubl`))
    const reference = 'BillingReference/InvoiceDocumentReference'
    expect(textOf(document, `${reference}/ID`)).toBe(textOf(sale, 'ID'))
    expect(textOf(document, `${reference}/DocumentTypeCode`)).toBe('IADE')
    expect(number(document, 'LegalMonetaryTotal/PayableAmount')).toBe(100)
  })

  test('is fetched with a token by the path in the event', async () => {
    const owner = await buyer()
    const token = await withToken(t, owner, ['billing:read'])
    await withSeller(() => paidInvoice(t, owner))
    const query = '/api/v1/events?limit=1&type=billing.invoice.paid'
    const { data } = expectStatus(await owner.get(query), 200).body
    expectUbl(await ublOf(token, data[0].data.invoice.ubl_url))
    const reader = await withToken(t, owner, ['posts:read'])
    expectProblem(await reader.get(data[0].data.invoice.ubl_url), 403, 'insufficient_scope')
  })

  test('409 for an unpaid invoice, and for one whose seller has no tax number', async () => {
    const owner = await buyer()
    const open = await withSeller(() => issue(t, owner))
    expectProblem(await owner.get(`/api/v1/billing/invoices/${open.id}/ubl`), 409, 'invalid_transition')
    const { id } = await paidInvoice(t, owner)
    expectProblem(await owner.get(`/api/v1/billing/invoices/${id}/ubl`), 409, 'invoice_incomplete')
    expectProblem(await (await buyer()).get(`/api/v1/billing/invoices/${id}/ubl`), 404, 'not_found')
  })
})

test('a span of days is a ZIP file with a document for each paid invoice, and the numbers of those without one', async () => {
  const owner = await buyer()
  const made = await withSeller(async () => [await paidInvoice(t, owner), await paidInvoice(t, owner)])
  const without = await paidInvoice(t, owner)
  const open = await withSeller(() => issue(t, owner))
  const issueOn = (ids: string[], at: string) =>
    t.deps.db
      .updateTable('invoice')
      .set({ issued_at: new Date(at) })
      .where('id', 'in', ids)
      .execute()
  // In Turkey, this is 1 March.
  await issueOn(
    [...made, without, open].map(({ id }) => id),
    '2029-02-28T21:30:00Z',
  )
  const zipOf = async (query: string) => {
    const response = await root.open('GET', `/api/v1/admin/invoices/ubl?${query}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
    return unzipSync(new Uint8Array(await response.arrayBuffer()))
  }
  const files = await zipOf('from=2029-03-01&to=2029-03-01')
  const names = made.map(({ number }) => `${number}.xml`)
  expect(Object.keys(files)).toEqual([...names, 'missing.csv'])
  for (const name of names) expectUbl(new TextDecoder().decode(files[name]))
  expect(new TextDecoder().decode(files['missing.csv'])).toContain(without.number)
  expect(Object.keys(await zipOf('month=2029-03'))).toHaveLength(3)
  expect(Object.keys(await zipOf('month=2029-02'))).toEqual([])
  expectProblem(await owner.get('/api/v1/admin/invoices/ubl?month=2029-03'), 403, 'forbidden_role')
})

test('a span must have days that exist, in their order', async () => {
  for (const [query, pointer] of [
    ...(['from=1', 'from=2026-02-30', 'from=2026-13-01'] as const).map((query) => [query, '/from'] as const),
    ...(['to=2027-02-29', 'from=2026-03-02&to=2026-03-01'] as const).map((query) => [query, '/to'] as const),
  ])
    expectProblem(await root.get(`/api/v1/admin/invoices/ubl?${query}`), 400, 'validation_failed', pointer)
  const leapDay = await root.open('GET', '/api/v1/admin/invoices/ubl?from=2028-02-29&to=2028-02-29')
  expect(leapDay.status).toBe(200)
  await leapDay.arrayBuffer()
})

test('400 for a span with more invoices than fit into a ZIP file', async () => {
  await sql`insert into invoice (kind, prefix, year, sequence, status, currency, total, vat_percent, vat_amount, seller, buyer,
      lines, language, timezone, issued_at, paid_at)
    select 'invoice', 'BIG', 2031, n, 'paid', 'TRY', 100, 20, 17, '{"name": "Meydan"}', '{"name": "Acme"}', '[]', 'en', 'UTC',
      '2031-05-10', now() from generate_series(1, 65001) as n`.execute(t.deps.db)
  const get = (query: string) => root.get(`/api/v1/admin/invoices/ubl?${query}`)
  expectProblem(await get('month=2031-05'), 400, 'validation_failed', '/month')
  const { errors } = expectProblem(await get('from=2031-05-01'), 400, 'validation_failed', '/from')
  expect(errors[0].message).toContain('Choose a shorter span')
})

describe('an official number', () => {
  const setNumber = (id: string, official_number: string | null) =>
    root.patch(`/api/v1/admin/invoices/${id}`, { official_number })

  test('409 if another invoice has it, until that one gives it up', async () => {
    const owner = await buyer()
    const [one, other] = [await paidInvoice(t, owner), await paidInvoice(t, owner)]
    const number = 'ABC2026000000777'
    expectStatus(await setNumber(one.id, number), 200)
    expectStatus(await setNumber(one.id, number), 200)
    expect(expectProblem(await setNumber(other.id, number), 409, 'official_number_taken').detail).toContain(one.number)
    expectStatus(await setNumber(one.id, null), 200)
    expectStatus(await setNumber(other.id, number), 200)
  })

  test('409 if Meydan gives it to the document of another invoice, now or later', async () => {
    const owner = await buyer()
    const [one, other] = [await paidInvoice(t, owner), await paidInvoice(t, owner)]
    const madeOf = (sequence: number) => `${one.prefix}${one.year}${String(sequence).padStart(9, '0')}`
    expectProblem(await setNumber(one.id, madeOf(other.sequence)), 409, 'official_number_taken')
    expectProblem(await setNumber(one.id, madeOf(other.sequence + 1000)), 409, 'official_number_taken')
    expectStatus(await setNumber(one.id, madeOf(one.sequence)), 200)
  })

  test('is given to one of several invoices at once', async () => {
    const owner = await buyer()
    const made = [await paidInvoice(t, owner), await paidInvoice(t, owner), await paidInvoice(t, owner)]
    const results = await Promise.all(made.map(({ id }) => setNumber(id, 'ABC2026000000778')))
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })
})
