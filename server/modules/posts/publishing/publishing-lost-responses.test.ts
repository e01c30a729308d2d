import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount } from '../../../../test/factories.ts'
import { blueskyServer, type Failure } from '../../../../test/stand-ins/bluesky.ts'
import { holdTimers } from '../../../../test/timers.ts'
import { SEED, timesOf } from '../../../../test/torture/settings.ts'
import { until } from '../../../../test/until.ts'
import { advance, HOUR, publishNow, read, SECOND, withBluesky } from './publishing.fixture.ts'

/** The time limit of a call to a network. */
const CALL_MS = 20_000

const t = await testApp()
const bluesky = await blueskyServer()
afterAll(() => bluesky.close())

describe('lost responses', () => {
  test.each<[string, Failure]>([
    ['the connection broke', { kind: 'hang_up', arrives: true }],
    ['the server failed', { kind: 'response', status: 500, arrives: true }],
    ['the gateway timed out', { kind: 'response', status: 504, arrives: true }],
    ['the response names another record', { kind: 'other_record', arrives: true }],
  ])('a post that arrived is found and not sent again: %s', async (_, failure) => {
    const { owner, account } = await withBluesky(t, bluesky)
    bluesky.failNext(failure)
    const sentBefore = bluesky.count('putRecord')
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ status: 'publishing', targets: [{ status: 'unconfirmed' }] })
    await advance(t, 5 * SECOND)
    const done = await read(owner, post)
    expect(done).toMatchObject({ status: 'published', targets: [{ status: 'published', error_code: null }] })
    expect(bluesky.count('putRecord') - sentBefore).toBe(1)
    expect(bluesky.records.has(String(done.targets[0]?.external_id))).toBe(true)
  })

  test.each<[string, Failure]>([
    ['the connection broke', { kind: 'hang_up', arrives: false }],
    ['the server failed', { kind: 'response', status: 503 }],
    ['the response is not JSON', { kind: 'garbage' }],
    ['the response never ends', { kind: 'flood' }],
    ['the response names another record', { kind: 'other_record', arrives: false }],
  ])('a post that did not arrive is looked up, then sent again under the same key: %s', async (_, failure) => {
    const { owner, account, handle } = await withBluesky(t, bluesky)
    bluesky.failNext(failure)
    const before = bluesky.calls.length
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(t, 5 * SECOND)
    expect(await read(owner, post)).toMatchObject({ status: 'published', targets: [{ handle }] })
    const calls = bluesky.calls.slice(before).filter((call) => /Record$/.test(call.name))
    expect(calls.map((call) => call.name.split('.').at(-1))).toEqual(['putRecord', 'getRecord', 'putRecord'])
    expect(calls[0]?.body.rkey).toBe(calls[2]?.body.rkey)
  })

  test('a request without a response is aborted, and the post that arrived is found', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const limit = holdTimers(CALL_MS)
    bluesky.failNext({ kind: 'hang', arrives: true })
    const post = await publishNow(owner, { account_ids: [account] })
    const run = t.runJobs()
    await until(() => expect(bluesky.hanging()).toBe(1))
    limit.expire()
    await run
    expect(await read(owner, post)).toMatchObject({ status: 'publishing', targets: [{ status: 'unconfirmed' }] })
    await advance(t, 5 * SECOND)
    expect((await read(owner, post)).status).toBe('published')
  })

  test('a refusal is checked by a lookup, and a post that arrived nevertheless counts as published', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const before = bluesky.records.size
    bluesky.failNext({ kind: 'response', status: 400, error: 'InvalidRequest', arrives: true })
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ status: 'published', targets: [{ error_code: null }] })
    expect(bluesky.records.size - before).toBe(1)
  })

  test('a post that was edited after a lost response is looked up before anything is sent', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const before = bluesky.records.size
    bluesky.failNext({ kind: 'hang_up', arrives: true })
    bluesky.failLookups(true)
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(t, 24 * HOUR)
    expect((await read(owner, post)).status).toBe('failed')
    bluesky.failLookups(false)
    const scheduled_at = new Date(t.clock.now().getTime() + 30 * HOUR).toISOString()
    const change = { content: 'Changed', account_ids: [account], scheduled_at }
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, change), 200)
    await advance(t, 30 * HOUR)
    expect((await read(owner, post)).status).toBe('published')
    expect(bluesky.records.size - before).toBe(1)
  })

  test('a second attempt that is refused although its record exists counts as published', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    bluesky.failNext(
      { kind: 'hang_up', arrives: false },
      { kind: 'response', status: 400, error: 'Record already exists', arrives: true },
    )
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(t, 5 * SECOND)
    expect((await read(owner, post)).status).toBe('published')
  })

  test('an unconfirmed target is looked up for a day and then fails, and a retry looks it up first', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    bluesky.failNext({ kind: 'hang_up', arrives: true })
    bluesky.failLookups(true)
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(t, 23 * HOUR)
    expect(await read(owner, post)).toMatchObject({ status: 'publishing', targets: [{ status: 'unconfirmed' }] })
    await advance(t, HOUR)
    expect(await read(owner, post)).toMatchObject({ status: 'failed', targets: [{ error_code: 'unconfirmed' }] })

    bluesky.failLookups(false)
    const sentBefore = bluesky.count('putRecord')
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    expect(bluesky.count('putRecord')).toBe(sentBefore)
  })

  test('an unconfirmed target keeps its account on the post, because another attempt would have another key', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const playground = await playgroundAccount(owner)
    bluesky.failNext({ kind: 'hang_up', arrives: true })
    bluesky.failLookups(true)
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(t, 24 * HOUR)
    bluesky.failLookups(false)
    expect((await read(owner, post)).status).toBe('failed')
    const change = (account_ids: string[]) => owner.patch(`/api/v1/posts/${post.id}`, { account_ids })
    expect(await change([playground])).toMatchObject({ status: 400, body: { errors: [{ pointer: '/account_ids' }] } })
    expectStatus(await change([playground, account]), 200)
    expect(await change([playground])).toMatchObject({ status: 400 })
    const sentBefore = bluesky.count('putRecord')
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/publish`), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    expect(bluesky.count('putRecord')).toBe(sentBefore)
  })

  test('an attempt of a worker that died after saving its intent is looked up by the next worker', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const post = await publishNow(owner, { account_ids: [account] })
    await t.deps.db
      .updateTable('post_target')
      .set({
        status: 'publishing',
        steps: JSON.stringify([
          {
            name: 'post 0',
            state: 'begun',
            begun_at: t.clock.now(),
            part: 0,
            intent: { rkey: '3kabcdefghij2', record: null },
          },
        ]),
        attempts: 1,
        attempted_at: t.clock.now(),
      })
      .where('post_id', '=', post.id)
      .execute()
    await t.deps.db.updateTable('post').set({ status: 'publishing' }).where('id', '=', post.id).execute()
    const before = bluesky.calls.length
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    const names = bluesky.calls.slice(before).map((call) => call.name.split('.').at(-1))
    expect(names.indexOf('getRecord')).toBeLessThan(names.indexOf('putRecord'))
  })
})

// More of it: npm run torture -- lost-responses
test(`every post ends as published with one record on the network, or as failed with at most one, whatever fails (seed ${SEED})`, async () => {
  const failure: fc.Arbitrary<Failure | undefined> = fc.constantFrom<(Failure | undefined)[]>(
    undefined,
    { kind: 'response', status: 400, error: 'InvalidRequest' },
    { kind: 'response', status: 400, error: 'InvalidRequest', arrives: true },
    { kind: 'response', status: 429 },
    { kind: 'response', status: 429, arrives: true },
    { kind: 'response', status: 500 },
    { kind: 'response', status: 500, arrives: true },
    { kind: 'hang_up', arrives: true },
    { kind: 'hang_up', arrives: false },
    { kind: 'garbage' },
    { kind: 'other_record', arrives: true },
    { kind: 'other_record', arrives: false },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(failure, { maxLength: 6 }), async (sequence) => {
      const { owner, account } = await withBluesky(t, bluesky)
      const before = bluesky.records.size
      bluesky.failNext(...sequence.map((next) => next ?? ({ kind: 'response', status: 429 } as const)))
      const post = await publishNow(owner, { account_ids: [account] })
      await t.runJobs()
      for (let step = 0; step < 40 && (await read(owner, post)).status === 'publishing'; step++) await advance(t, HOUR)
      const { status } = await read(owner, post)
      const kept = bluesky.records.size - before
      expect(['published', 'failed']).toContain(status)
      if (status === 'published') expect(kept).toBe(1)
      else expect(kept).toBeLessThanOrEqual(1)
      bluesky.failNext()
    }),
    { numRuns: timesOf('LOST_RESPONSE_RUNS', 10), seed: SEED },
  )
})
