import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Billing, billingApp, sellAtStripe, team } from '../../server/modules/billing/billing.fixture.ts'
import { client } from '../client.ts'
import { databaseUrl } from '../database.ts'
import { expectStatus, signedIn } from '../factories.ts'
import { freePort, kill, startMeydan } from '../processes.ts'
import { randomNumbers } from '../random.ts'
import { scaled } from '../run/machine.ts'
import { SEED, timesOf } from './settings.ts'

// More of it: npm run torture -- billing-kill
const KILLS = timesOf('BILLING_KILLS', 2)
/** Longer than a killed call holds its key, and than a provider is waited for. */
const ABANDONED_MS = 61_000

let billing: Billing
let api: ChildProcess | undefined
let apiUrl: string
beforeEach(async () => {
  billing = await billingApp('stripe', {}, { live: true })
  await sellAtStripe(billing, 'team')
})
afterEach(async () => {
  await kill(api)
  await billing.close()
})

/** Starts the API in a process of its own, on the database of `billing`. */
async function startApi() {
  const { t, world } = billing
  const port = await freePort()
  apiUrl = `http://127.0.0.1:${port}`
  api = await startMeydan({
    ROLE: 'api',
    PORT: String(port),
    SECRET_KEY: String(t.deps.config.SECRET_KEY),
    DATABASE_URL: databaseUrl(t.database.connection),
    BASE_URL: t.deps.baseUrl,
    BILLING_PROVIDER: 'stripe',
    STRIPE_URL: world.stripe.url,
    STRIPE_SECRET_KEY: world.stripe.key,
    STRIPE_WEBHOOK_SECRET: world.stripe.webhookSecret,
  })
}

const openSessions = (workspace_id: string) =>
  billing.world.stripe
    .sessions()
    .filter((each) => (each.metadata as Record<string, string>).workspace_id === workspace_id)
    .filter(({ status }) => status === 'open')
    .map(({ url }) => url)

const checkoutsOf = (workspace_id: string) =>
  billing.t.deps.db
    .selectFrom('checkout')
    .select(['id', 'status', 'url'])
    .where('workspace_id', '=', workspace_id)
    .where('status', '=', 'open')
    .execute()

test(
  `a checkout whose process is killed and that is requested again is open once, with one page at Stripe (${KILLS} kills, seed ${SEED})`,
  async () => {
    const random = randomNumbers(SEED)
    const { stripe } = billing.world
    for (let hit = 0; hit < KILLS; hit++) {
      await startApi()
      const owner = await signedIn(billing.t)
      const { body: workspace } = expectStatus(await owner.post('/api/v1/workspaces', { name: `Kill ${hit}` }), 201)
      const headers = { 'idempotency-key': randomUUID() }
      const before = stripe.calls.length
      const isSent = () =>
        stripe.calls.slice(before).some(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions')
      // Before Stripe does it, after Stripe did it, and anywhere.
      const works = [true, false, undefined][hit % 3]
      if (works !== undefined)
        stripe.failNext({ kind: 'hang', works }, { method: 'POST', path: '/v1/checkout/sessions' })
      const lost = client(apiUrl, owner.headers)
        .post('/api/v1/billing/checkout', team, headers)
        .catch(() => undefined)
      if (works === undefined) await sleep(random() * 400)
      else await expect.poll(isSent).toBe(true)
      await kill(api)
      await lost
      stripe.mend()
      // The clock of the killed process was not moved.
      billing.t.advance(ABANDONED_MS)
      const again = await owner.post('/api/v1/billing/checkout', team, headers)
      expect([200, 201]).toContain(again.status)
      const { id, url } = again.body
      expect(await checkoutsOf(workspace.id)).toEqual([{ id, status: 'open', url }])
      expect(openSessions(workspace.id)).toEqual([url])
      const third = await owner.post('/api/v1/billing/checkout', team, headers)
      expect(third.body).toMatchObject({ id, url })
      expect(openSessions(workspace.id)).toEqual([url])
      billing.t.advance(-ABANDONED_MS)
    }
  },
  scaled(60_000 + 30_000 * KILLS),
)
