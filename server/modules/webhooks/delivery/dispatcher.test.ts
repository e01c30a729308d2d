import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { attemptsOf, createWebhook, draft, webhookUntil } from '../../../../test/deliveries.ts'
import { withWorkspace } from '../../../../test/factories.ts'
import { type Received, webhookReceiver } from '../../../../test/receiver.ts'
import { createDeps } from '../../../deps.ts'
import { startDispatcher } from './dispatcher.ts'

const MINUTE = 60_000

let receiver: Awaited<ReturnType<typeof webhookReceiver>>
const t = await testApp()
afterEach(() => receiver?.close())

const contentOf = (message: Received) => JSON.parse(message.raw.toString()).data.post.content

describe('the dispatcher', () => {
  test('two dispatchers send nothing twice', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    await createWebhook(person, receiver.url)
    await createWebhook(person, receiver.url)
    const second = startDispatcher(t.deps)
    t.dispatch()
    await Promise.all(Array.from({ length: 40 }, (_, n) => draft(person, `post ${n}`)))
    await receiver.until((received) => received.length >= 80)
    await second.stop()
    const pairs = receiver.received.map((message) => message.id)
    expect(new Set(pairs).size).toBe(40)
    expect(pairs).toHaveLength(80)
  })

  test('an endpoint that hangs does not delay others', async () => {
    receiver = await webhookReceiver()
    const hanging = await webhookReceiver()
    hanging.respondWith(() => undefined)
    const person = await withWorkspace(t)
    await createWebhook(person, hanging.url)
    await createWebhook(person, receiver.url)
    t.dispatch()
    await Promise.all(Array.from({ length: 60 }, (_, n) => draft(person, `post ${n}`)))
    await receiver.until((received) => received.length >= 60)
    expect(hanging.received.length).toBeLessThanOrEqual(8)
    hanging.close()
  })

  test('a dispatcher that is stopped during an attempt releases the delivery, and counts no failure', async () => {
    receiver = await webhookReceiver()
    receiver.respondWith(() => undefined)
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, receiver.url)
    const stopped = startDispatcher(fresh.deps)
    await draft(person)
    await receiver.until((received) => received.length >= 1)
    const stop = stopped.stop()
    await fresh.deps.dispatcher.destroy()
    await stop
    const [row] = await fresh.deps.db.selectFrom('delivery').selectAll().execute()
    expect(row).toMatchObject({ state: 'waiting', attempts: 0, step: 0, claim_id: null })
    expect((await person.get(`/api/v1/webhooks/${webhook.id}`)).body.failure_count).toBe(0)
    await fresh.close()
  })

  test('a dispatcher sends the claims of a killed one when their lease ends, and not before', async () => {
    receiver = await webhookReceiver()
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, receiver.url)
    await draft(person, 'claimed')
    const lease = new Date(fresh.clock.now().getTime() + 60_000)
    await fresh.deps.db
      .updateTable('delivery')
      .set({ claim_id: '00000000-0000-0000-0000-000000000001', run_at: lease })
      .execute()
    fresh.dispatch()
    await draft(person, 'free')
    await webhookUntil(person, webhook.id, ({ last_dispatched_at }) => last_dispatched_at !== null)
    expect(receiver.received.map(contentOf)).toEqual(['free'])
    fresh.advance(MINUTE)
    await receiver.until((received) => received.length >= 2)
    expect(receiver.received.map(contentOf)).toEqual(['free', 'claimed'])
    await fresh.close()
  })

  test('a dispatcher that comes back after its lease changes nothing', async () => {
    receiver = await webhookReceiver()
    const late = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    receiver.respondWith((response) => {
      arrived.resolve()
      void late.promise.then(() => response.writeHead(500).end())
    })
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, receiver.url)
    fresh.dispatch()
    await draft(person)
    await arrived.promise
    // Another node has claimed it since.
    const claim_id = '00000000-0000-0000-0000-000000000002'
    await fresh.deps.db.updateTable('delivery').set({ claim_id }).execute()
    late.resolve()
    receiver.respondWith((response) => response.writeHead(200).end())
    await draft(person)
    await webhookUntil(person, webhook.id, ({ last_dispatched_at }) => last_dispatched_at !== null)
    const [row] = await fresh.deps.db.selectFrom('delivery').selectAll().execute()
    expect(row).toMatchObject({ state: 'waiting', attempts: 0, step: 0, claim_id })
    expect(await attemptsOf(fresh, webhook.id)).toMatchObject([{ ok: true }])
    expect((await person.get(`/api/v1/webhooks/${webhook.id}`)).body.failure_count).toBe(0)
    await fresh.close()
  })

  test('a dispatcher is notified of events of a process without a dispatcher', async () => {
    receiver = await webhookReceiver()
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    await createWebhook(person, receiver.url)
    const other = await createDeps(fresh.deps.config, fresh.database.connection, {
      log: fresh.deps.log,
      clock: fresh.clock,
    })
    await Promise.all([other.invalidationBus.started, fresh.deps.invalidationBus.started])
    const { promise: notified, resolve: notify } = Promise.withResolvers<void>()
    other.dueSignal.onNotify(() => notify())
    let invalidated = 0
    other.invalidationBus.onInvalidate(() => invalidated++)
    await draft(person)
    await notified
    expect(invalidated).toBe(0)
    const dispatcher = startDispatcher(other)
    await receiver.until((received) => received.length >= 1)
    await dispatcher.stop()
    await other.close()
    await fresh.close()
  })

  test('a due delivery is found behind thousands that wait for a retry', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const postponed = await createWebhook(person, 'http://127.0.0.1:9/')
    await createWebhook(person, receiver.url)
    await sql`insert into delivery (webhook_id, event_id, type, step, attempts, run_at)
      select ${postponed.id}::uuid, uuidv7(), 'post.created', 1, 1, ${new Date(t.clock.now().getTime() + MINUTE)}
      from generate_series(1, 5000)`.execute(t.deps.db)
    t.dispatch()
    await draft(person)
    await receiver.until((received) => received.length >= 1)
    await t.deps.db.deleteFrom('delivery').where('webhook_id', '=', postponed.id).execute()
  })
})
