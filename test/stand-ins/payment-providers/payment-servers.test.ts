import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../until.ts'
import { request } from '../request.ts'
import { createJournal } from './journal.ts'
import { type PaymentServers, paymentServers } from './payment-servers.ts'
import { type Receiver, receiver } from './receiver.ts'

const MINUTE = 60_000
let world: PaymentServers
let merchant: Receiver
beforeEach(async () => {
  world = await paymentServers()
  merchant = await receiver()
  world.webhooks.sendTo({ stripe: merchant.url, iyzico: merchant.url })
})
afterEach(async () => {
  await world.close()
  merchant.close()
})

const authorization = () => ({ authorization: `Bearer ${world.stripe.key}` })
const balance = () => request('GET', `${world.stripe.url}/v1/balance`, authorization())
const createCustomer = () => request('POST', `${world.stripe.url}/v1/customers`, authorization())
const eventsReceived = () => merchant.received.map(({ body }): string => JSON.parse(body).id)

describe('the journal', () => {
  const at = new Date()
  const charge = (id: string, amount: bigint, currency = 'TRY') => {
    const refs = [id, 'shared']
    return { provider: 'paytr' as const, id, amount, currency, refs, metadata: { workspace: 'w1' }, at }
  }

  test('finds money by every id and by metadata, and adds it up', () => {
    const journal = createJournal()
    journal.charge(charge('a', 1000n))
    journal.charge(charge('b', 500n))
    journal.refund('a', { id: 'r', amount: 300n, at })
    expect([journal.net('a'), journal.net('b'), journal.net('shared'), journal.net('w1'), journal.net()]).toEqual([
      700n,
      500n,
      1200n,
      1200n,
      1200n,
    ])
    expect(journal.refunds('a')).toMatchObject([{ id: 'r', charge: 'a', amount: 300n, currency: 'TRY' }])
    expect(journal.charges('none')).toEqual([])
  })

  test('refuses what cannot be: more returned than charged, and a sum of two currencies', () => {
    const journal = createJournal()
    journal.charge(charge('a', 1000n))
    journal.charge(charge('b', 1000n, 'USD'))
    expect(() => journal.refund('a', { id: 'r', amount: 1001n, at })).toThrow('1001')
    expect(() => journal.refund('none', { id: 'r', amount: 1n, at })).toThrow('none')
    expect(() => journal.net('shared')).toThrow('currencies')
  })
})

describe('failures of calls', () => {
  test('are errors in the format of the provider, before or after the work', async () => {
    world.stripe.failNext({ kind: 'error', status: 500, works: false })
    world.stripe.failNext({ kind: 'error', status: 500, works: true })
    expect(await createCustomer()).toMatchObject({ status: 500, body: { error: { type: 'api_error' } } })
    expect(world.stripe.customers()).toHaveLength(0)
    expect(await createCustomer()).toMatchObject({ status: 500 })
    expect(world.stripe.customers()).toHaveLength(1)
    expect(await createCustomer()).toMatchObject({ status: 200 })
  })

  test('are for the calls that are named, until they are mended', async () => {
    world.stripe.failAlways({ kind: 'lost', works: true }, { method: 'POST', path: /customers$/ })
    expect((await balance()).status).toBe(200)
    await expect(createCustomer()).rejects.toThrow()
    await expect(createCustomer()).rejects.toThrow()
    world.stripe.mend()
    expect((await createCustomer()).status).toBe(200)
    expect(world.stripe.customers()).toHaveLength(3)
    expect(world.calls().map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'POST'])
  })

  test('are no response at all, a late one, or one of something else', async () => {
    world.stripe.failNext({ kind: 'hang', works: true })
    const abort = new AbortController()
    const init = { method: 'POST', headers: authorization(), signal: abort.signal }
    const hanging = fetch(`${world.stripe.url}/v1/customers`, init).catch(() => 'no response')
    await until(() => expect(world.stripe.customers()).toHaveLength(1))
    abort.abort()
    expect(await hanging).toBe('no response')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    world.stripe.failNext({ kind: 'delay', until: released })
    const late = balance()
    await world.stripe.called('/v1/balance')
    release()
    expect((await late).status).toBe(200)
    world.stripe.failNext({ kind: 'garbage', works: false })
    const garbage = await fetch(`${world.stripe.url}/v1/balance`, { headers: authorization() })
    expect([garbage.status, garbage.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })
})

describe('webhooks', () => {
  /** Makes five events whose webhooks are held. */
  async function held() {
    world.webhooks.hold()
    for (let time = 0; time < 5; time++) await createCustomer()
    return world.webhooks.list({ state: 'held' })
  }

  test('are released in a list of ids with repetitions, and the others stay held', async () => {
    const [a, b, c] = await held()
    await world.webhooks.release([c, a, a].map((each) => each?.id ?? 0))
    expect(eventsReceived()).toEqual([c, a, a].map((each) => each?.eventId))
    expect(world.webhooks.list({ state: 'held' }).map(({ id }) => id)).toContain(b?.id)
  })

  test('are shuffled the same way by the same seed', async () => {
    const first = await held()
    await world.webhooks.release(42)
    const orderOf = (list: typeof first) =>
      eventsReceived()
        .slice(-5)
        .map((id) => list.findIndex((each) => each.eventId === id))
    const order = orderOf(first)
    expect(order).not.toEqual([0, 1, 2, 3, 4])
    const second = await held()
    await world.webhooks.release(42)
    expect(orderOf(second)).toEqual(order)
  })

  test('are sent as often as the test says, and one that is dropped is not', async () => {
    world.webhooks.repeat(2)
    const [first, second] = await held()
    world.webhooks.drop(second?.id ?? 0)
    await world.webhooks.release()
    const count = (id: string | undefined) => eventsReceived().filter((each) => each === id).length
    expect([count(first?.eventId), count(second?.eventId)]).toEqual([2, 0])
  })

  test('come again by themselves after the time of the provider', async () => {
    merchant.respond(503)
    await createCustomer()
    await until(() => expect(world.webhooks.list()).toMatchObject([{ attempts: [{ status: 503 }] }]))
    merchant.respond(200)
    world.advance(5 * MINUTE)
    await until(() => expect(world.webhooks.list({ state: 'accepted' })).toHaveLength(1))
    expect(merchant.received.map(({ headers }) => headers['stripe-signature'])).toHaveLength(2)
  })

  test('that are never accepted make the test fail', async () => {
    merchant.respond(400, 'signature_invalid')
    await createCustomer()
    await expect(world.webhooks.settle(2)).rejects.toThrow('stripe customer.created: 400 signature_invalid')
  })

  test('are forged without a signature, changed, old, and replayed byte by byte', async () => {
    const [hook] = await held()
    const id = hook?.id ?? 0
    await world.webhooks.release()
    const [genuine] = merchant.received
    const forged = async (how: Parameters<typeof world.webhooks.forge>[1]) => {
      await world.webhooks.forge(id, how)
      return merchant.received.at(-1)
    }
    expect((await forged('unsigned'))?.headers['stripe-signature']).toBeUndefined()
    expect((await forged('tampered'))?.body).not.toBe(genuine?.body)
    const seconds = (header: unknown) => Number(/^t=(\d+)/.exec(String(header))?.[1])
    const old = await forged('old')
    expect(seconds(genuine?.headers['stripe-signature']) - seconds(old?.headers['stripe-signature'])).toBeGreaterThan(
      3500,
    )
    world.advance(60 * MINUTE)
    const replayed = await forged('replay')
    expect([replayed?.body, replayed?.headers['stripe-signature']]).toEqual([
      genuine?.body,
      genuine?.headers['stripe-signature'],
    ])
    expect(world.webhooks.list().find((each) => each.id === id)?.attempts).toHaveLength(1)
  })
})

describe('time', () => {
  test('passes at the providers as far as the test says, and shows what comes next', async () => {
    const plan = world.iyzico.createPlan({ price: 100n })
    expect(world.nextDue()).toBeNull()
    expect(plan).toMatch(/-/)
    const before = world.now().getTime()
    world.advance(MINUTE)
    expect(world.now().getTime() - before).toBeGreaterThanOrEqual(MINUTE)
  })
})
