import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, signedIn } from '../../../../test/factories.ts'
import { upload } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { postTransaction } from '../../ledger/ledger.ts'
import { type Billing, billingApp, lastingOwner, settle, team, tokenOf } from '../billing.fixture.ts'
import { balancesOf, differencesOf, expectNoDifference, remedy, suspendedMovement } from './settlements.fixture.ts'

const DAY = 86_400_000
const HEADER = 'date,provider_payment_id,kind,amount,fee,currency,reference'

let billing: Billing
// An installation has one ledger.
beforeEach(async () => {
  billing = await billingApp('paytr')
  return billing.close
})

const send = (file: string | Uint8Array, path = '', provider = 'paytr', who = billing.admin) =>
  upload(who, typeof file === 'string' ? Buffer.from(file) : file, {
    ...{ name: 'november.csv', type: 'text/csv', fields: [['provider', provider]] },
    path: `/api/v1/admin/ledger/settlements${path}`,
  })
const report = (...lines: string[]) => [HEADER, ...lines].join('\r\n')
const day = () => billing.t.clock.now().toISOString().slice(0, 10)
const check = async () => expectStatus(await billing.admin.get('/api/v1/admin/ledger/check'), 200).body

/** A payment for a plan at PayTR. Returns its id there and its amount. */
async function paid() {
  const { t, world } = billing
  const owner = await lastingOwner(billing)
  const { body } = expectStatus(await owner.post('/api/v1/billing/checkout', team), 201)
  world.paytr.pay(tokenOf(body.url), { card: 'ok' })
  await settle(billing)
  return t.deps.db
    .selectFrom('payment')
    .select(['provider_payment_id', 'amount'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}
const major = (minor: string) => (Number(minor) / 100).toFixed(2)

test('a report is previewed without an effect, imported once, and a longer one adds what is new', async () => {
  const { admin } = billing
  const one = await paid()
  const two = await paid()
  const before = await balancesOf(admin)
  const lineOf = ({ provider_payment_id, amount }: typeof one, reference: string) =>
    `${day()},${provider_payment_id},payment,${major(amount)},10.00,TRY,${reference}`
  const first = report(lineOf(one, 'a-1'))
  const preview = expectStatus(await send(first, '/preview'), 200).body
  expect(preview).toMatchObject({ new_lines: 1, known_lines: 0, fault_count: 0 })
  expect(preview.sums).toEqual([
    { kind: 'payment', currency: 'TRY', count: 1, amount: Number(major(one.amount)), fee: 10 },
  ])
  expect(await balancesOf(admin)).toEqual(before)

  expectStatus(await send(first), 201)
  const longer = report(lineOf(one, 'a-1'), lineOf(two, 'a-2'), `${day()},,payout,-100,0,TRY,p-1`)
  const both = await Promise.all([send(longer), send(longer), send(longer)])
  for (const response of both) expectStatus(response, 201)
  expect(expectStatus(await send(longer), 201).body).toMatchObject({ new_lines: 0, known_lines: 3 })
  const after = await balancesOf(admin)
  expect(after['provider_clearing paytr']).toBeUndefined()
  expect(after['provider_fees paytr']).toBe(-20)
  expect(after['bank paytr']).toBe(-100)
  expect(after['provider_balance paytr']).toBeCloseTo(-(Number(one.amount) + Number(two.amount)) / 100 + 120, 2)
  await expectNoDifference(admin)
  expect((await check()).problems).toEqual([])
  const entries = await billing.t.deps.db
    .selectFrom('audit_entry')
    .select('details')
    .where('action', '=', 'ledger.settlements_imported')
    .execute()
  expect(entries.length).toBeGreaterThan(1)
  expect(entries[0]?.details).toMatchObject({ provider: 'paytr', name: 'november.csv', lines: 1 })
})

test('a payment that the report lacks is a difference once a later one is reported', async () => {
  const { admin, t } = billing
  // Payments before the first report are not expected in one.
  const first = await paid()
  const begin = `${day()},${first.provider_payment_id},payment,${major(first.amount)},10,TRY,b-0`
  expectStatus(await send(report(begin)), 201)
  const missing = await paid()
  t.advance(2 * DAY)
  const later = await paid()
  t.advance(2 * DAY)
  await expectNoDifference(admin)
  const line = `${day()},${later.provider_payment_id},payment,${major(later.amount)},10,TRY,b-1`
  expectStatus(await send(report(line)), 201)
  t.advance(2 * DAY)
  const [found, ...others] = await differencesOf(admin)
  expect(others).toEqual([])
  expect(found).toMatchObject({ code: 'payment_not_settled', subject: missing.provider_payment_id, bookable: true })
  expectStatus(await remedy(admin, found, { account: 'bank' }), 201)
  await expectNoDifference(admin)
  // The movement comes after all: what was booked is the difference now.
  const late = `${day()},${missing.provider_payment_id},payment,${major(missing.amount)},10,TRY,b-2`
  expectStatus(await send(report(late)), 201)
  t.advance(2 * DAY)
  const [again] = await differencesOf(admin)
  expect(again).toMatchObject({ code: 'settlement_differs', amount: -found.amount })
  expectStatus(await remedy(admin, again, { account: 'bank' }), 201)
  await expectNoDifference(admin)
  expect((await check()).problems).toEqual([])
})

test('a report of Excel in Turkish is read, in any order of its columns', async () => {
  const { provider_payment_id, amount } = await paid()
  const text = `sep=;\r\nreference;currency;Not;fee;amount;kind;provider_payment_id;date\r\nc-1;TL;ödendi;"1,50";${major(amount).replace('.', ',')};Payment;${provider_payment_id};${day()} 09:30`
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  const { body } = expectStatus(await send(bytes, '/preview'), 200)
  expect(body).toMatchObject({ new_lines: 1, fault_count: 0, sums: [{ currency: 'TRY', fee: 1.5 }] })
  expectStatus(await send(bytes), 201)
})

describe('a report that cannot be imported', () => {
  const faulty: [string, string][] = [
    ['a day that does not exist', '2026-02-30,x,payment,1,0,TRY,f'],
    ['a day in the future', '2999-01-01,x,payment,1,0,TRY,f'],
    ['a year before 2000', '0226-11-03,x,payment,1,0,TRY,f'],
    ['the year 0', '0000-01-01,x,payment,1,0,TRY,f'],
    ['a negative fee of a payment', '2026-01-01,x,payment,1,-0.1,TRY,f'],
    ['an unknown kind', '2026-01-01,x,gift,1,0,TRY,f'],
    ['separators of thousands', '2026-01-01,x,payment,"1,234.50",0,TRY,f'],
    ['an exponent', '2026-01-01,x,payment,1e9,0,TRY,f'],
    ['too much money', '2026-01-01,x,payment,99999999999,0,TRY,f'],
    ['a negative payment', '2026-01-01,x,payment,-1,0,TRY,f'],
    ['a positive refund', '2026-01-01,x,refund,1,0,TRY,f'],
    ['no payment', '2026-01-01,,payment,1,0,TRY,f'],
    ['a formula as currency', '2026-01-01,x,payment,1,0,=1+1,f'],
    ['no reference', '2026-01-01,x,payment,1,0,TRY,'],
    ['a long reference', `2026-01-01,x,payment,1,0,TRY,${'f'.repeat(201)}`],
    ['quotation marks that do not match', '2026-01-01,x,payment,1,0,TRY,"f'],
  ]
  test.each(faulty)('for %s is shown with its line, and nothing of it is booked', async (_, line) => {
    const text = report('2026-01-01,x,fee,-1,0,TRY,good', line)
    const { body } = expectStatus(await send(text, '/preview'), 200)
    expect(body).toMatchObject({
      new_lines: 1,
      fault_count: 1,
      faults: [{ line: 3, translations: { tr: expect.any(String) } }],
    })
    const { errors } = expectProblem(await send(text), 400, 'validation_failed')
    expect(errors).toMatchObject([{ pointer: '/file', message: expect.stringMatching(/^Line 3: /) }])
    const rows = await billing.t.deps.db
      .selectFrom('settlement_line')
      .select('id')
      .where('reference', '=', 'good')
      .execute()
    expect(rows).toEqual([])
  })

  test('for a reference that is repeated, or that was imported with other values', async () => {
    expectStatus(await send(report('2026-01-01,,fee,-1,0,TRY,kept')), 201)
    const text = report(
      '2026-01-01,,fee,-2,0,TRY,kept',
      '2026-01-01,,fee,-1,0,TRY,twice',
      '2026-01-01,,fee,-1,0,TRY,twice',
    )
    const { body } = expectStatus(await send(text, '/preview'), 200)
    expect(body.faults.map(({ line }: { line: number }) => line)).toEqual([2, 4])
    expectProblem(await send(text), 400, 'validation_failed')
  })

  test('for a missing or repeated column, a file that is no table, or a provider that is read', async () => {
    expectProblem(await send('date,amount\r\n2026-01-01,1'), 422, 'file_damaged')
    const twice = `${HEADER},Amount\r\n2026-01-01,x,payment,1,0,TRY,f,2`
    expect(expectProblem(await send(twice), 422, 'file_damaged').detail).toMatch(/Repeated: amount/)
    expectProblem(await send(Buffer.from([0x25, 0x50, 0x44, 0x46, 0x2d])), 415, 'file_type_refused')
    expectProblem(await send(`${HEADER}\r\n${'2026-01-01,,fee,-1,0,TRY,x\r\n'.repeat(5001)}`), 413, 'file_too_large')
    expectProblem(await send(report(), '', 'stripe'), 400, 'validation_failed')
    expectProblem(await send(report(), '', 'manual'), 400, 'validation_failed')
  })
})

describe('amounts of a report', () => {
  test('have the decimals of their currency', async () => {
    const { admin } = billing
    const lines = ['2026-01-01,,payout,-500,0,JPY,yen', '2026-01-01,,payout,"-1,505",0.001,KWD,dinar']
    const { body } = expectStatus(await send(report(...lines)), 201)
    expect(body.sums).toMatchObject([
      { currency: 'JPY', amount: -500, fee: 0 },
      { currency: 'KWD', amount: -1.505, fee: 0.001 },
    ])
    const { data } = expectStatus(await admin.get('/api/v1/admin/ledger/settlements?limit=2'), 200).body
    expect(data).toMatchObject([
      { reference: 'dinar', amount: -1.505, fee: 0.001 },
      { reference: 'yen', amount: -500 },
    ])
    const found = await differencesOf(admin)
    expect(found.map(({ amount, detail }: Record<string, unknown>) => [amount, detail])).toEqual([
      [500, expect.stringContaining('-500 JPY')],
      [1.506, expect.stringContaining('-1.506 KWD')],
    ])
    for (const one of found) expectStatus(await remedy(admin, one, {}), 201)
    await expectNoDifference(admin)
  })

  test.each([
    ['JPY', '500.5', /without decimals/],
    ['KWD', '1.5055', /three decimals/],
    ['TRY', '1.505', /two decimals/],
  ])('in %s are refused with more decimals', async (currency, amount, message) => {
    const { body } = expectStatus(await send(report(`2026-01-01,,other,${amount},0,${currency},f`), '/preview'), 200)
    expect(body.faults).toMatchObject([{ message: expect.stringMatching(message) }])
  })
})

test('a report of 5,000 lines is booked once, with the balance after each line', async () => {
  const { admin, t } = billing
  const before = await balancesOf(admin)
  const many = report(
    ...Array.from({ length: 5000 }, (_, index) => `2026-01-01,,payout,-0.0${1 + (index % 2)},0,TRY,many-${index}`),
  )
  const both = await Promise.all([send(many), send(many)])
  const counts = both.map((response) => expectStatus(response, 201).body)
  expect(counts.map(({ new_lines, known_lines }) => [new_lines, known_lines]).toSorted()).toEqual([
    [0, 5000],
    [5000, 0],
  ])
  const after = await balancesOf(admin)
  expect((after['bank paytr'] ?? 0) - (before['bank paytr'] ?? 0)).toBeCloseTo(-75, 2)
  expect((await check()).problems).toEqual([])
  // The balance after a line is that after the line before it, and its amount.
  const { rows } = await sql<{ wrong: number }>`
    select count(*)::int as wrong from (
      select balance_after - amount - lag(balance_after) over (order by transaction_id) as gap from ledger_entry
      join ledger_account on ledger_account.id = account_id where kind = 'bank' and owner = 'paytr'
    ) as gaps where gap <> 0`.execute(t.deps.db)
  expect(rows).toEqual([{ wrong: 0 }])
})

test('a report is booked as a whole or not at all', async () => {
  const { t, admin } = billing
  // Another transaction has the key of the last line.
  await inTransaction(t.deps.db, (tx) =>
    postTransaction(tx, {
      ...{ key: 'settlement:paytr:whole-2', kind: 'test', reference: randomUUID(), occurred_at: t.clock.now() },
      currency: 'TRY',
      entries: [
        { kind: 'bank', owner: 'paytr', amount: 1n },
        { kind: 'provider_fees', owner: 'paytr', amount: -1n },
      ],
    }),
  )
  const audited = async () =>
    (
      await t.deps.db
        .selectFrom('audit_entry')
        .select('id')
        .where('action', '=', 'ledger.settlements_imported')
        .execute()
    ).length
  const auditedBefore = await audited()
  const before = await balancesOf(admin)
  const response = await send(report('2026-01-01,,fee,-1,0,TRY,whole-1', '2026-01-01,,fee,-1,0,TRY,whole-2'))
  expect(response.status).toBe(500)
  expect(await balancesOf(admin)).toEqual(before)
  const kept = t.deps.db.selectFrom('settlement_line').select('id').where('reference', 'like', 'whole-%')
  expect(await kept.execute()).toEqual([])
  expect(await audited()).toBe(auditedBefore)
})

test('a remedy stays as it was written, also when its author is deleted', async () => {
  const { admin, t } = billing
  const body = await suspendedMovement(t)
  const { id } = expectStatus(await admin.post('/api/v1/admin/ledger/remedies', body), 201).body
  for (const change of [
    "note = 'Other'",
    'amount = 1',
    "account = 'bank'",
    'created_at = now()',
    'created_by = uuidv7()',
  ])
    await expect(
      sql`update settlement_remedy set ${sql.raw(change)} where id = ${id}`.execute(t.deps.db),
    ).rejects.toThrow(/append-only|is not changed/)
  await sql`update settlement_remedy set created_by = null where id = ${id}`.execute(t.deps.db)
  const { data } = expectStatus(await admin.get('/api/v1/admin/ledger/remedies'), 200).body
  expect(data[0]).toMatchObject({ id, created_by: null, note: body.note })
})

test('only instance admins with a session import and remedy', async () => {
  const person = await signedIn(billing.t)
  for (const path of ['', '/preview']) expect((await send(report(), path, 'paytr', person)).status).toBe(403)
  expect((await remedy(person, {}, {})).status).toBe(403)
})
