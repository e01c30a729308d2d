import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../../until.ts'
import { type PaymentServers, paymentServers } from '../payment-servers.ts'
import { type Receiver, receiver } from '../receiver.ts'
import { paytrHash } from './hash.ts'

const SALT = 'TESTSALT'
const hash = (...texts: string[]) => paytrHash('TESTKEY', ...texts, SALT)

let world: PaymentServers
let merchant: Receiver
let number = 0
let clock = Date.parse('2026-03-01T00:00:00Z')
beforeAll(async () => {
  world = await paymentServers({ now: () => new Date(clock) })
  merchant = await receiver()
})
beforeEach(() => {
  merchant.respond(200, 'OK')
  world.webhooks.sendTo({ paytr: merchant.url })
})
afterAll(async () => {
  await world.close()
  merchant.close()
})

const order = (fields: Record<string, string> = {}): Record<string, string> => {
  const given: Record<string, string> = {
    merchant_id: '123456',
    user_ip: '203.0.113.7',
    merchant_oid: `SUB${++number}`,
    email: 'a@b.co',
    payment_amount: '3456',
    user_basket: Buffer.from('[["Pro monthly","34.56",1]]').toString('base64'),
    no_installment: '1',
    max_installment: '0',
    currency: 'TL',
    test_mode: '1',
    user_name: 'Ada',
    user_address: 'İstanbul',
    user_phone: '05350000000',
    merchant_ok_url: 'http://localhost/ok',
    merchant_fail_url: 'http://localhost/fail',
    ...fields,
  }
  const { merchant_id, user_ip, merchant_oid, email, payment_amount, user_basket, ...rest } = given
  const signed = [merchant_id, user_ip, merchant_oid, email, payment_amount, user_basket, rest.no_installment]
  const token = hash(...[...signed, rest.max_installment, rest.currency, rest.test_mode].map((each) => each ?? ''))
  return { paytr_token: token, ...given }
}

async function post(path: string, fields: Record<string, string>) {
  const response = await fetch(`${world.paytr.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  return (await response.json()) as Record<string, unknown>
}
const open = async (fields?: Record<string, string>) => {
  const sent = order(fields)
  const { token } = await post('/odeme/api/get-token', sent)
  return { oid: String((sent as Record<string, string>).merchant_oid), token: String(token) }
}
const refund = (oid: string, amount: string) =>
  post('/odeme/iade', {
    merchant_id: '123456',
    merchant_oid: oid,
    return_amount: amount,
    paytr_token: hash('123456', oid, amount),
  })
const status = (oid: string) =>
  post('/odeme/durum-sorgu', { merchant_id: '123456', merchant_oid: oid, paytr_token: hash('123456', oid) })

describe("PayTR's hash", () => {
  const basket = 'W1siUHJvIG1vbnRobHkiLCIzNC41NiIsMV1d'
  const tokenFields = ['123456', '203.0.113.7', 'SUB0001', 'a@b.co', '3456', basket, '1', '0', 'TL', '1', SALT]
  const recurring = ['123456', '203.0.113.7', 'SUB0002', 'a@b.co', '34.56', 'card', '0', 'TL', '1', '1', SALT]
  test.each([
    ['get-token', tokenFields, 'NkzRjup2AfPscaKL2HgI8t+zphzBSl0i7KJ0LovQZOU='],
    ['Bildirim', ['SUB0001', SALT, 'success', '3456'], 'tvLvnNaHWObyF64M2BjADHO/bHgXs10VTaF/rAx3v9U='],
    ['refund', ['123456', 'SUB0001', '10.25', SALT], '/IXHrWFy5CgNaL692y86w1rtdKqYzz9BeGyh4DxCvfc='],
    ['status', ['123456', 'SUB0001', SALT], 'M9rFPl5EpBBmd08nEbxiGPtEdgY9tE0sn4EVWqzsPxI='],
    ['a recurring payment', recurring, 'mKY26UJCPwNmB+ORDb2RZ1UmsIklmAfQkIrNbCOFG+Y='],
  ])('of %s is as in its vector', (_name, texts, expected) => {
    expect(paytrHash('TESTKEY', ...texts)).toBe(expected)
  })
})

describe('PayTR', () => {
  test('refuses a wrong hash, an order number with a dash or used before, and a missing field', async () => {
    const reason = async (fields: Record<string, string>) => (await post('/odeme/api/get-token', fields)).reason
    expect(await reason({ ...order(), payment_amount: '1' })).toContain('paytr_token')
    expect(await reason(order({ merchant_oid: 'a-b' }))).toContain('alfanumerik')
    expect(await reason(order({ user_phone: '' }))).toContain('user_phone')
    const used = order()
    expect(await post('/odeme/api/get-token', used)).toMatchObject({ status: 'success' })
    expect(await reason(used)).toContain('daha once')
  })

  test('repeats the Bildirim until the response is exactly OK', async () => {
    const { oid, token } = await open()
    merchant.respond(200, 'OK\n')
    world.paytr.pay(token)
    await until(() => expect(world.webhooks.list().at(-1)?.attempts).toHaveLength(1))
    expect(world.paytr.order(oid)?.acknowledged).toBe(false)
    merchant.respond(200, 'OK')
    clock += 60_000
    await until(() => expect(world.paytr.order(oid)?.acknowledged).toBe(true))
    const [first, second] = merchant.received.slice(-2).map(({ body }) => new URLSearchParams(body))
    expect(second?.toString()).toBe(first?.toString())
    expect(first?.get('hash')).toBe(paytrHash('TESTKEY', oid, SALT, 'success', '3456'))
  })

  test('writes a payment with the fee of instalments into the journal, and returns it in parts', async () => {
    const { oid, token } = await open()
    expect(world.paytr.pay(token, { fee: 44n })).toEqual({ redirect: 'http://localhost/ok' })
    await world.webhooks.settle()
    expect(world.journal.charges(oid)).toMatchObject([{ provider: 'paytr', amount: 3500n, currency: 'TRY' }])
    expect(await refund(oid, '10.25')).toMatchObject({ status: 'success', return_amount: '10.25' })
    expect(await refund(oid, '24.76')).toMatchObject({ status: 'error', err_no: '009' })
    expect(await refund(oid, '24.75')).toMatchObject({ status: 'success' })
    expect(world.journal.net(oid)).toBe(0n)
    expect(await status(oid)).toMatchObject({ payment_amount: '34.56', payment_total: '35.00', returns: [{}, {}] })
  })

  test('returns nothing of an order that was not paid, or whose Bildirim was not acknowledged', async () => {
    const { oid, token } = await open()
    expect(await refund(oid, '1')).toMatchObject({ err_no: '005' })
    expect(await status(oid)).toMatchObject({ err_no: '004' })
    merchant.respond(500, 'OK?')
    world.paytr.pay(token)
    expect(await refund(oid, '1')).toMatchObject({ err_no: '007' })
    merchant.respond(200, 'OK')
    await world.webhooks.settle()
  })

  test('reports a declined card and a page whose time ran out', async () => {
    const declined = await open()
    world.paytr.pay(declined.token, { card: 'declined' })
    const left = await open({ timeout_limit: '5' })
    await world.webhooks.settle()
    clock += 5 * 60_000
    await until(() => expect(world.paytr.order(left.oid)?.state).toBe('failed'))
    await world.webhooks.settle()
    const codes = merchant.received.slice(-2).map(({ body }) => new URLSearchParams(body).get('failed_reason_code'))
    expect(codes).toEqual(['0', '6'])
    expect(world.journal.charges(declined.oid)).toEqual([])
  })

  test('shows a page that pays, and leads the browser back', async () => {
    const { oid, token } = await open()
    const page = `${world.paytr.url}/odeme/guvenli/${token}`
    expect(await (await fetch(page)).text()).toContain('value="ok"')
    const paid = await fetch(page, { method: 'POST', body: new URLSearchParams({ card: 'ok' }) })
    expect(await paid.text()).toContain('http://localhost/ok')
    expect(world.journal.net(oid)).toBe(3456n)
    expect((await fetch(page)).status).toBe(404)
    await world.webhooks.settle()
  })

  test('does the work of a call whose response is lost, and only then', async () => {
    const { oid, token } = await open()
    world.paytr.pay(token)
    await world.webhooks.settle()
    world.paytr.failNext({ kind: 'lost', works: false }, { path: '/odeme/iade' })
    await expect(refund(oid, '1.00')).rejects.toThrow()
    expect(world.journal.refunds(oid)).toEqual([])
    world.paytr.failNext({ kind: 'lost', works: true }, { path: '/odeme/iade' })
    await expect(refund(oid, '1.00')).rejects.toThrow()
    expect(world.journal.refunds(oid)).toMatchObject([{ amount: 100n }])
    expect(await status(oid)).toMatchObject({ returns: [{ return_amount: '1.00' }] })
  })
})
