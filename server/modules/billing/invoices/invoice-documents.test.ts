import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  changeRole,
  expectStatus,
  memberOf,
  type Person,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { issue, paidInvoice } from '../../../../test/invoices.ts'
import { textOfPdf } from '../../../../test/pdf.ts'
import { auditOf } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
const root = await signedIn(t, { instanceAdmin: true })

const path = (id: string, kind: 'pdf' | 'html') => `/api/v1/billing/invoices/${id}/${kind}`
async function pdfOf(person: Person, at: string) {
  const response = await person.open('GET', at, { headers: { accept: 'application/json' } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return Buffer.from(await response.arrayBuffer())
}
const textOf = async (person: Person, id: string) => textOfPdf(await pdfOf(person, path(id, 'pdf')))
/** The text of a page without spaces, which its markup separates otherwise. */
const unspaced = (text: string) => text.replaceAll(/\s+/g, '')
const textOfPage = (html: string) =>
  unspaced(
    html
      .replace(/<(title|style)>.*?<\/\1>/gs, '')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&amp;', '&')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>'),
  )

const address = { name: 'Köşe Fırını & <Oğulları>', line1: 'Işık Sokağı 5', city: 'Muğla', country: 'Türkiye' }
async function turkishOwner(): Promise<WorkspaceOwner> {
  const owner = await withWorkspace(t)
  const change = { billing_address: address, locale: 'tr', timezone: 'Europe/Istanbul' }
  expectStatus(await owner.patch('/api/v1/workspace', change), 200)
  return owner
}

describe('the document of an invoice', () => {
  test('has Turkish letters, the sign of the lira, and says that it is not an e-Fatura', async () => {
    const owner = await turkishOwner()
    const { id, number } = await paidInvoice(t, owner)
    const text = await textOf(owner, id)
    for (const part of ['Satış belgesi', 'Ödendi', number, ...Object.values(address), 'Pro, aylık', 'KDV %20'])
      expect(text).toContain(part)
    for (const amount of ['₺499,00', '₺83,17', '₺415,83']) expect(text.split('\n')).toContain(amount)
    expect(text).toContain('resmî e-Fatura veya e-Arşiv Fatura belgesi değildir')
  })

  test('is the same as a page, which runs nothing and escapes what users wrote', async () => {
    const owner = await turkishOwner()
    const { id } = await paidInvoice(t, owner)
    const page = expectStatus(await owner.get(path(id, 'html')), 200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^;]*;.*sandbox$/,
    )
    expect(page.body).toContain('<html lang="tr">')
    expect(page.body).not.toMatch(/<script|<Oğulları>/)
    const pieces = (await textOf(owner, id)).split('\n').filter((piece) => !piece.startsWith('Sayfa '))
    expect(pieces.filter((piece) => !textOfPage(page.body).includes(unspaced(piece)))).toEqual([])
  })

  test('in English shows amounts, dates and zone in that way', async () => {
    const owner = await withWorkspace(t)
    expectStatus(await owner.patch('/api/v1/workspace', { locale: 'en', timezone: 'Pacific/Kiritimati' }), 200)
    const lines = [{ item: 'plan', plan_name: 'Team', billing_period: 'yearly', amount: 123_450n }] as const
    const period = { start: new Date('2026-03-31T20:00:00Z'), end: new Date('2027-03-31T20:00:00Z') }
    const { id } = await issue(t, {
      ...owner,
      currency: 'USD',
      lines,
      period,
      due_at: new Date('2026-04-05T20:00:00Z'),
    })
    const text = await textOf(owner, id)
    for (const part of [
      'Invoice',
      'Not paid',
      'Team, yearly',
      '$1,234.50',
      'April 1, 2026 – April 1, 2027',
      'April 6, 2026',
    ])
      expect(text).toContain(part)
    expect(text).toContain('not an official e-Fatura or e-Arşiv invoice')
  })

  test('with many lines has several pages, each with the names of the columns', async () => {
    const owner = await withWorkspace(t)
    expectStatus(await owner.patch('/api/v1/workspace', { locale: 'en' }), 200)
    const lines = Array.from({ length: 60 }, (_, index) => ({
      ...{ item: 'plan' as const, billing_period: 'monthly' as const, amount: 100n },
      plan_name: `Plan ${index} with a name that does not fit one line of a table with this width`,
    }))
    const { id } = await issue(t, { ...owner, lines })
    const pieces = (await textOf(owner, id)).split('\n')
    const pages = pieces.filter((piece) => /^Page \d of 4$/.test(piece))
    expect(pages.sort()).toEqual(['Page 1 of 4', 'Page 2 of 4', 'Page 3 of 4', 'Page 4 of 4'])
    expect(pieces.filter((piece) => piece === 'Description').length).toBe(4)
    expect(pieces.filter((piece) => piece.startsWith('Plan ')).length).toBe(60)
  })

  test('has the same bytes each time', async () => {
    const owner = await turkishOwner()
    const { id } = await paidInvoice(t, owner)
    const [one, other] = [await pdfOf(owner, path(id, 'pdf')), await pdfOf(owner, path(id, 'pdf'))]
    expect(one.equals(other)).toBe(true)
  })

  test('opens by its address alone for owners and admins of its workspace, for nobody else', async () => {
    const owner = await withWorkspace(t)
    const { id } = await paidInvoice(t, owner)
    const admin = await memberOf(t, owner.workspace_id, 'admin')
    const token = await withToken(t, admin, ['billing:read'])
    // A member of several workspaces, so that a call must name one.
    await t.deps.db
      .insertInto('workspace_member')
      .values({
        workspace_id: (await withWorkspace(t)).workspace_id,
        user_id: admin.id,
        role: 'viewer',
      })
      .execute()
    expectStatus(await admin.get(path(id, 'html')), 200)
    const open = () => token.get(path(id, 'html').replace('/v1', '/v1/public'))
    expectStatus(await open(), 200)
    await changeRole(t, { ...admin, workspace_id: owner.workspace_id }, 'editor')
    for (const refused of [
      await open(),
      await admin.get(path(id, 'pdf')),
      await (await signedIn(t)).get(path(id, 'pdf')),
    ])
      expectProblem(refused, 404, 'not_found')
    const other = await withToken(t, owner, ['posts:read'])
    expectProblem(await other.get('/api/v1/public/billing/invoices'), 403, 'insufficient_scope')
  })
})

describe('instance admins', () => {
  test('find invoices by number, month, status, kind and workspace', async () => {
    const owner = await withWorkspace(t)
    const [paid, open] = [await paidInvoice(t, owner), await issue(t, owner)]
    const at = (id: string, issued_at: string) =>
      t.deps.db
        .updateTable('invoice')
        .set({ issued_at: new Date(issued_at) })
        .where('id', '=', id)
        .execute()
    // The last moment of March in Turkey, and the first one of April.
    await at(paid.id, '2027-03-31T20:59:59.999Z')
    await at(open.id, '2027-03-31T21:00:00Z')
    const find = async (query: string) => {
      const { body } = expectStatus(
        await root.get(`/api/v1/admin/invoices?workspace_id=${owner.workspace_id}${query}`),
        200,
      )
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect(await find('')).toEqual([open.id, paid.id])
    expect(await find('&month=2027-03')).toEqual([paid.id])
    expect(await find('&month=2027-04')).toEqual([open.id])
    expect(await find('&status=open')).toEqual([open.id])
    expect(await find('&kind=credit_note')).toEqual([])
    expect(await find(`&search=${paid.number.toLowerCase()}`)).toEqual([paid.id])
    expectProblem(await root.get('/api/v1/admin/invoices?month=2026-13'), 400, 'validation_failed', '/month')
    expectProblem(await owner.get('/api/v1/admin/invoices'), 403, 'forbidden_role')
  })

  test('export a month as CSV that no program runs', async () => {
    const owner = await withWorkspace(t)
    const name = '=HYPERLINK("http://evil.example","x");=1+1;＝2'
    expectStatus(
      await owner.patch('/api/v1/workspace', { billing_address: { name, tax_id: '+905', city: 'Fırın;@x' } }),
      200,
    )
    const made = [await paidInvoice(t, owner), await issue(t, owner)]
    const ids = made.map(({ id }) => id)
    const issued_at = new Date('2028-02-15T10:00:00Z')
    await t.deps.db.updateTable('invoice').set({ issued_at }).where('id', 'in', ids).execute()
    const response = await root.open('GET', '/api/v1/admin/invoices/export?month=2028-02')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="invoices-2028-02.csv"')
    const text = Buffer.from(await response.arrayBuffer()).toString('utf8')
    const [head = '', ...lines] = text.split('\r\n')
    expect(head).toMatch(/^\ufeffnumber,kind,status,/)
    expect(lines.map((line) => line.split(',')[0])).toEqual([...made.map(({ number }) => number), ''])
    expect(lines[0]).toContain(',TRY,415.83,20,83.17,499.00,')
    const semicolons = await root.open('GET', '/api/v1/admin/invoices/export?month=2028-02&separator=semicolon')
    const [first, second] = Buffer.from(await semicolons.arrayBuffer())
      .toString('utf8')
      .split('\r\n')
    expect(first).toMatch(/^\ufeffnumber;kind;status;/)
    expect(second).toContain(';TRY;415,83;20;83,17;499,00;')
    expect(second).toContain(`;"'=HYPERLINK(""http://evil.example"",""x"");'=1+1;'＝2";"Fırın;'@x";;'+905;`)
    expect(lines[0]).toContain(`,"'=HYPERLINK(""http://evil.example"",""x"");'=1+1;'＝2","Fırın;'@x",,'+905,`)
  })

  test('store the official number, which the document and the log then show', async () => {
    const owner = await turkishOwner()
    const { id, number } = await paidInvoice(t, owner)
    const official = { ettn: 'f47ac10b-58cc-4372-a567-0e02b2c3d479', official_number: 'GIB2026000000042' }
    const change = (body: object) => root.patch(`/api/v1/admin/invoices/${id}`, body)
    expect(expectStatus(await change(official), 200).body).toMatchObject({ id, ...official })
    expect((await owner.get(`/api/v1/billing/invoices/${id}`)).body).toMatchObject(official)
    const text = textOfPdf(await pdfOf(root, `/api/v1/admin/invoices/${id}/pdf`))
    for (const part of [...Object.values(official), 'yukarıda numarası verilen belgedir']) expect(text).toContain(part)
    expect((await auditOf(t, root.id)).at(-1)).toMatchObject({
      action: 'invoice.official_number_set',
      workspace_id: owner.workspace_id,
      details: { number, before: { ettn: null, official_number: null }, after: official },
    })
    expect(expectStatus(await change({ ettn: null }), 200).body).toMatchObject({ ...official, ettn: null })
    expectProblem(await change({ ettn: 'x' }), 400, 'validation_failed', '/ettn')
    expectProblem(await root.patch(`/api/v1/admin/invoices/${root.id}`, official), 404, 'not_found')
  })
})
