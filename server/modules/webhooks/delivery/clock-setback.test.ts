import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { webhookReceiver } from '../../../../test/receiver.ts'
import { until } from '../../../../test/until.ts'
import { startDispatcher } from './dispatcher.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

// One failure opens the circuit for 30 seconds.
const t = await testApp({ WEBHOOK_CIRCUIT: '1,30,900', WEBHOOK_RETRY_SCHEDULE: '0,86400' })

const open = (webhook_id: string) =>
  t.deps.db
    .selectFrom('delivery')
    .select(['attempts', 'claim_id', 'run_at'])
    .where('webhook_id', '=', webhook_id)
    .execute()

async function withWebhook(url: string) {
  const person = await withWorkspace(t)
  const webhook = expectStatus(await person.post('/api/v1/webhooks', { url, events: ['post.created'] }), 201).body
  const create = async () => expectStatus(await person.post('/api/v1/posts', { content: 'Hello' }), 201)
  return { id: webhook.id, create }
}

/** A receiver that responds with the given status. */
async function receiverOf(status: number) {
  const receiver = await webhookReceiver()
  const respondWith = (status: number) => receiver.respondWith((response) => response.writeHead(status).end())
  respondWith(status)
  return { ...receiver, respondWith }
}

test('a retry and a circuit of a day that the clock was ahead are due as soon as it is set back', async () => {
  const receiver = await receiverOf(500)
  const { id, create } = await withWebhook(receiver.url)
  t.advance(DAY_MS)
  const dispatcher = startDispatcher(t.deps)
  try {
    await create()
    await until(async () => expect(await open(id)).toMatchObject([{ attempts: 1, claim_id: null }]))
    receiver.respondWith(200)
    t.advance(-DAY_MS)
    await until(async () => expect(await open(id)).toEqual([]))
    expect(receiver.received).toHaveLength(2)
  } finally {
    await dispatcher.stop()
    receiver.close()
  }
})

test('a start makes due what a worker that died claimed or scheduled while the clock was ahead', async () => {
  const receiver = await receiverOf(200)
  const { id, create } = await withWebhook(receiver.url)
  t.advance(HOUR_MS)
  await create()
  await create()
  const [first] = await t.deps.db
    .selectFrom('delivery')
    .select('id')
    .where('webhook_id', '=', id)
    .orderBy('id')
    .execute()
  await t.deps.db
    .updateTable('delivery')
    .set({ claim_id: first?.id ?? null, run_at: new Date(t.clock.now().getTime() + 60_000) })
    .where('id', '=', first?.id ?? '')
    .execute()
  t.advance(-HOUR_MS)
  const dispatcher = startDispatcher(t.deps)
  try {
    await until(() => expect(receiver.received).toHaveLength(2))
  } finally {
    await dispatcher.stop()
    receiver.close()
  }
})

test('what waits rightly goes on waiting: leases, and the waits between attempts', async () => {
  const receiver = await receiverOf(500)
  const failing = await withWebhook(receiver.url)
  const claimed = await withWebhook(receiver.url)
  const first = startDispatcher(t.deps)
  await failing.create()
  await until(async () => expect(await open(failing.id)).toMatchObject([{ attempts: 1, claim_id: null }]))
  await first.stop()
  await claimed.create()
  const lease = { claim_id: claimed.id, run_at: new Date(t.clock.now().getTime() + 60_000) }
  await t.deps.db.updateTable('delivery').set(lease).where('webhook_id', '=', claimed.id).execute()
  const before = [await open(failing.id), await open(claimed.id)]
  const later = await withWebhook(receiver.url)
  const dispatcher = startDispatcher(t.deps)
  try {
    // The repair of the start has ended before anything is sent.
    await later.create()
    await until(async () => expect(await open(later.id)).toMatchObject([{ attempts: 1, claim_id: null }]))
    expect([await open(failing.id), await open(claimed.id)]).toEqual(before)
  } finally {
    await dispatcher.stop()
    receiver.close()
  }
})
