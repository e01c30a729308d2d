import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { webhookReceiver } from '../../../../test/receiver.ts'
import { until } from '../../../../test/until.ts'

let t: TestApp
/** Never responds. */
let hanging: Awaited<ReturnType<typeof webhookReceiver>>
let quick: Awaited<ReturnType<typeof webhookReceiver>>
beforeEach(async () => {
  // So that no attempt ends during a test on a slow machine.
  t = await testApp({ WEBHOOK_TIMEOUT_MS: '45000' })
  hanging = await webhookReceiver()
  hanging.respondWith(() => undefined)
  quick = await webhookReceiver()
})
afterEach(async () => {
  hanging.close()
  quick.close()
  await t.close()
})

const subscribe = async (person: WorkspaceOwner, url: string) =>
  expectStatus(await person.post('/api/v1/webhooks', { url, events: ['post.created'] }), 201)
const write = (person: WorkspaceOwner, posts: number) =>
  Promise.all(
    Array.from({ length: posts }, async (_, n) =>
      expectStatus(await person.post('/api/v1/posts', { content: `Post ${n}` }), 201),
    ),
  )

test('endpoints that hang use half of the slots of their workspace, and a quick one beside them gets its own', async () => {
  const person = await withWorkspace(t)
  for (let n = 0; n < 12; n++) await subscribe(person, hanging.url)
  // Each endpoint gets a first delivery whatever the others use. After these, all of them share one half.
  await write(person, 1)
  t.dispatch()
  await hanging.until((received) => received.length >= 12)
  await write(person, 20)
  await hanging.until((received) => received.length >= 32)
  await subscribe(person, quick.url)
  await write(person, 40)
  await quick.until((received) => received.length >= 40)
  expect(hanging.received).toHaveLength(32)
})

test('endpoints that hang in many workspaces do not delay other workspaces', async () => {
  const people = await Promise.all(Array.from({ length: 18 }, () => withWorkspace(t)))
  for (const person of people) for (let n = 0; n < 8; n++) await subscribe(person, hanging.url)
  t.dispatch()
  for (const person of people) await write(person, 8)
  await hanging.until((received) => received.length >= 512)
  const other = await withWorkspace(t)
  await subscribe(other, quick.url)
  await write(other, 40)
  await quick.until((received) => received.length >= 40)
})

test('a result that PostgreSQL rejects does not keep the others of its batch from being saved', async () => {
  const person = await withWorkspace(t)
  await subscribe(person, quick.url)
  await write(person, 20)
  const { rows } = await t.deps.pool.query(
    'update delivery set attempts = 2147483647 where id = (select id from delivery order by id limit 1) returning id',
  )
  t.dispatch()
  await quick.until((received) => received.length >= 20)
  await until(async () => expect(await t.deps.db.selectFrom('delivery').select('id').execute()).toEqual(rows))
})

test('while the proxy fails, an endpoint is tried now and then, not once for every waiting delivery', async () => {
  const behind = await testApp({ WEBHOOK_PROXY_URL: 'http://127.0.0.1:9' })
  onTestFinished(behind.close)
  const person = await withWorkspace(behind)
  await subscribe(person, quick.url)
  await write(person, 40)
  behind.dispatch()
  const tried = () => behind.deps.db.selectFrom('attempt').select('n').execute()
  await until(async () => expect(await tried()).toHaveLength(8))
  // When the delivery of the other endpoint is tried, those of the first could have been claimed before it.
  await subscribe(person, hanging.url)
  await write(person, 1)
  await until(async () => expect(await tried()).toHaveLength(9))
})
