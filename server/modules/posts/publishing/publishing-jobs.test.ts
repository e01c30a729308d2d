import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { holdTimers } from '../../../../test/timers.ts'
import { until } from '../../../../test/until.ts'
import { startWorker } from '../../../worker.ts'
import { advance, eventsOf, type Published, publishNow, read, SECOND, withBluesky } from './publishing.fixture.ts'
import { publishTarget, publishTargets, requeueStuckTargets } from './publishing.ts'

/** The time limit of a call to a network. */
const CALL_MS = 20_000

const t = await testApp()
const bluesky = await blueskyServer()
afterAll(() => bluesky.close())

test('one job publishes what is due on its account in its order, and later posts wait for their time', async () => {
  const owner = await withWorkspace(t)
  const account = await playgroundAccount(owner)
  const inSeconds = (s: number) => new Date(t.clock.now().getTime() + s * SECOND).toISOString()
  const schedule = async (s: number): Promise<Published> => {
    const body = { content: `in ${s}`, account_ids: [account], scheduled_at: inSeconds(s) }
    return expectStatus(await owner.post('/api/v1/posts', body), 201).body
  }
  const posts = [await schedule(60), await schedule(61), await schedule(62), await schedule(600)]
  t.advance(90 * SECOND)
  await publishTargets(t.deps, { target_id: String(posts[0]?.targets[0]?.id) })
  const states = await Promise.all(posts.map(async (post) => (await read(owner, post)).status))
  expect(states).toEqual(['published', 'published', 'published', 'scheduled'])
  const { body } = await owner.get('/api/v1/playground')
  expect(body.data.map(({ content }: { content: string }) => content)).toEqual(['in 62', 'in 61', 'in 60'])
  await advance(t, 600 * SECOND)
  expect(posts[3] && (await read(owner, posts[3])).status).toBe('published')
})

describe('concurrent calls', () => {
  test('two concurrent runs of one job publish once', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const sentBefore = bluesky.count('putRecord')
    const post = await publishNow(owner, { account_ids: [account] })
    const target_id = String(post.targets[0]?.id)
    await Promise.all([publishTarget(t.deps, { target_id }), publishTarget(t.deps, { target_id })])
    await advance(t, 5 * SECOND)
    const done = await read(owner, post)
    expect(done.status).toBe('published')
    const sent = bluesky.calls.filter((call) => call.name.endsWith('putRecord')).slice(sentBefore)
    expect(new Set(sent.map((call) => call.body.rkey)).size).toBe(1)
    expect((await eventsOf(t, owner)).filter((event) => event.type === 'post.published')).toHaveLength(1)
  })

  test('a post that is deleted while it is being queued is not published', async () => {
    const owner = await withWorkspace(t)
    const account = await playgroundAccount(owner)
    for (let round = 0; round < 10; round++) {
      const { body: post } = expectStatus(
        await owner.post('/api/v1/posts', { content: `${round}`, account_ids: [account] }),
        201,
      )
      const [published, deleted] = await Promise.all([
        owner.post(`/api/v1/posts/${post.id}/publish`),
        owner.delete(`/api/v1/posts/${post.id}`),
      ])
      await t.runJobs()
      const timeline = (await owner.get('/api/v1/playground?limit=100')).body.data.map(
        (entry: { content: string }) => entry.content,
      )
      expect([200, 404]).toContain(published.status)
      expect(deleted.status).toBe(204)
      expect(timeline).not.toContain(`${round}`)
    }
  })
})

test('an account that hangs delays only its own posts', async () => {
  // A call to a network never ends by itself.
  holdTimers(CALL_MS)
  // A worker runs jobs by the clock of PostgreSQL.
  const own = await testApp({}, { origin: new Date() })
  const owner = await withWorkspace(own)
  const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
  const { body: hanging } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  bluesky.failNext(...Array.from({ length: 30 }, () => ({ kind: 'hang', arrives: false }) as const))
  const before = bluesky.count('putRecord')
  for (let n = 0; n < 30; n++) await publishNow(owner, { account_ids: [hanging.id] })
  const other = await withWorkspace(own)
  const account = await playgroundAccount(other)
  const worker = await startWorker(own.deps, { alone: false })
  await bluesky.called('putRecord', before + 1)
  const post = await publishNow(other, { account_ids: [account] })
  await until(async () => expect((await read(other, post)).status).toBe('published'))
  expect(bluesky.count('putRecord')).toBe(before + 1)
  bluesky.failNext()
  await worker.stop()
  await own.close()
})

test('a due post whose job was lost is queued again', async () => {
  const owner = await withWorkspace(t)
  const account = await playgroundAccount(owner)
  const post = await publishNow(owner, { account_ids: [account] })
  await sql`delete from graphile_worker._private_jobs`.execute(t.deps.db)
  expect(await requeueStuckTargets(t.deps.db, t.clock.now())).toBe(0)
  await t.advance(180 * SECOND)
  expect(await requeueStuckTargets(t.deps.db, t.clock.now())).toBe(1)
  await t.runJobs()
  expect((await read(owner, post)).status).toBe('published')
})
