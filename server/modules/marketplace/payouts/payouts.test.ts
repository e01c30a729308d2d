import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, signedIn, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { closeWithLedger } from '../../../../test/ledger.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { clearedOrder, payoutAccount, requested, returnToBuyer, withEarnings } from './payouts.fixture.ts'

const account = '/api/v1/marketplace/payout-account'
const payouts = '/api/v1/marketplace/payouts'

let seller: WorkspaceOwner
const t = await testApp()
beforeEach(async () => {
  seller = await withEarnings(t, await withWorkspace(t))
})
afterAll(() => closeWithLedger(t))

const balance = async () => expectStatus(await seller.get('/api/v1/marketplace/balance'), 200).body.data[0]
const mailsTo = (email: string) =>
  t.deps.db.selectFrom('mail').select(['key', 'body_text']).where('to_address', '=', email).orderBy('id').execute()

describe('PUT /marketplace/payout-account', () => {
  test('keeps the IBAN sealed, and shows its country and last four characters', async () => {
    const shown = { holder: 'Ada Lovelace', iban_masked: 'TR••••1326', note: null, held_until: null }
    expect(expectStatus(await seller.get(account), 200).body).toMatchObject(shown)
    const row = await t.deps.db
      .selectFrom('payout_account')
      .selectAll()
      .where('user_id', '=', seller.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('6457841326')
  })

  test('accepts IBANs of other countries, and notes for accounts without one', async () => {
    const german = { holder: 'Ada', iban: 'de89370400440532013000' }
    expect(expectStatus(await seller.put(account, german), 200).body.iban_masked).toBe('DE••••3000')
    const noted = { holder: 'Ada', note: 'Account 4711, routing 021000021' }
    expect(expectStatus(await seller.put(account, noted), 200).body).toMatchObject({
      iban_masked: null,
      note: noted.note,
    })
  })

  test('refuses what is not an IBAN, in the language of the reader', async () => {
    for (const iban of ['TR330006100519786457841327', 'XX330006100519786457841326', 'DE8937040044053201300', '     ']) {
      const { errors } = expectProblem(
        await seller.put(account, { holder: 'Ada', iban }),
        400,
        'validation_failed',
        '/iban',
      )
      expect(errors[0].translations.tr).toMatch(/IBAN/)
    }
    expectProblem(await seller.put(account, { holder: 'Ada' }), 400, 'validation_failed', '/iban')
    const both = { ...payoutAccount, note: 'Cash' }
    expectProblem(await seller.put(account, both), 400, 'validation_failed', '/note')
  })

  test('is mailed, and audited without the IBAN', async () => {
    const mails = await mailsTo(seller.email)
    expect(mails.filter(({ key }) => !key.startsWith('order-'))).toEqual([
      { key: 'payout-account-changed', body_text: expect.stringContaining('TR••••1326') },
    ])
    const entries = await t.deps.db
      .selectFrom('audit_entry')
      .select('details')
      .where('action', '=', 'payout_account.changed')
      .where('actor_id', '=', seller.id)
      .execute()
    expect(entries.map(({ details }) => details)).toEqual([
      { before: {}, after: { holder: 'Ada Lovelace', iban_masked: 'TR••••1326' } },
    ])
  })

  test('holds payouts for 48 hours when it changes, and changes nothing when repeated', async () => {
    const changed = { ...payoutAccount, holder: 'Someone else' }
    const { held_until } = expectStatus(await seller.put(account, changed), 200).body
    expect(Date.parse(held_until) - t.clock.now().getTime()).toBe(48 * 3_600_000)
    expectProblem(await seller.post(payouts, { currency: 'TRY' }), 409, 'payouts_held')
    t.advance(48 * 3_600_000)
    expect(expectStatus(await seller.put(account, changed), 200).body.held_until).toBe(held_until)
    expect((await requested(seller)).holder).toBe('Someone else')
  })

  test('is for admins, and 404 before it is set', async () => {
    const editor = await memberOf(t, seller.workspace_id, 'editor')
    expectProblem(await editor.put(account, payoutAccount), 403, 'forbidden_role')
    expectProblem(await (await withWorkspace(t)).get(account), 404, 'not_found')
  })
})

describe('POST /marketplace/payouts', () => {
  test('takes all that is available, or the amount', async () => {
    expect(await requested(seller, 250.5)).toMatchObject({
      amount: 250.5,
      status: 'pending',
      iban_masked: 'TR••••1326',
    })
    expect(await balance()).toMatchObject({ available: 649.5 })
    const { id } = await requested(seller)
    expect(expectStatus(await seller.get(`${payouts}/${id}`), 200).body).toMatchObject({ amount: 649.5 })
    expect(await balance()).toMatchObject({ pending: 0, available: 0, owed: 0 })
    expect(expectStatus(await seller.get(payouts), 200).body.data).toHaveLength(2)
    expect(expectStatus(await seller.get(`${payouts}?status=paid`), 200).body.data).toEqual([])
  })

  test('refuses less than the minimum, more than is available, and a third decimal', async () => {
    for (const amount of [99.99, 0, 100.001])
      expectProblem(await seller.post(payouts, { currency: 'TRY', amount }), 400, 'validation_failed', '/amount')
    expectProblem(await seller.post(payouts, { currency: 'TRY', amount: 900.01 }), 409, 'balance_too_low')
    expectProblem(await seller.post(payouts, { currency: 'USD' }), 409, 'balance_too_low')
    await requested(seller, 850)
    expectProblem(await seller.post(payouts, { currency: 'TRY' }), 409, 'balance_too_low')
  })

  test('needs a payout account', async () => {
    const other = await withWorkspace(t)
    expectProblem(await other.post(payouts, { currency: 'TRY' }), 409, 'payout_account_required')
  })

  test('pays nothing while the seller owes money', async () => {
    const order = await clearedOrder(t, seller)
    await requested(seller)
    await returnToBuyer(t, order, 50_000n)
    expect(await balance()).toMatchObject({ available: 0, owed: 450 })
    expectProblem(await seller.post(payouts, { currency: 'TRY' }), 409, 'balance_too_low')
  })

  test('is done once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const call = () => seller.post(payouts, { currency: 'TRY', amount: 400 }, headers)
    const [first, second] = [expectStatus(await call(), 201), expectStatus(await call(), 201)]
    expect(second.body).toEqual(first.body)
    expect(await balance()).toMatchObject({ available: 500 })
  })

  test('pays no more than is available to 20 requests at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => seller.post(payouts, { currency: 'TRY', amount: 200 })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(4).fill(201), ...Array(16).fill(409)])
    expect(await balance()).toMatchObject({ available: 100 })
  })

  test('goes to the account of the time of the request', async () => {
    const { id } = await requested(seller)
    expectStatus(await seller.put(account, { holder: 'Ada', iban: 'DE89370400440532013000' }), 200)
    const admin = await signedIn(t, { instanceAdmin: true })
    const { data } = expectStatus(await admin.get('/api/v1/admin/marketplace/payouts?status=pending'), 200).body
    expect(data.find((payout: { id: string }) => payout.id === id)).toMatchObject({
      holder: 'Ada Lovelace',
      iban: 'TR330006100519786457841326',
    })
  })
})

describe('POST /marketplace/payouts/:id/cancel', () => {
  test('gives the amount back, once', async () => {
    const { id } = await requested(seller)
    for (let n = 0; n < 2; n++)
      expect(expectStatus(await seller.post(`${payouts}/${id}/cancel`), 200).body.status).toBe('canceled')
    expect(await balance()).toMatchObject({ available: 900 })
  })

  test('takes off what the seller owes meanwhile', async () => {
    const order = await clearedOrder(t, seller)
    const { id } = await requested(seller)
    await returnToBuyer(t, order, 100_000n)
    expectStatus(await seller.post(`${payouts}/${id}/cancel`), 200)
    expect(await balance()).toMatchObject({ available: 900, owed: 0 })
  })

  test('is not possible for another member', async () => {
    const { id } = await requested(seller)
    const colleague = await memberOf(t, seller.workspace_id, 'admin')
    expectProblem(await colleague.post(`${payouts}/${id}/cancel`), 404, 'not_found')
    expectProblem(await colleague.get(`${payouts}/${id}`), 404, 'not_found')
    expect(expectStatus(await colleague.get(payouts), 200).body.data).toEqual([])
  })
})
