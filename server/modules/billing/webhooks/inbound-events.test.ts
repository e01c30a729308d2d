import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { databaseUrl } from '../../../../test/database.ts'
import { postgresProxy } from '../../../../test/postgres-proxy.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { freePort, kill, startMeydan } from '../../../../test/processes.ts'
import { billingApp, lastingOwner, openAtStripe, sellAtStripe, settle } from '../billing.fixture.ts'

const billing = await billingApp('stripe')
await sellAtStripe(billing, 'team')
afterAll(() => billing?.close())

const webhooks = () => billing.world.webhooks
const db = () => billing.t.deps.db
const inbound = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  billing.t.anyone.call('POST', '/api/v1/billing/webhooks/stripe', {
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })

const eventRows = () => db().selectFrom('billing_event').selectAll().execute()
const isStored = async (event_id: string) => (await eventRows()).some((row) => row.event_id === event_id)

/** A paid session whose webhooks wait. Returns the ids of the webhooks. */
async function pay(owner: Awaited<ReturnType<typeof lastingOwner>>) {
  const { session } = await openAtStripe(billing, owner)
  webhooks().hold()
  const before = webhooks().list().length
  expect(billing.world.stripe.payCheckout(session).paid).toBe(true)
  return webhooks()
    .list({ provider: 'stripe', state: 'held' })
    .filter(({ id }) => id > before)
}

const started = async (owner: Awaited<ReturnType<typeof lastingOwner>>) => {
  const { rows } = await sql<{ subscriptions: number; payments: number; invoices: number }>`select
    (select count(*)::int from subscription where workspace_id = ${owner.workspace_id}) as subscriptions,
    (select count(*)::int from payment where workspace_id = ${owner.workspace_id}) as payments,
    (select count(*)::int from invoice where workspace_id = ${owner.workspace_id}) as invoices`.execute(db())
  return rows[0]
}
const once = { subscriptions: 1, payments: 1, invoices: 1 }
const nothing = { subscriptions: 0, payments: 0, invoices: 0 }

beforeEach(async () => {
  await webhooks().release()
  await settle(billing)
})

describe('signatures', () => {
  test.each(['wrong_secret', 'unsigned', 'tampered', 'old'] as const)(
    'an event that is %s is refused, and nothing of it is kept',
    async (forgery) => {
      const owner = await lastingOwner(billing)
      for (const { id, eventId } of await pay(owner)) {
        const { status, response } = await webhooks().forge(id, forgery)
        expect([status, JSON.parse(response).code]).toEqual([400, 'signature_invalid'])
        expect(await isStored(eventId)).toBe(false)
      }
      expect(await isStored('evt_tampered')).toBe(false)
      await billing.t.runJobs()
      expect(await started(owner)).toEqual(nothing)
    },
  )

  test('the bytes of an event are refused an hour later, and change nothing within five minutes', async () => {
    const owner = await lastingOwner(billing)
    const held = await pay(owner)
    await webhooks().release()
    await settle(billing)
    expect(await started(owner)).toEqual(once)
    for (const { id } of held) expect((await webhooks().forge(id, 'replay')).status).toBe(200)
    await settle(billing)
    expect(await started(owner)).toEqual(once)
    billing.t.advance(3_600_000)
    for (const { id } of held) expect((await webhooks().forge(id, 'replay')).status).toBe(400)
  })

  test('an event of more than 256 KB is refused before its signature is checked', async () => {
    expect((await inbound(`{"pad":"${'x'.repeat(256 * 1024)}"}`)).status).toBe(413)
    expectProblem(await inbound(`{"pad":"${'x'.repeat(250 * 1024)}"}`), 400, 'signature_invalid')
  })

  test.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['bytes that are no text', new Uint8Array([0, 255, 254, 128])],
  ])('a body of %s is a wrong signature, not a failure', async (_, body) => {
    expect((await inbound(body)).status).toBe(400)
    expect((await inbound(body, { 'stripe-signature': 't=1,v1=00' })).status).toBe(400)
  })
})

describe('delivery', () => {
  test('events that come ten times each, all at once, are stored once and start one subscription', async () => {
    const owner = await lastingOwner(billing)
    const held = await pay(owner)
    const repeated = held.flatMap(({ id }) => Array.from({ length: 10 }, () => id))
    const sent = await Promise.all(repeated.map((id) => webhooks().send(id)))
    expect(sent.every(({ accepted }) => accepted)).toBe(true)
    const stored = await eventRows()
    for (const { eventId } of held) expect(stored.filter(({ event_id }) => event_id === eventId)).toHaveLength(1)
    await settle(billing)
    expect(await started(owner)).toEqual(once)
  })

  test('events in reverse order start the same subscription', async () => {
    const owner = await lastingOwner(billing)
    await pay(owner)
    await webhooks().release('reversed')
    await settle(billing)
    expect(await started(owner)).toEqual(once)
  })

  test('an event about a product of somebody else is acknowledged, and changes nothing', async () => {
    const { stripe } = billing.world
    const other = await lastingOwner(billing)
    const price = stripe.createPrice({ amount: 1000, currency: 'try' })
    const call = async (path: string, form: Record<string, string>) => {
      const headers = { authorization: `Bearer ${stripe.key}`, 'content-type': 'application/x-www-form-urlencoded' }
      const response = await fetch(`${stripe.url}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) })
      expect(response.status).toBe(200)
      return (await response.json()) as { id: string }
    }
    const before = new Set((await eventRows()).map(({ event_id }) => event_id))
    for (const metadata of [
      {},
      { checkout_id: randomUUID(), workspace_id: other.workspace_id },
      { checkout_id: 'x' },
    ]) {
      const session = await call('/v1/checkout/sessions', {
        mode: 'subscription',
        'line_items[0][price]': price,
        'line_items[0][quantity]': '1',
        customer_email: 'somebody@example.com',
        success_url: 'https://example.com/',
        ...Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value])),
        ...Object.fromEntries(
          Object.entries(metadata).map(([key, value]) => [`subscription_data[metadata][${key}]`, value]),
        ),
      })
      expect(stripe.payCheckout(session.id).paid).toBe(true)
    }
    await settle(billing)
    const stored = (await eventRows()).filter(({ event_id }) => !before.has(event_id))
    expect(stored.length).toBeGreaterThan(5)
    expect(new Set(stored.map(({ outcome }) => outcome))).toEqual(new Set(['ignored']))
    expect(await started(other)).toEqual(nothing)
  })

  test('while the database is down the response is 503, and the event that comes again is handled', async () => {
    const owner = await lastingOwner(billing)
    const [first] = await pay(owner)
    const id = first?.id ?? 0
    const { t } = billing
    const proxy = await postgresProxy(t.database.connection)
    const { STRIPE_URL, SECRET_KEY } = t.deps.config
    const node = await testApp(
      {
        STRIPE_URL,
        SECRET_KEY: String(SECRET_KEY),
        STRIPE_WEBHOOK_SECRET: billing.world.stripe.webhookSecret,
        STRIPE_SECRET_KEY: billing.world.stripe.key,
      },
      { beside: { database: { ...t.database, connection: proxy.connection } } },
    )
    onTestFinished(async () => {
      await node.close()
      proxy.close()
    })
    node.advance(t.clock.now().getTime() - node.clock.now().getTime())
    const at = (url: string) => webhooks().sendTo({ stripe: `${url}/api/v1/billing/webhooks/stripe` })
    onTestFinished(() => at(t.url))
    at(node.url)
    proxy.down()
    for (const sent of await Promise.all([id, id, id].map((each) => webhooks().send(each))))
      expect(sent).toMatchObject({ status: 503, accepted: false })
    proxy.up()
    expect(await webhooks().send(id)).toMatchObject({ status: 200, accepted: true })
    await webhooks().release()
    await settle(billing)
    expect(await started(owner)).toEqual(once)
  })

  test('events that a node acknowledges before it is killed are handled, and the others come again', async () => {
    const owner = await lastingOwner(billing)
    const held = await pay(owner)
    const { t, world } = billing
    const PORT = String(await freePort())
    const node = await startMeydan({
      PORT,
      ROLE: 'api',
      DATABASE_URL: databaseUrl(t.database.connection),
      SECRET_KEY: String(t.deps.config.SECRET_KEY),
      STRIPE_SECRET_KEY: world.stripe.key,
      STRIPE_WEBHOOK_SECRET: world.stripe.webhookSecret,
    })
    onTestFinished(() => kill(node))
    const at = (url: string) => webhooks().sendTo({ stripe: `${url}/api/v1/billing/webhooks/stripe` })
    onTestFinished(() => at(t.url))
    at(`http://127.0.0.1:${PORT}`)
    const acknowledged: string[] = []
    const sending = held.map(async ({ id, eventId }) => {
      const { accepted } = await webhooks().send(id)
      if (accepted && acknowledged.push(eventId) === 1) await kill(node)
    })
    await Promise.all(sending)
    expect(acknowledged).not.toEqual([])
    await t.runJobs()
    const handled = (await eventRows()).filter(({ handled_at }) => handled_at).map(({ event_id }) => event_id)
    expect(handled).toEqual(expect.arrayContaining(acknowledged))
    at(t.url)
    await webhooks().release()
    await settle(billing)
    expect(await started(owner)).toEqual(once)
  })

  test('while Stripe is down an event is acknowledged, and handled when Stripe is back', async () => {
    const owner = await lastingOwner(billing)
    await pay(owner)
    billing.world.stripe.failAlways({ kind: 'error', status: 500, works: false })
    await webhooks().release()
    await webhooks().settle()
    await billing.t.runJobs()
    expect(await started(owner)).toEqual(nothing)
    billing.world.stripe.mend()
    billing.t.advance(3_600_000)
    await settle(billing)
    expect(await started(owner)).toEqual(once)
  })
})
