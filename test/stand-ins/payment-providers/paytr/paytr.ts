import { majorOf, minorOf } from '../amounts.ts'
import type { Journal } from '../journal.ts'
import { paymentPage } from '../page.ts'
import { type Call, paymentServer, type Reply } from '../server.ts'
import type { Timers } from '../timers.ts'
import type { Webhooks } from '../webhooks.ts'
import { paytrHash } from './hash.ts'
import { checkOrder, ISO_CURRENCY } from './order.ts'

type Order = {
  oid: string
  token: string
  fields: URLSearchParams
  amount: bigint
  /** Paid by the customer, with the fee of instalments. */
  total: bigint
  state: 'open' | 'success' | 'failed'
  acknowledged: boolean
  returns: { amount: bigint; reference: string }[]
  paidAt: Date | null
}

/** A payment of the customer. `fee`: added by instalments, in minor units. */
type Payment = { card?: 'ok' | 'declined'; fee?: bigint }

type World = { timers: Timers; journal: Journal; webhooks: Webhooks }

const json = (body: unknown): Reply => ({ status: 200, body })
const failed = (reason: string) => json({ status: 'failed', reason })
const refused = (err_no: string, err_msg: string) => json({ status: 'error', err_no, err_msg })

/** PayTR: iFrame API, Bildirim, refund and status query. */
export async function paytrServer({ timers, journal, webhooks }: World) {
  const credentials = { merchantId: '123456', merchantKey: 'TESTKEY', merchantSalt: 'TESTSALT' }
  const orders = new Map<string, Order>()
  const byToken = (token: string) => [...orders.values()].find((order) => order.token === token)
  let declines = 0
  let refunds = 0

  const signs = (fields: URLSearchParams, ...names: string[]) => {
    const texts = names.map((name) => fields.get(name) ?? '')
    const { merchantKey, merchantSalt } = credentials
    return fields.get('paytr_token') === paytrHash(merchantKey, ...texts, merchantSalt)
  }

  function getToken(fields: URLSearchParams): Reply {
    const wrong = checkOrder(fields, credentials.merchantId)
    if (wrong) return failed(wrong)
    const signed = ['merchant_id', 'user_ip', 'merchant_oid', 'email', 'payment_amount', 'user_basket']
    if (!signs(fields, ...signed, 'no_installment', 'max_installment', 'currency', 'test_mode'))
      return failed('paytr_token gonderilmedi veya gecersiz')
    const oid = fields.get('merchant_oid') ?? ''
    if (orders.has(oid)) return failed('merchant_oid daha once kullanilmis')
    const token = paytrHash(credentials.merchantKey, oid, 'token').replace(/\W/g, '').toLowerCase()
    const amount = BigInt(fields.get('payment_amount') ?? '')
    const state = { total: amount, state: 'open', acknowledged: false, returns: [], paidAt: null } as const
    orders.set(oid, { ...state, oid, token, fields, amount, returns: [] })
    const minutes = Number(fields.get('timeout_limit') || 30)
    timers.set(`paytr ${oid}`, timers.time() + minutes * 60_000, () => leave(token))
    return json({ status: 'success', token })
  }

  /** Reports the end of an order to the merchant, every minute until the body of the response is OK. */
  function notify(order: Order, failure?: { code: string; message: string }) {
    const { oid, total, amount, fields } = order
    const status = failure ? 'failed' : 'success'
    const { merchantSalt, merchantKey } = credentials
    webhooks.emit({
      provider: 'paytr',
      type: status,
      eventId: `${oid}${status}`,
      secret: merchantKey,
      make: (_at, key) => ({
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'PayTR' },
        body: new URLSearchParams({
          merchant_oid: oid,
          status,
          total_amount: String(total),
          ...(key === undefined ? {} : { hash: paytrHash(key, oid, merchantSalt, status, String(total)) }),
          ...(failure ? { failed_reason_code: failure.code, failed_reason_msg: failure.message } : {}),
          test_mode: fields.get('test_mode') || '0',
          payment_type: 'card',
          currency: fields.get('currency') || 'TL',
          payment_amount: String(amount),
        }).toString(),
      }),
      tamper: (body) =>
        body.includes('status=failed')
          ? body.replace('status=failed', 'status=success')
          : body.replace(/total_amount=(\d+)/, 'total_amount=1$1'),
      accepts: (_status, body) => {
        order.acknowledged ||= body === 'OK'
        return body === 'OK'
      },
      gap: () => 60_000,
    })
  }

  function pay(token: string, { card = 'ok', fee = 0n }: Payment = {}) {
    timers.catchUp()
    const order = byToken(token)
    if (order?.state !== 'open') throw new Error(`No open payment ${token}`)
    timers.clear(`paytr ${order.oid}`)
    if (card === 'declined' || declines > 0) {
      if (card !== 'declined') declines--
      order.state = 'failed'
      notify(order, { code: '0', message: 'Kart limiti/bakiyesi yetersiz' })
      return { redirect: order.fields.get('merchant_fail_url') ?? '' }
    }
    const at = new Date(timers.time())
    Object.assign(order, { state: 'success', total: order.amount + fee, paidAt: at })
    const currency = ISO_CURRENCY[order.fields.get('currency') || 'TL'] ?? ''
    const refs = [order.oid, token]
    journal.charge({ provider: 'paytr', id: order.oid, amount: order.total, currency, refs, metadata: {}, at })
    notify(order)
    return { redirect: order.fields.get('merchant_ok_url') ?? '' }
  }

  /** The customer goes away, or the time of the page ends. */
  function leave(token: string) {
    const order = byToken(token)
    if (order?.state !== 'open') throw new Error(`No open payment ${token}`)
    timers.clear(`paytr ${order.oid}`)
    order.state = 'failed'
    notify(order, { code: '6', message: 'Müşteri ödeme yapmaktan vazgeçti ve ödeme sayfasından ayrıldı' })
    return { redirect: order.fields.get('merchant_fail_url') ?? '' }
  }

  function giveBack(order: Order, amount: bigint, reference: string) {
    order.returns.push({ amount, reference })
    journal.refund(order.oid, { id: `${order.oid}-${++refunds}`, amount, at: new Date(timers.time()) })
  }

  function refund(fields: URLSearchParams): Reply {
    const text = fields.get('return_amount') ?? ''
    const amount = minorOf(text)
    if (fields.get('merchant_id') !== credentials.merchantId)
      return refused('001', 'Geçersiz istek veya mağaza aktif değil')
    if (!fields.get('merchant_oid')) return refused('002', 'Geçersiz merchant_oid')
    if (!amount) return refused('003', 'return_amount gönderilmedi veya geçersiz')
    if (!signs(fields, 'merchant_id', 'merchant_oid', 'return_amount')) return refused('004', 'paytr_token geçersiz')
    const order = orders.get(fields.get('merchant_oid') ?? '')
    if (order?.state !== 'success') return refused('005', 'Başarılı ödeme bulunamadı')
    if (!order.acknowledged) return refused('007', 'Ödemenin bildirimi henüz tamamlanmadı')
    const returned = order.returns.reduce((sum, each) => sum + each.amount, 0n)
    if (returned + amount > order.total) return refused('009', 'İade tutarı kalan tutardan fazla')
    const reference = fields.get('reference_no') ?? ''
    giveBack(order, amount, reference)
    const is_test = Number(order.fields.get('test_mode') || 0)
    return json({ status: 'success', is_test, merchant_oid: order.oid, return_amount: text, reference_no: reference })
  }

  function statusOf(fields: URLSearchParams): Reply {
    if (fields.get('merchant_id') !== credentials.merchantId)
      return refused('001', 'Geçersiz istek veya mağaza aktif değil')
    if (!signs(fields, 'merchant_id', 'merchant_oid')) return refused('003', 'paytr_token geçersiz')
    const order = orders.get(fields.get('merchant_oid') ?? '')
    if (order?.state !== 'success') return refused('004', 'Başarılı ödeme bulunamadı')
    const fee = order.total / 50n
    return json({
      status: 'success',
      payment_amount: majorOf(order.amount),
      payment_total: majorOf(order.total),
      payment_date: order.paidAt?.toISOString().slice(0, 19).replace('T', ' '),
      currency: order.fields.get('currency') || 'TL',
      taksit: '0',
      kart_marka: 'bonus',
      masked_pan: '435508******4358',
      odeme_tipi: 'KART',
      test_mode: order.fields.get('test_mode') || '0',
      net_tutar: majorOf(order.total - fee),
      kesinti_tutari: majorOf(fee),
      returns: order.returns.map(({ amount, reference }) => ({
        return_amount: majorOf(amount),
        return_success: '1',
        reference_no: reference,
      })),
    })
  }

  function page({ method, path, raw }: Call): Reply {
    const token = path.split('/').at(-1) ?? ''
    const cards = ['ok', 'declined', 'leave']
    if (byToken(token)?.state !== 'open') return { status: 404, body: '<h1>Bu ödeme sayfası artık geçerli değil</h1>' }
    if (method === 'GET') return { status: 200, body: paymentPage('PayTR', cards) }
    const card = new URLSearchParams(raw.toString()).get('card')
    const { redirect } = card === 'leave' ? leave(token) : pay(token, { card: card === 'ok' ? 'ok' : 'declined' })
    const top = `<script>top.location.href = ${JSON.stringify(redirect)}</script>`
    return { status: 200, body: `<!doctype html><title>PayTR</title>${top}` }
  }

  function handle(call: Call): Reply {
    timers.catchUp()
    if (call.path.startsWith('/odeme/guvenli/')) return page(call)
    const isForm = call.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    const fields = new URLSearchParams(isForm ? call.raw.toString() : '')
    if (call.method !== 'POST') return { status: 405, body: 'POST' }
    if (call.path === '/odeme/api/get-token') return getToken(fields)
    if (call.path === '/odeme/iade') return refund(fields)
    if (call.path === '/odeme/durum-sorgu') return statusOf(fields)
    return { status: 404, body: 'Not Found' }
  }

  const errorOf = (status: number): Reply => ({ status, body: `<h1>${status}</h1>` })
  const server = await paymentServer({ provider: 'paytr', time: timers.time, handle, errorOf })

  return {
    ...server,
    ...credentials,
    /** Pays on the page of this token. Returns where the browser goes; the Bildirim is sent besides. */
    pay,
    leave,
    /** Declines this many of the next payments, whatever their card. */
    declineNext: (times = 1) => {
      declines = times
    },
    /** Returns money in the panel of PayTR. `amount`: minor units. */
    refundInPanel: (oid: string, amount: bigint) => {
      const order = orders.get(oid)
      if (!order) throw new Error(`No order ${oid}`)
      giveBack(order, amount, '')
    },
    /** An order by its merchant_oid, or all. `acknowledged`: a Bildirim got the response OK, so the money is settled. */
    order: (oid: string) => orders.get(oid),
    orders: () => [...orders.values()],
  }
}
