import { beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { type Billing, billingApp, payAtStripe, sellAtStripe, settle, team } from '../billing.fixture.ts'
import { readSettlements } from './read-movements.ts'
import { balancesOf, differencesOf, expectNoDifference, readHourly, remedy } from './settlements.fixture.ts'

const DAY = 86_400_000

let billing: Billing
// An installation has one ledger.
beforeEach(async () => {
  billing = await billingApp('stripe')
  await sellAtStripe(billing, 'team')
  return billing.close
})

/** A workspace that paid for a plan; the payment is known here. Returns its payment intent. */
async function paid(terms: object = team) {
  const owner = await withWorkspace(billing.t)
  await payAtStripe(billing, owner, terms)
  await settle(billing)
  const { provider_payment_id } = await billing.t.deps.db
    .selectFrom('payment')
    .select('provider_payment_id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return provider_payment_id
}
const read = () => readHourly(billing)
const later = (days = 2) => billing.t.advance(days * DAY)
const linesOf = async (query = '') =>
  expectStatus(await billing.admin.get(`/api/v1/admin/ledger/settlements?limit=100${query}`), 200).body.data
const of = async (code: string) =>
  (await differencesOf(billing.admin)).filter((one: { code: string }) => one.code === code)
const check = async () => expectStatus(await billing.admin.get('/api/v1/admin/ledger/check'), 200).body

test('a charge moves from clearing to the balance, less the fee, and the payout to the bank', async () => {
  const { admin, world } = billing
  const intent = await paid()
  const before = await balancesOf(admin)
  const clearing = before['provider_clearing stripe'] ?? 0
  expect(clearing).toBeLessThan(0)
  await read()
  const [line] = await linesOf()
  const fee = Math.round(-clearing * 2.9) / 100
  expect(line).toMatchObject({ kind: 'payment', type: 'charge', provider_payment_id: intent, amount: -clearing, fee })
  const net = Math.round((-clearing - fee) * 100) / 100
  const { 'provider_clearing stripe': _, ...others } = before
  expect(await balancesOf(admin)).toEqual({ ...others, 'provider_balance stripe': -net, 'provider_fees stripe': -fee })
  world.stripe.payOut('try')
  await read()
  expect(await balancesOf(admin)).toEqual({ ...others, 'bank stripe': -net, 'provider_fees stripe': -fee })
  expect(await linesOf('&kind=payout&provider=stripe')).toMatchObject([{ amount: -net, provider_payment_id: null }])
  await expectNoDifference(admin)
  expect(await check()).toEqual({ ok: true, problems: [] })
})

test('each movement is booked once, however many nodes read at once, and with every page that fails', async () => {
  const { t, world, admin } = billing
  for (let count = 0; count < 230; count++) world.stripe.adjust({ amount: 1, currency: 'try', type: 'stripe_fee' })
  await Promise.allSettled(Array.from({ length: 4 }, () => readSettlements(t.deps)))
  world.stripe.failNext({ kind: 'lost', works: true }, { path: '/v1/balance_transactions', times: 2 })
  world.stripe.failNext({ kind: 'garbage', works: true }, { path: '/v1/balance_transactions' })
  for (let round = 0; round < 6; round++) await readSettlements(t.deps).catch(() => undefined)
  const { references, lines } = await t.deps.db
    .selectFrom('settlement_line')
    .select(({ fn }) => [fn.count('reference').distinct().as('references'), fn.countAll().as('lines')])
    .executeTakeFirstOrThrow()
  expect([Number(references), Number(lines)]).toEqual(Array(2).fill(world.stripe.movements().length))
  await expectNoDifference(admin)
  expect(await check()).toEqual({ ok: true, problems: [] })
})

test('a page that was booked by a node which is killed then is read again, and booked once', async () => {
  const { t, world, admin } = billing
  const before = (await t.deps.db.selectFrom('settlement_line').select('id').execute()).length
  for (let count = 0; count < 5; count++) world.stripe.adjust({ amount: 7, currency: 'try', type: 'stripe_fee' })
  const db = new Proxy(t.deps.db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      // The first write of the state comes after the booking of the page.
      if (name === 'updateTable') throw new Error('killed')
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  await expect(readSettlements({ ...t.deps, db })).rejects.toThrow('killed')
  expect(await t.deps.db.selectFrom('settlement_line').select('id').execute()).toHaveLength(before + 5)
  await read()
  expect(await t.deps.db.selectFrom('settlement_line').select('id').execute()).toHaveLength(before + 5)
  await expectNoDifference(admin)
  expect((await check()).problems).toEqual([])
})

describe('refunds and disputes', () => {
  test('a refund, and one that fails after it succeeded, leave no difference', async () => {
    const intent = await paid()
    const refund = billing.world.stripe.refundInDashboard(intent, 1000)
    await settle(billing)
    later()
    await read()
    await expectNoDifference(billing.admin)
    billing.world.stripe.finishRefund(refund, 'failed')
    await settle(billing)
    later()
    await read()
    await expectNoDifference(billing.admin)
    expect((await linesOf()).map(({ type }: { type: string }) => type)).toContain('refund_failure')
  })

  test.each(['lost', 'won'] as const)(
    'a dispute leaves no difference while it is open, and when it is %s',
    async (outcome) => {
      const intent = await paid()
      const dispute = billing.world.stripe.dispute(intent)
      await settle(billing)
      later()
      await read()
      await expectNoDifference(billing.admin)
      billing.world.stripe.closeDispute(dispute, outcome)
      await settle(billing)
      later()
      await read()
      await expectNoDifference(billing.admin)
      const { amount, fee } = (await linesOf('&kind=dispute'))[0]
      expect([amount > 0, fee]).toEqual(outcome === 'won' ? [true, 0] : [false, 15])
      expect((await check()).problems).toEqual([])
    },
  )
})

describe('a difference', () => {
  test('of a movement whose payment is not here is shown after a day, and gone when it is booked', async () => {
    const { admin, world } = billing
    await read()
    const before = await balancesOf(admin)
    world.stripe.adjust({ amount: 5000, currency: 'try', type: 'charge', fee: 100 })
    await read()
    await expectNoDifference(admin)
    later()
    const [found, ...others] = await differencesOf(admin)
    expect(others).toEqual([])
    expect(found).toMatchObject({ code: 'settlement_unknown', amount: -50, here: 0, there: 50, bookable: true })
    expect((await check()).problems).toMatchObject([{ code: 'settlement_unknown' }])

    expectProblem(await remedy(admin, { ...found, amount: -49 }, { account: 'bank' }), 409, 'difference_changed')
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => remedy(admin, found, { account: 'provider_differences' })),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    await expectNoDifference(admin)
    expect((await check()).problems).toEqual([])
    const after = await balancesOf(admin)
    expect(after['provider_clearing stripe']).toBe(before['provider_clearing stripe'])
    expect(after['provider_differences stripe']).toBe(50)
    const { data } = expectStatus(await admin.get('/api/v1/admin/ledger/remedies'), 200).body
    expect(data[0]).toMatchObject({ code: 'settlement_unknown', amount: -50, account: 'provider_differences' })
    const [booking] = expectStatus(await admin.get(`/api/v1/admin/ledger/transactions?reference=${data[0].id}`), 200)
      .body.data
    expect(booking).toMatchObject({ kind: 'settlement_difference' })
  })

  test('that was explained is back when its amount changes', async () => {
    const { admin, world } = billing
    const intent = await paid()
    const { t } = billing
    await t.deps.db.updateTable('payment').set({ amount: '1' }).where('provider_payment_id', '=', intent).execute()
    await read()
    later()
    const [found] = await of('settlement_differs')
    expect(found).toMatchObject({ subject: intent, here: 0.01, currency: 'TRY' })
    expectStatus(await remedy(admin, found, {}), 201)
    expect(await of('settlement_differs')).toEqual([])
    await t.deps.db.updateTable('payment').set({ amount: '2' }).where('provider_payment_id', '=', intent).execute()
    expect(await of('settlement_differs')).toMatchObject([{ subject: intent, here: 0.02 }])
    const amount = String(world.journal.net(intent))
    await t.deps.db.updateTable('payment').set({ amount }).where('provider_payment_id', '=', intent).execute()
    await expectNoDifference(admin)
  })

  test('of a payment that Stripe does not report is shown once it must have been', async () => {
    const { admin, t } = billing
    await t.deps.db
      .updateTable('payment')
      .set({ provider_payment_id: 'pi_other' })
      .where('provider_payment_id', '=', await paid())
      .execute()
    later()
    await read()
    expect((await differencesOf(admin)).map(({ code }: { code: string }) => code).toSorted()).toEqual([
      'payment_not_settled',
      'settlement_unknown',
    ])
    const [found] = await of('payment_not_settled')
    expect(found).toMatchObject({ subject: 'pi_other', there: 0 })
    for (const one of await differencesOf(admin)) expectStatus(await remedy(admin, one, { account: 'bank' }), 201)
    await expectNoDifference(admin)
    expect((await check()).problems).toEqual([])
  })

  test('of a movement of an unknown kind is on the suspense account until it is booked', async () => {
    const { admin, world } = billing
    const reference = world.stripe.adjust({ amount: -300, currency: 'try', type: 'reserve_transaction' })
    await read()
    expect((await balancesOf(admin))['suspense stripe']).toBe(-3)
    const [found] = await of('settlement_suspense')
    expect(found).toMatchObject({ subject: reference, amount: 3, bookable: true })
    expectStatus(await remedy(admin, found, { account: 'provider_fees' }), 201)
    expect((await balancesOf(admin))['suspense stripe']).toBeUndefined()
    await expectNoDifference(admin)
  })

  test('of a charge without a fee is only explained', async () => {
    const { admin, world } = billing
    await paid()
    await read()
    world.stripe.settings.feeBps = 0
    await paid()
    world.stripe.settings.feeBps = 290
    await read()
    const [found] = await of('fee_missing')
    expect(found.bookable).toBe(false)
    expectProblem(await remedy(admin, found, { account: 'provider_fees' }), 400, 'validation_failed')
    expectStatus(await remedy(admin, found, {}), 201)
    await expectNoDifference(admin)
  })

  test('of the balance is shown, and gone when it is booked', async () => {
    const { admin, world } = billing
    await read()
    await expectNoDifference(admin)
    // A movement that the list does not have.
    world.stripe.settings.hiddenTypes = ['transfer']
    world.stripe.adjust({ amount: -1234, currency: 'try', type: 'transfer' })
    await read()
    const [found, ...others] = await differencesOf(admin)
    expect(others).toEqual([])
    expect(found).toMatchObject({ code: 'balance_differs', subject: 'TRY', amount: 12.34 })
    expectStatus(await remedy(admin, found, { account: 'provider_fees' }), 201)
    await expectNoDifference(admin)
    later(1)
    await read()
    await expectNoDifference(admin)
    expect((await check()).problems).toEqual([])
  })
})

describe('a balance in another currency', () => {
  test('of the ledger is booked through the account of conversions, in both currencies', async () => {
    const { admin, world } = billing
    const [lira, dollars] = [await balancesOf(admin), await balancesOf(admin, 'USD')]
    world.stripe.settings.balance = { currency: 'usd', rate: 0.025 }
    const intent = await paid()
    await read()
    world.stripe.settings.balance = null
    const [line] = await linesOf('&provider=stripe')
    expect(line).toMatchObject({ provider_payment_id: intent, currency: 'USD', paid_currency: 'TRY' })
    expect(line.amount).toBeCloseTo(line.paid_amount / 40, 1)
    const [after, inDollars] = [await balancesOf(admin), await balancesOf(admin, 'USD')]
    expect(after['provider_clearing stripe']).toBe(lira['provider_clearing stripe'])
    expect(after['currency_conversion stripe']).toBe(-line.paid_amount)
    expect(inDollars['currency_conversion stripe']).toBe(line.amount)
    expect(inDollars['provider_fees stripe']).toBe((dollars['provider_fees stripe'] ?? 0) - line.fee)
    later()
    await read()
    await expectNoDifference(admin)
    expect((await check()).problems).toEqual([])
  })

  test('that the ledger does not have is shown once, and its payments are compared all the same', async () => {
    const { admin, world } = billing
    world.stripe.settings.balance = { currency: 'eur', rate: 0.02 }
    await paid()
    await paid()
    world.stripe.payOut('eur')
    world.stripe.settings.balance = null
    later()
    await read()
    const [found, ...others] = await differencesOf(admin)
    expect(others).toEqual([])
    expect(found).toMatchObject({ code: 'currency_not_booked', subject: 'EUR', currency: 'EUR', bookable: false })
    expectStatus(await remedy(admin, found, {}), 201)
    await expectNoDifference(admin)
  })
})

test.each([
  ['JPY', 500, 500, '500 JPY'],
  ['KWD', 1500, 1.5, '1.500 KWD'],
  ['ISK', 500, 5, '5.00 ISK'],
])('amounts in %s have its decimals', async (currency, minor, amount, text) => {
  const { admin, world } = billing
  world.stripe.adjust({ amount: minor, currency: currency.toLowerCase(), type: 'charge', fee: 0 })
  await read()
  const [line] = await linesOf()
  expect(line).toMatchObject({ currency, amount, paid_amount: amount })
  later()
  const found = (await differencesOf(admin)).filter((one: { currency: string }) => one.currency === currency)
  const codes = ['currency_not_booked', 'settlement_unknown']
  expect(found.map(({ code }: { code: string }) => code).toSorted()).toEqual(codes)
  for (const one of found) {
    expect(one).toMatchObject({ amount: -amount, there: amount, detail: expect.stringContaining(text) })
    expectProblem(await remedy(admin, { ...one, amount: one.amount + 0.0001 }, {}), 400, 'validation_failed')
    expect(expectStatus(await remedy(admin, one, {}), 201).body).toMatchObject({ amount: -amount })
  }
  await expectNoDifference(admin)
})

test('a page that repeats ends the run with an error, and the next run reads everything', async () => {
  const { t, world, admin } = billing
  for (let count = 0; count < 120; count++) world.stripe.adjust({ amount: 1, currency: 'try', type: 'stripe_fee' })
  world.stripe.settings.repeatsPages = true
  await expect(readSettlements(t.deps)).rejects.toThrow('same page')
  world.stripe.settings.repeatsPages = false
  await read()
  expect(await t.deps.db.selectFrom('settlement_line').select('id').execute()).toHaveLength(
    world.stripe.movements().filter(({ type }) => type !== 'transfer').length,
  )
  await expectNoDifference(admin)
})
