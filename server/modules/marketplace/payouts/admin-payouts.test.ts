import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, signedIn, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { closeWithLedger } from '../../../../test/ledger.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { payoutAccount, requested, withEarnings } from './payouts.fixture.ts'

const payouts = '/api/v1/admin/marketplace/payouts'

let seller: WorkspaceOwner
const t = await testApp()
const admin = await signedIn(t, { instanceAdmin: true })
beforeEach(async () => {
  seller = await withEarnings(t, await withWorkspace(t))
})
afterAll(() => closeWithLedger(t))

const balance = async () => expectStatus(await seller.get('/api/v1/marketplace/balance'), 200).body.data[0]
const lastMail = () =>
  t.deps.db
    .selectFrom('mail')
    .select(['key', 'body_text'])
    .where('to_address', '=', seller.email)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
const exported = async (currency = 'TRY') => expectStatus(await admin.post(`${payouts}/export`, { currency }), 201).body
const csvOf = async (batch_id: string) => {
  const { body } = expectStatus(await admin.get(`/api/v1/admin/marketplace/payout-batches/${batch_id}`), 200)
  return (body as string).trim().split('\r\n')
}

describe('POST /admin/marketplace/payouts/:id/paid', () => {
  test('ends the payout with the reference, and mails the seller', async () => {
    const { id } = await requested(seller, 123.4)
    const { body } = expectStatus(await admin.post(`${payouts}/${id}/paid`, { reference: 'EFT 4711' }), 200)
    expect(body).toMatchObject({ status: 'paid', reference: 'EFT 4711', decided_by: admin.id, iban: null })
    expect(await lastMail()).toMatchObject({
      key: 'payout-paid',
      body_text: expect.stringMatching(/123\.40 TRY[\s\S]*EFT 4711/),
    })
    expect(await balance()).toMatchObject({ available: 776.6 })
  })

  test('changes nothing when repeated, and is refused after another decision', async () => {
    const { id } = await requested(seller)
    const responses = await Promise.all(
      [1, 2, 3].map(() => admin.post(`${payouts}/${id}/paid`, { reference: 'EFT 1' })),
    )
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const other = expectProblem(
      await admin.post(`${payouts}/${id}/paid`, { reference: 'EFT 2' }),
      409,
      'invalid_transition',
    )
    expect(other.state).toBe('paid')
    expectProblem(await admin.post(`${payouts}/${id}/failed`, { reason: 'No' }), 409, 'invalid_transition')
    expectProblem(await seller.post(`/api/v1/marketplace/payouts/${id}/cancel`), 409, 'invalid_transition')
  })

  test('wins or loses against a cancellation at the same time, and the money moves once', async () => {
    for (let n = 0; n < 5; n++) {
      const { id } = await requested(seller, 100)
      const before = (await balance()).available
      const [paid, canceled] = await Promise.all([
        admin.post(`${payouts}/${id}/paid`, { reference: 'EFT' }),
        seller.post(`/api/v1/marketplace/payouts/${id}/cancel`),
      ])
      expect([paid.status, canceled.status].sort()).toEqual([200, 409])
      expect((await balance()).available).toBe(canceled.status === 200 ? before + 100 : before)
    }
  })

  test('is 404 for an unknown payout', async () => {
    const id = '01993a4c-2f10-7000-9000-000000000001'
    expectProblem(await admin.post(`${payouts}/${id}/paid`, { reference: 'EFT' }), 404, 'not_found')
  })
})

describe('POST /admin/marketplace/payouts/:id/failed', () => {
  test('makes the amount available again, and mails the reason', async () => {
    const { id } = await requested(seller)
    await exported()
    for (let n = 0; n < 2; n++)
      expectStatus(await admin.post(`${payouts}/${id}/failed`, { reason: 'The account is closed.' }), 200)
    expect(await balance()).toMatchObject({ available: 900 })
    expect(await lastMail()).toMatchObject({
      key: 'payout-failed',
      body_text: expect.stringContaining('The account is closed.'),
    })
    const shown = expectStatus(await seller.get(`/api/v1/marketplace/payouts/${id}`), 200).body
    expect(shown).toMatchObject({ status: 'failed', failure_reason: 'The account is closed.' })
  })
})

describe('POST /admin/marketplace/payouts/export', () => {
  test('puts each pending payout into one batch, whose CSV has what the bank needs', async () => {
    const { id, created_at } = await requested(seller)
    const batches = await Promise.all([exported(), exported()])
    const taken = batches.flatMap(({ batch_id }) => batch_id ?? [])
    const files = await Promise.all(taken.map(csvOf))
    expect(files[0]?.[0]).toBe('payout_id,holder,iban,note,amount,currency,requested_at')
    expect(files.flat().filter((line) => line.startsWith(id))).toEqual([
      `${id},Ada Lovelace,TR330006100519786457841326,,900.00,TRY,${created_at}`,
    ])
    expect(await exported()).toEqual({ batch_id: null, currency: 'TRY', payouts: 0, amount: 0 })
    expectProblem(await seller.post(`/api/v1/marketplace/payouts/${id}/cancel`), 409, 'invalid_transition')
  })

  test('leaves out of a repeated download what was decided meanwhile', async () => {
    const { id } = await requested(seller)
    const { batch_id } = await exported()
    expectStatus(await admin.post(`${payouts}/${id}/paid`, { reference: 'EFT' }), 200)
    expect(await csvOf(batch_id)).toHaveLength(1)
    const { data } = expectStatus(await admin.get(`${payouts}?batch_id=${batch_id}`), 200).body
    expect(data).toMatchObject([{ id, status: 'paid', iban: null }])
  })

  test('writes a holder that begins like a formula as text', async () => {
    const other = await withEarnings(t, await withWorkspace(t), { ...payoutAccount, holder: '=HYPERLINK("x")' })
    await requested(other)
    const lines = await csvOf((await exported()).batch_id)
    expect(lines.some((line) => line.includes(`"'=HYPERLINK(""x"")"`))).toBe(true)
  })
})

describe('GET /admin/marketplace/payouts', () => {
  test('shows the full IBAN of what is to be transferred, and the audit log notes it', async () => {
    const { id } = await requested(seller)
    const { data } = expectStatus(await admin.get(`${payouts}?status=pending&currency=TRY`), 200).body
    expect(data[0]).toMatchObject({ id, iban: 'TR330006100519786457841326', user_id: seller.id, user_name: 'Ada' })
    const { details } = await t.deps.db
      .selectFrom('audit_entry')
      .select('details')
      .where('action', '=', 'payout.read')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(details).toMatchObject({ payout_ids: expect.arrayContaining([id]) })
  })

  test('is for instance admins', async () => {
    expectProblem(await seller.get(payouts), 403, 'forbidden_role')
  })
})
