import { createHmac, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { atLeast, type Claim, compareWithBaseline } from './harness.ts'
import { CLI, createOwner, serverSettings, withDeps } from './meydan.ts'
import { createDatabase, startPostgres, startServer } from './processes.ts'

const SECRET = 'whsec_bench'
const PATH = '/api/v1/billing/webhooks/stripe'
const CONNECTIONS = 32
const FIXTURES = join(import.meta.dirname, '../test/stand-ins/payment-providers/stripe/present/fixtures.json')

/** Compares signed events of Stripe that are accepted a second with a bare route that verifies and stores the same. */
export const claim: Claim = {
  name: 'billing-webhook',
  target: atLeast(0.7),
  measure: async (bench) => {
    const connection = await startPostgres()
    await withDeps(connection, createOwner)
    const bare = await createDatabase(connection, 'bare')
    await withDeps(bare, createOwner)
    const { url } = await startServer(
      CLI,
      { ...serverSettings(connection), STRIPE_SECRET_KEY: 'sk_test_bench', STRIPE_WEBHOOK_SECRET: SECRET },
      ['serve'],
    )
    const { url: baseline } = await startServer('fixtures/billing-webhook.ts', {
      CONNECTION: JSON.stringify(bare),
      SECRET,
    })
    const subscription = JSON.parse(await readFile(FIXTURES, 'utf8')).subscription
    return compareWithBaseline(bench, {
      unit: 'events/s',
      rounds: 15,
      seconds: 3,
      value: (seconds) => send(url, subscription, seconds),
      baseline: (seconds) => send(baseline, subscription, seconds),
    })
  },
}

/** Events a second that are acknowledged. Each is another one. */
async function send(url: string, subscription: object, seconds: number) {
  const event = { object: 'event', type: 'customer.subscription.updated', data: { object: subscription } }
  const rest = JSON.stringify(event).slice(1)
  const signed = () => {
    const body = `{"id":"evt_${randomUUID()}",${rest}`
    const at = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', SECRET).update(`${at}.${body}`).digest('hex')
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` }
    return { method: 'POST', path: PATH, headers, body }
  }
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [{ setupRequest: signed }],
  })
  const { non2xx, errors, timeouts } = result
  if (non2xx + errors + timeouts > 0)
    throw new Error(`Events to ${url} failed: ${JSON.stringify({ non2xx, errors, timeouts })}`)
  return result['2xx'] / result.duration
}
